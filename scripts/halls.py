"""A server, programs that are killed and started again, and a bad network: what the scripts about several halls share."""

import os, random, shutil, signal, socket, subprocess, sys, threading, time


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def program_with_network(path):
    """The program at this path, if it can speak to a server."""
    try:
        asked = [path, "publish", "--server", "nats://127.0.0.1:1", "--event", "x", "--line", "x", "--give-up", "0"]
        said = subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, text=True).stderr
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}: cargo build --release --locked --features nats")
    if "without a network" in said:
        sys.exit(f"{path}: {said.strip()}")
    return path


def server_program():
    program = shutil.which("nats-server") or "/usr/sbin/nats-server"
    if not os.path.exists(program):
        sys.exit("SKIPPED: nats-server is not installed (on Debian: apt-get install nats-server)")
    return program


def server_command(folder, port):
    return [server_program(), "-js", "-sd", os.path.join(folder, "js"), "-a", "127.0.0.1", "-p", str(port)]


def wait_for_port(port):
    for _ in range(400):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    sys.exit("the server does not start")


class Part:
    """A pipe of commands that is started again when one of them ends, as a unit of systemd would be."""

    def __init__(self, name, commands, log, out=subprocess.DEVNULL):
        self.name, self.commands, self.log, self.out, self.kills, self.ends = name, commands, log, out, 0, []
        self.start()

    def start(self):
        self.processes, before = [], subprocess.DEVNULL
        for nth, command in enumerate(self.commands):
            last = nth + 1 == len(self.commands)
            process = subprocess.Popen(command, stdin=before, stdout=self.out if last else subprocess.PIPE, stderr=self.log,
                                       start_new_session=True)
            if before != subprocess.DEVNULL:
                before.close()
            before = process.stdout
            self.processes.append(process)

    def stop(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
        for process in self.processes:
            process.wait()

    def kill(self, nth=None):
        """Kills (-9) one of the pipe, any without a number, and starts all of it again."""
        victim = self.processes[random.randrange(len(self.processes)) if nth is None else nth]
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        self.stop()
        self.kills += 1
        self.start()

    def look(self):
        """Starts it again if it has ended by itself, which is noted."""
        codes = [process.poll() for process in self.processes]
        if any(code is not None for code in codes):
            self.stop()
            self.ends.append(next(code for code in codes if code is not None))
            self.start()

    def used(self):
        """Processor time so far of the processes that run, in seconds."""
        ticks = 0
        for process in self.processes:
            with open(f"/proc/{process.pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")


class Proxy:
    """Between the halls, the office and the server; as bad as it is told to be."""

    def __init__(self, target):
        self.target, self.port = target, free_port()
        self.delay, self.flows, self.half, self.swallows = 0.0, threading.Event(), 0, False
        self.flows.set()
        self.pairs, self.lock = set(), threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", self.port), backlog=500)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            try:
                far = socket.create_connection(("127.0.0.1", self.target), 5)
            except OSError:
                near.close()
                continue
            for s in (near, far):
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                s.settimeout(None)
            with self.lock:
                self.pairs.add((near, far))
            for source, to, answers in ((near, far, False), (far, near, True)):
                threading.Thread(target=self.pump, args=(source, to, answers, (near, far)), daemon=True).start()

    def pump(self, source, to, answers, pair):
        lost = False
        try:
            while data := source.recv(65536):
                # What is swallowed once leaves a connection on which nothing can come any more.
                lost = lost or self.swallows
                if lost:
                    continue
                self.flows.wait()
                if self.delay:
                    time.sleep(self.delay)
                if answers and self.half and b"boardbus-" in data:
                    self.half -= 1
                    to.sendall(data[: len(data) // 2])
                    break
                to.sendall(data)
        except OSError:
            pass
        self.close(pair)

    def close(self, pair):
        with self.lock:
            self.pairs.discard(pair)
        for s in pair:
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            s.close()

    def reset(self):
        with self.lock:
            pairs = list(self.pairs)
        for pair in pairs:
            for s in pair:
                try:
                    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                except OSError:
                    pass
            self.close(pair)

    def cut(self, kind, seconds):
        """Nothing comes through for so long: it is held back (stall), it is lost (swallow), or it comes late (delay)."""
        if kind == "stall":
            self.flows.clear()
        elif kind == "swallow":
            self.swallows = True
        else:
            self.delay = 0.4
        time.sleep(seconds)
        self.delay, self.swallows = 0.0, False
        self.flows.set()

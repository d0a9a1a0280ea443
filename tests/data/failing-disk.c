// A machine that fails when a test says so: preloaded, it stands between a program and the file that BOARDBUS_FILE names. What
// the file BOARDBUS_FAULT holds happens to it: `full` (half of what is written has room), `sync` (it cannot be made safe);
// BOARDBUS_FAILED grows by a byte each time. With BOARDBUS_KILL=N:HOW the power goes at the Nth write: before it (0), in its
// midst (1), behind it and before it is safe (2).
// BOARDBUS_CLOCK names a file with the seconds by which somebody has set the clock.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int is_the_file(int fd) {
    const char *file = getenv("BOARDBUS_FILE");
    char link[64], path[4096];
    if (!file) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return !strcmp(path, file);
}

// What a file that a variable names holds; nothing without it.
static ssize_t told(const char *variable, char *said, size_t room) {
    const char *name = getenv(variable);
    int there = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (there < 0) return -1;
    ssize_t length = read(there, said, room - 1);
    close(there);
    said[length < 0 ? 0 : length] = 0;
    return length;
}

static int fails(int fd, const char *how) {
    char said[8];
    if (!is_the_file(fd) || told("BOARDBUS_FAULT", said, sizeof said) <= 0 || strncmp(said, how, strlen(how))) return 0;
    int failed = open(getenv("BOARDBUS_FAILED"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    syscall(SYS_write, failed, ".", 1);
    close(failed);
    return 1;
}

static void power_goes(void) {
    syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
}

ssize_t write(int fd, const void *bytes, size_t length) {
    static long writes;
    const char *cut = getenv("BOARDBUS_KILL");
    if (cut && is_the_file(fd) && ++writes == atol(cut)) {
        size_t how = strchr(cut, ':')[1] - '0';
        if (how) syscall(SYS_write, fd, bytes, how == 1 ? length / 2 : length);
        power_goes();
    }
    if (!fails(fd, "full")) return syscall(SYS_write, fd, bytes, length);
    if (length > 1) return syscall(SYS_write, fd, bytes, length / 2);
    errno = ENOSPC;
    return -1;
}

int fdatasync(int fd) {
    if (!fails(fd, "sync")) return syscall(SYS_fdatasync, fd);
    errno = EIO;
    return -1;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    char said[32];
    int done = syscall(SYS_clock_gettime, clock, time);
    if (clock == CLOCK_REALTIME && told("BOARDBUS_CLOCK", said, sizeof said) > 0) time->tv_sec += atol(said);
    return done;
}

// A disk that fails when a test says so: preloaded, it stands between a program and the file that BOARDBUS_FILE names. What
// the file BOARDBUS_FAULT holds happens to it: `full` (half of what is written has room), `sync` (it cannot be made safe).
// BOARDBUS_FAILED grows by a byte each time.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fails(int fd, const char *how) {
    const char *file = getenv("BOARDBUS_FILE"), *fault = getenv("BOARDBUS_FAULT");
    char link[64], path[4096], said[8] = "";
    if (!file || !fault) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (strcmp(path, file)) return 0;
    int there = open(fault, O_RDONLY | O_CLOEXEC);
    if (there < 0) return 0;
    length = read(there, said, sizeof said - 1);
    close(there);
    if (length <= 0 || strncmp(said, how, strlen(how))) return 0;
    int failed = open(getenv("BOARDBUS_FAILED"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    syscall(SYS_write, failed, ".", 1);
    close(failed);
    return 1;
}

ssize_t write(int fd, const void *bytes, size_t length) {
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

// syscalls NAME COUNT: makes exactly COUNT system calls of this name, directly through syscall(2), so that no library adds or caches any.
#include "progs.h"

#include <sys/syscall.h>

static const struct {
    const char *name;
    long number;
} calls[] = {{"getpid", SYS_getpid}, {"getppid", SYS_getppid}, {"getuid", SYS_getuid},
             {"gettid", SYS_gettid}, {"close", SYS_close},     {"sched_yield", SYS_sched_yield}};

int main(int argc, char **argv)
{
    if (argc != 3)
        return usage("syscalls getpid|getppid|getuid|gettid|close|sched_yield COUNT");
    long count = number(argv[2]);
    for (unsigned i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        if (strcmp(argv[1], calls[i].name) != 0)
            continue;
        // Only close(2) uses this argument: with descriptor -1, each call fails with EBADF (9).
        for (long done = 0; done < count; done++)
            syscall(calls[i].number, -1L);
        return 0;
    }
    return usage("syscalls: unknown name");
}

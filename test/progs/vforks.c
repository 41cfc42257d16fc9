// vforks N: a child process created by vfork(2) calls worked() 100 times. Then the parent calls worked() N times.
#include "progs.h"

#include <sys/wait.h>

__attribute__((noinline)) long worked(long n)
{
    return n + getppid();
}
static long (*volatile call_worked)(long) = worked;

int main(int argc, char **argv)
{
    if (argc < 2)
        return usage("vforks N");
    const pid_t child = vfork();
    if (child == 0) {
        for (int i = 0; i < 100; ++i)
            call_worked(i);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    long sum = 0;
    for (long i = 0, count = number(argv[1]); i < count; ++i)
        sum += call_worked(i);
    return sum == 0;
}

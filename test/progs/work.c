// work SLEEP BURN: calls getppid(2), sleeps for SLEEP ms, calls getppid(2), uses BURN more ms of CPU time, and calls getppid(2).
#include "progs.h"

#include <sys/syscall.h>
#include <time.h>

static long cpu_ms(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return usage("work SLEEP BURN");
    long sleep_ms = number(argv[1]), burn_ms = number(argv[2]);
    struct timespec nap = {sleep_ms / 1000, sleep_ms % 1000 * 1000000};
    syscall(SYS_getppid);
    nanosleep(&nap, NULL);
    syscall(SYS_getppid);
    for (long end = cpu_ms() + burn_ms; cpu_ms() < end;)
        for (volatile int i = 0; i < 100000; i++) {
        }
    syscall(SYS_getppid);
    return 0;
}

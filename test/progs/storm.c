// storm COUNT [THREADS [WORK [CALL]]]: makes COUNT getppid(2) calls as fast as possible, divided evenly among the threads. WORK: rounds of a loop between two
// calls. CALL: getsid or getpgid, which other programs rarely call, or sched_yield.
#include "progs.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

static long work, call = SYS_getppid;

static void *calls(void *count)
{
    for (long left = (long)(intptr_t)count; left > 0; left--) {
        for (volatile long step = 0; step < work; step++)
            continue;
        syscall(call, 0);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return usage("storm COUNT [THREADS [WORK [CALL]]]");
    long count = number(argv[1]), threads = argc > 2 ? number(argv[2]) : 1;
    work = argc > 3 ? number(argv[3]) : 0;
    if (argc > 4)
        call = strcmp(argv[4], "getsid") == 0        ? SYS_getsid
               : strcmp(argv[4], "sched_yield") == 0 ? SYS_sched_yield
                                                     : SYS_getpgid;
    if (threads < 1 || threads > 256)
        return usage("storm: 1 to 256 threads");
    pthread_t started[256];
    for (long i = 1; i < threads; i++) {
        long share = count / threads + (i < count % threads ? 1 : 0);
        if (pthread_create(&started[i], NULL, calls, (void *)(intptr_t)share) != 0)
            return 1;
    }
    calls((void *)(intptr_t)(count / threads + (count % threads > 0 ? 1 : 0)));
    for (long i = 1; i < threads; i++)
        pthread_join(started[i], NULL);
    return 0;
}

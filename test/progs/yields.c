// yields THREADS STRETCHES WORK [wake]: one or two threads on one CPU make system calls; with two threads each call switches between them. They call
// sched_yield(2) or, with "wake", wake each other by a byte in a pipe (a single thread writes and reads it itself). Before each call a thread runs WORK rounds
// of a loop. Prints the time of a call in ns in the fastest stretch.
#include "moment.h"
#include "progs.h"

#include <pthread.h>
#include <sched.h>

enum { kStretch = 100 };

static long threads, stretches, work, least = 1L << 60;
static int pipes[2][2], wakes;

static void take_turn(int own)
{
    char c = 'x';
    for (volatile long i = 0; i < work; ++i)
        ;
    if (!wakes)
        sched_yield();
    else if (write(pipes[own ^ (threads > 1)][1], &c, 1) != 1 || read(pipes[own][0], &c, 1) != 1)
        exit(1);
}

static void *run(void *number)
{
    const int own = (int)(long)number;
    for (long s = 0; s < stretches; ++s) {
        const long from = clock_ns(CLOCK_MONOTONIC);
        for (int i = 0; i < kStretch; ++i)
            take_turn(own);
        const long took = clock_ns(CLOCK_MONOTONIC) - from;
        if (own == 0 && took < least)
            least = took;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    cpu_set_t one;
    pthread_t other;
    if (argc != 4 && argc != 5)
        return usage("yields THREADS STRETCHES WORK [wake]");
    threads = number(argv[1]);
    stretches = number(argv[2]);
    work = number(argv[3]);
    wakes = argc == 5;
    if (pipe(pipes[0]) || pipe(pipes[1]))
        return 1;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setaffinity(0, sizeof one, &one);
    if (threads > 1)
        pthread_create(&other, NULL, run, (void *)1L);
    run((void *)0L);
    if (threads > 1)
        pthread_join(other, NULL);
    printf("%.1f\n", (double)least / kStretch / (double)threads);
    return 0;
}

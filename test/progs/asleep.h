// Checks whether another thread of this process sleeps, also if it waits for a kernel lock, and how often it has slept.
// The thread's state is not enough, because the kernel sets it shortly before the thread leaves its CPU.
#ifndef TEST_PROGS_ASLEEP_H
#define TEST_PROGS_ASLEEP_H

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

// Returns how often the thread has gone to sleep. Sets *state to 'S' if it sleeps, to 'D' if it sleeps and no signal
// can wake it, or to its other state.
static long sleeps_of(int tid, char *state)
{
    char path[64], line[128];
    long sleeps = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/status", tid);
    FILE *file = fopen(path, "r");
    if (!file)
        exit(1);
    while (fgets(line, sizeof line, file)) {
        sscanf(line, "State: %c", state);
        sscanf(line, "voluntary_ctxt_switches: %ld", &sleeps);
    }
    fclose(file);
    return sleeps;
}

static int has_gone_to_sleep(int tid, long before)
{
    char state = 0;
    return sleeps_of(tid, &state) > before && (state == 'S' || state == 'D');
}

// Blocks until the thread sleeps and has slept more than `before` times.
static void until_asleep(int tid, long before)
{
    while (!has_gone_to_sleep(tid, before) || !has_gone_to_sleep(tid, before))
        sched_yield();
}

#endif

// Reads the kernel's own times of the current thread at one moment; tests compare breakdown() with them. "Waiting" is
// the time in which the thread neither had a CPU nor was ready for one. The values are correct to a few microseconds at
// any load.
#ifndef TEST_PROGS_MOMENT_H
#define TEST_PROGS_MOMENT_H

#include "progs.h"

#include <fcntl.h>
#include <time.h>

struct moment {
    long clock;  // CLOCK_MONOTONIC, in ns
    long on_cpu; // ns on a CPU, without time that the hypervisor took away
    long queued; // ns of waiting for a CPU, from schedstat
};

static inline long clock_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}

// Reads the values several times and returns the fastest reading: if the thread is preempted between two values, they
// belong to different moments.
static inline struct moment moment(void)
{
    struct moment best = {0, 0, 0};
    long least = 1L << 62;
    int counts = open("/proc/thread-self/schedstat", O_RDONLY);
    for (int i = 0; i < 5; ++i) {
        char text[96] = "";
        struct moment now = {clock_ns(CLOCK_MONOTONIC), clock_ns(CLOCK_THREAD_CPUTIME_ID), 0};
        if (pread(counts, text, sizeof text - 1, 0) <= 0 || sscanf(text, "%*s %ld", &now.queued) != 1) {
            fprintf(stderr, "no schedstat\n");
            exit(1);
        }
        long took = clock_ns(CLOCK_MONOTONIC) - now.clock;
        if (took < least) {
            least = took;
            best = now;
        }
    }
    close(counts);
    return best;
}

static inline struct moment since(struct moment from)
{
    const struct moment to = moment();
    return (struct moment){to.clock - from.clock, to.on_cpu - from.on_cpu, to.queued - from.queued};
}

static inline void say_truth(const char *what, struct moment took)
{
    printf("%s truth %ld %ld %ld\n", what, took.clock - took.on_cpu - took.queued, took.on_cpu, took.queued);
}

#endif

// What the kernel itself counts of the current thread's time, as of one moment: the truth that breakdown() is compared with. How long a thread has
// waited is the time that it neither had a CPU nor wanted one, and that is known to some microseconds on a machine of any load.
#ifndef TEST_PROGS_MOMENT_H
#define TEST_PROGS_MOMENT_H

#include "progs.h"

#include <fcntl.h>
#include <time.h>

struct moment {
    long clock;  // ns by CLOCK_MONOTONIC
    long on_cpu; // ns on a CPU, without what a hypervisor took
    long queued; // ns that it waited for a CPU: schedstat
};

static inline long clock_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}

// Of several readings the one that took least: whoever loses the CPU in the middle of one reads what does not belong together.
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

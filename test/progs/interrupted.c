// interrupted MS: computes for MS ms of CPU between close(-1) and close(-2), while it is interrupted at each 2 ms for some half a ms: clocks of perf_event_open(2) go off
// together, and each copies its stack. What it looks at is the time all the while, so that it sees each gap: an interrupt, or that it had no CPU. It prints
// what the kernel counts of its time, and "interrupt gaps NANOSECONDS": of all gaps, without the
// time in the run queue, and without what it was interrupted for as long before.
#include "moment.h"
#include "progs.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

enum { kPeriod = 2000000, kGap = 1000, kClocks = 64, kStack = 56 << 10, kPage = 4096, kPages = 17 };

static int begin_clocks(void)
{
    struct perf_event_attr clock = {.type = PERF_TYPE_SOFTWARE,
                                    .size = sizeof clock,
                                    .config = PERF_COUNT_SW_CPU_CLOCK,
                                    .sample_period = kPeriod,
                                    .sample_type = PERF_SAMPLE_STACK_USER,
                                    .sample_stack_user = kStack,
                                    .disabled = 1};
    int first = -1;
    for (int i = 0; i < kClocks; ++i) {
        const int one = (int)syscall(SYS_perf_event_open, &clock, 0, -1, first, PERF_FLAG_FD_CLOEXEC);
        if (one < 0 || mmap(NULL, kPages * kPage, PROT_READ, MAP_SHARED, one, 0) == MAP_FAILED) // who cannot write to it has it overwritten
            return -1;
        if (first < 0)
            first = one;
    }
    return ioctl(first, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
}

// Its frame is what is copied. What it does between two looks at the clock is a gap when it lasts long, so that all time without the CPU is in one.
static __attribute__((noinline)) long compute(const struct moment from, long wanted, struct moment *took)
{
    volatile char stack[2 * kStack];
    long gaps = 0, last = from.clock;
    memset((char *)stack, 1, sizeof stack);
    for (long rounds = 1; rounds % 4096 || clock_ns(CLOCK_THREAD_CPUTIME_ID) - from.on_cpu < wanted; ++rounds) {
        const long now = clock_ns(CLOCK_MONOTONIC);
        if (now - last >= kGap)
            gaps += now - last;
        last = now;
    }
    *took = since(from);
    return gaps + from.clock + took->clock - last - took->queued;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return usage("interrupted MS");
    const long wanted = number(argv[1]) * 1000000;
    struct moment took;
    const long others = compute(moment(), wanted, &took);
    if (begin_clocks())
        return 2;
    close(-1);
    const long gaps = compute(moment(), wanted, &took);
    close(-2);
    say_truth("interrupt", took);
    printf("interrupt gaps %ld\n", gaps - others);
    return 0;
}

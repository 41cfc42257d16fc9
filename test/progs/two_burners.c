// two_burners MILLISECONDS: burns this much CPU time in user mode, three quarters in burn_long() and one quarter in burn_short(). Built with frame pointers, so
// that its stacks can be walked.
#include "progs.h"

#include <time.h>

static volatile unsigned long sum;

static long used_us(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

__attribute__((noinline)) static void burn_long(long until)
{
    while (used_us() < until)
        for (int i = 0; i < 20000; i++)
            sum += (unsigned long)i;
}

__attribute__((noinline)) static void burn_short(long until)
{
    while (used_us() < until)
        for (int i = 0; i < 20000; i++)
            sum -= (unsigned long)i;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return usage("two_burners MILLISECONDS");
    long end = number(argv[1]) * 1000;
    for (long at = used_us(); at < end; at = used_us()) {
        burn_long(at + 12000);
        burn_short(used_us() + 4000);
    }
    return 0;
}

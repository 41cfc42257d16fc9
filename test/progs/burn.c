// burn MILLISECONDS: keeps one CPU busy in user mode for MILLISECONDS of CPU time. Reads the clock once for each
// million additions.
#include "progs.h"

#include <time.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return usage("burn MILLISECONDS");
    long limit = number(argv[1]);
    volatile unsigned long sum = 0;
    struct timespec used;
    do {
        for (int i = 0; i < 1000000; i++)
            sum = sum + (unsigned long)i;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    } while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < limit);
    return 0;
}

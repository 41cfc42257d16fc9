// coroutines N: four coroutines call works() N times in turn. Each call of works() begins in one call of resumes() and
// ends in another. Prints the sum of all results of resumes(), and the sum of all results of works().
#include "progs.h"

#include <ucontext.h>

enum { COROUTINES = 4 };

static ucontext_t home, contexts[COROUTINES];
static char stacks[COROUTINES][1 << 16];
static int current;
static long count, sum;

__attribute__((noinline)) long works(long n)
{
    swapcontext(&contexts[current], &home);
    return sum += n;
}

__attribute__((noinline)) long resumes(long n)
{
    swapcontext(&home, &contexts[current]);
    return n + 1;
}

static void begin(void)
{
    for (long i = 0; i < count; ++i)
        works(i);
    for (;;)
        swapcontext(&contexts[current], &home);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return usage("coroutines N");
    count = number(argv[1]);
    for (int i = 0; i < COROUTINES; ++i) {
        getcontext(&contexts[i]);
        contexts[i].uc_stack.ss_sp = stacks[i];
        contexts[i].uc_stack.ss_size = sizeof stacks[i];
        makecontext(&contexts[i], begin, 0);
    }
    long total = 0;
    for (long round = 0; round <= count; ++round)
        for (current = 0; current < COROUTINES; ++current)
            total += resumes(round);
    printf("%ld %ld\n", total, sum);
    return 0;
}

// Three threads write the same variable; the argument is the number of writes of each thread. The last thread starts
// while the others run. Prints the variable's value at the end.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

volatile uint64_t shared;        // written by all threads
volatile uint32_t pair[2];       // written in turn
volatile uint64_t large[4];      // too large for one watchpoint
static volatile uint16_t narrow; // written once with each value
static long writes;

__attribute__((noinline)) static void first_writer(void)
{
    for (long i = 0; i < writes; ++i)
        __atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED);
}

__attribute__((noinline)) static void second_writer(void)
{
    for (long i = 0; i < 2 * writes; ++i)
        __atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED);
}

__attribute__((noinline)) static void late_writer(void)
{
    for (long i = 0; i < 3 * writes; ++i)
        __atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED);
}

static void *run(void *body)
{
    ((void (*)(void))body)();
    return 0;
}

int main(int argc, char **argv)
{
    writes = argc > 1 ? atol(argv[1]) : 1;
    pthread_t one, two, late;
    pthread_create(&one, 0, run, (void *)first_writer);
    pthread_create(&two, 0, run, (void *)second_writer);
    pthread_create(&late, 0, run, (void *)late_writer);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(late, 0);
    for (uint16_t i = 1; i <= 5; ++i)
        narrow = i * 100;
    for (int i = 0; i < 7; ++i)
        pair[1] = 10 + i;
    uint64_t sum = 0;
    for (int i = 0; i < 4; ++i)
        sum += narrow;
    large[0] = sum;
    printf("%lu\n", (unsigned long)shared);
}

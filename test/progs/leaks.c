// leaks: allocates 1000 bytes three times in keep() and frees none, and 500 bytes four times in drop(), of which it frees all.
#include "progs.h"

#include <stdlib.h>

static void *volatile kept;

__attribute__((noinline)) void keep(void)
{
    kept = malloc(1000);
}

__attribute__((noinline)) void drop(void)
{
    void *volatile memory = calloc(5, 100);
    memory = realloc(memory, 500);
    free(memory);
}

int main(void)
{
    // volatile, so that the compiler does not unroll the loops, and each loop has one call site
    volatile int kept_times = 3, dropped_times = 4;
    for (int i = 0; i < kept_times; i++)
        keep();
    for (int i = 0; i < dropped_times; i++)
        drop();
    return 0;
}

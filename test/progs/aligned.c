// aligned: tests allocation functions that malloc(3) does not describe. Calls each once successfully, with different
// sizes, and frees nothing; then calls each once so that it fails. Prints the number of allocations and the sum of
// their sizes.
#define _GNU_SOURCE
#include "progs.h"

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static void *volatile kept;
static volatile size_t huge = SIZE_MAX / 2; // so large that every allocation of this size fails

__attribute__((noinline)) void keep(void)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 64, 10000) == 0)
        kept = memory;
    kept = aligned_alloc(64, 20032);
    kept = memalign(64, 30000);
    kept = valloc(40000);
    kept = reallocarray(NULL, 10, 5000);
}

__attribute__((noinline)) void fail(void)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 64, huge) != 0)
        kept = aligned_alloc(64, huge);
    kept = memalign(64, huge);
    kept = valloc(huge);
    kept = malloc(huge);
    kept = reallocarray(NULL, huge, 4);
}

__attribute__((noinline)) void map(void)
{
    kept = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    keep();
    fail();
    map();
    printf("kept %d in 5\nmapped 8192 in 1\n", 10000 + 20032 + 30000 + 40000 + 10 * 5000);
    return 0;
}

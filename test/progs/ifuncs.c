// ifuncs N: calls IFUNC functions through pointers: memset N + 1 times, strchr N + 2, memcpy N + 3, memmove N + 4
// times, and its own function pick() N + 5 times. The resolver of pick() calls another function.
#include "progs.h"

#include <string.h>

static __attribute__((noinline)) long one(long n)
{
    __asm__ volatile("");
    return n + 1;
}

static __attribute__((noinline)) long two(long n)
{
    __asm__ volatile("");
    return n + 2;
}

typedef long picked(long);
static volatile int wanted; // always 0, which the compiler cannot know

static __attribute__((used, noinline)) picked *ask(void)
{
    __asm__ volatile("");
    return wanted == 2 ? two : one;
}

static __attribute__((used)) picked *choose_pick(void)
{
    picked *found = ask();
    __asm__ volatile("");
    return found;
}

long pick(long n) __attribute__((ifunc("choose_pick")));

// A function with the name of a C library function (IFUNC) that may resolve to code in the kernel's vdso.
static __attribute__((used, noinline)) long time(void)
{
    __asm__ volatile("");
    return 0;
}

static char here[64], there[64];
static void *(*volatile fill)(void *, int, size_t) = memset;
static char *(*volatile find)(const char *, int) = strchr;
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
static void *(*volatile shift)(void *, const void *, size_t) = memmove;
static picked *volatile own = pick;

int main(int argc, char **argv)
{
    long count = argc > 1 ? number(argv[1]) : -1;
    if (count < 0)
        return usage("ifuncs N");
    for (long i = 0; i < count + 1; ++i)
        fill(here, 'x', 41);
    for (long i = 0; i < count + 2; ++i)
        find("a text of 42", '2');
    for (long i = 0; i < count + 3; ++i)
        copy(there, here, 43);
    for (long i = 0; i < count + 4; ++i)
        shift(there, here, 44);
    for (long i = 0; i < count + 5; ++i)
        own(45);
    return 0;
}

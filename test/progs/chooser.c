// chooser N: calls N times a function that is selected at program start (IFUNC), and N times strlen(3), which is also
// selected then.
#include "progs.h"

#include <string.h>

static volatile long wanted; // always 0, which the compiler cannot know

static __attribute__((noinline)) long add_one(long n)
{
    __asm__ volatile("");
    return n + 1;
}

static __attribute__((noinline)) long add_two(long n)
{
    __asm__ volatile("");
    return n + 2;
}

typedef long adder(long);
static __attribute__((used)) adder *choose(void)
{
    return wanted == 2 ? add_two : add_one;
}

long add(long n) __attribute__((ifunc("choose")));

int main(int argc, char **argv)
{
    const char *volatile text = "a text of the chooser";
    long count = argc > 1 ? number(argv[1]) : -1, sum = 0;
    if (count < 0)
        return usage("chooser N");
    for (long i = 0; i < count; ++i)
        sum = add(sum) + (long)strlen(text) - 21;
    return sum != count;
}

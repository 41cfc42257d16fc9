// nested: calls recursive(99) ten times, and once outer(), which calls middle(), which calls inner(), which makes getppid(2).
#include "progs.h"

#define AFTER_THE_CALL(value) __asm__ volatile("" : "+r"(value)) // prevents a tail call

__attribute__((noinline)) long recursive(long depth)
{
    long result = depth > 0 ? recursive(depth - 1) + 1 : 0;
    AFTER_THE_CALL(result);
    return result;
}

__attribute__((noinline)) long inner(void)
{
    return getppid_here();
}

__attribute__((noinline)) long middle(void)
{
    long result = inner();
    AFTER_THE_CALL(result);
    return result;
}

__attribute__((noinline)) long outer(void)
{
    long result = middle();
    AFTER_THE_CALL(result);
    return result;
}

int main(void)
{
    for (int i = 0; i < 10; ++i)
        recursive(99);
    return outer() < 0;
}

// frames: main calls outer, outer calls middle, and middle calls inner, which itself makes the system call getppid(2). All keep frame pointers.
#include "progs.h"

__attribute__((noinline)) long inner(void)
{
    __asm__ volatile("" : : "r"(__builtin_frame_address(0))); // keeps the compiler from omitting the frame
    return getppid_here();
}

// The additions keep the compiler from making tail calls.
__attribute__((noinline)) long middle(void)
{
    return inner() + 1;
}
__attribute__((noinline)) long outer(void)
{
    return middle() + 1;
}

int main(void)
{
    return outer() == 0;
}

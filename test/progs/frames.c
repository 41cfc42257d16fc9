// frames: main calls outer, that calls middle, that calls inner, which makes the system call getppid(2) itself; all keep frame pointers.
#include "progs.h"

__attribute__((noinline)) long inner(void)
{
    __asm__ volatile("" : : "r"(__builtin_frame_address(0))); // or the compiler finds that it needs no frame
    return getppid_here();
}

// The additions keep the calls from becoming jumps.
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

// two_stacks COUNT: makes one getppid(2) call from each of COUNT different call stacks. Bit i of the call's first argument tells whether left() or right() is
// at depth i, so a test can compare each stack with its argument. Built with frame pointers; the system call is made in place, so that no library function
// hides a frame.
#include "progs.h"

enum { DEPTH = 18 };

static void down(unsigned long path, int depth);

static void call(unsigned long path)
{
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "0"(SYS_getppid), "D"(path) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
    register long number __asm__("x8") = SYS_getppid;
    register unsigned long argument __asm__("x0") = path;
    __asm__ volatile("svc 0" : "+r"(argument) : "r"(number) : "memory");
#endif
}

__attribute__((noinline)) static void left(unsigned long path, int depth)
{
    down(path, depth);
    __asm__ volatile("");
}

__attribute__((noinline)) static void right(unsigned long path, int depth)
{
    down(path, depth);
    __asm__ volatile("nop"); // makes right() differ from left(): the compiler would merge equal functions
}

__attribute__((noinline)) static void down(unsigned long path, int depth)
{
    if (depth == DEPTH)
        call(path);
    else if (path >> depth & 1)
        right(path, depth + 1);
    else
        left(path, depth + 1);
    __asm__ volatile("");
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return usage("two_stacks COUNT");
    unsigned long count = (unsigned long)number(argv[1]);
    for (unsigned long path = 0; path < count && path < 1ul << DEPTH; path++)
        down(path, 0);
    return 0;
}

// hot [offset]: calls hot_function() in many short runs and prints the shortest time of a call in nanoseconds. With "offset", prints the file offset of its
// first instruction after endbr64 or bti.
#include "progs.h"

#include <time.h>

void hot_function(void);
__asm__(".text\n"
        ".balign 32\n"
        ".globl hot_function\n"
        ".type hot_function, @function\n"
        "hot_function:\n"
#if defined(__x86_64__)
        "  endbr64\n"
        "  push %rbp\n"
        "  pop %rbp\n"
#elif defined(__aarch64__)
        "  hint 34\n" // bti c
        "  stp x29, x30, [sp, #-16]!\n"
        "  ldp x29, x30, [sp], #16\n"
#endif
        "  ret\n"
        ".size hot_function, . - hot_function\n");
extern const char __ehdr_start[];

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        printf("%ld\n", (long)((const char *)hot_function - __ehdr_start) + 4);
        return strcmp(argv[1], "offset") != 0;
    }
    const int runs = 200, calls = 500;
    double least = 1e18;
    for (int run = 0; run < runs; ++run) {
        const double start = now_ns();
        for (int i = 0; i < calls; ++i)
            hot_function();
        const double each = (now_ns() - start) / calls;
        least = each < least ? each : least;
    }
    printf("%.2f\n", least);
    return 0;
}

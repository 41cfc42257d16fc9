// calls N [fork]: calls each of its functions N times. The arguments of add8() are 1 to N, 20, 30 … 80. With "fork", a
// child process first calls add8() 100 times.
#include "progs.h"

#include <sys/wait.h>

long add8(long a, long b, long c, long d, long e, long f, long g, long h)
{
    return a + b + c + d + e + f + g + h;
}

// A function whose symbol is local.
static long hidden(long n)
{
    return n * 3;
}

// One function with several names: global, weak and local.
long double_it(long n)
{
    return n * 2;
}
long twice(long) __attribute__((alias("double_it")));
long two(long) __attribute__((weak, alias("double_it")));
static long by2(long) __attribute__((used, alias("double_it")));

// Calls go through these pointers, so that the compiler can neither inline nor change them.
static long (*volatile call_add8)(long, long, long, long, long, long, long, long) = add8;
static long (*volatile call_hidden)(long) = hidden;
static long (*volatile call_double_it)(long) = double_it;

int main(int argc, char **argv)
{
    if (argc < 2)
        return usage("calls N [fork]");
    const long count = number(argv[1]);
    if (argc > 2) {
        const pid_t child = fork();
        for (int i = 0; child == 0 && i < 100; ++i)
            call_add8(i, 1, 1, 1, 1, 1, 1, 1);
        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
    }
    long sum = 0;
    for (long i = 1; i <= count; ++i)
        sum += call_add8(i, 20, 30, 40, 50, 60, 70, 80) + call_hidden(i) + call_double_it(i) + getppid();
    return sum == 0;
}

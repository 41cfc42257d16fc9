// Ten nested functions without frame pointers; each has a frame of another size. `deep call` makes one getppid(2) in
// the innermost function. `deep burn MS` uses the CPU for MS milliseconds. `deep signal` makes the call in a signal
// handler; `deep recurse N` makes it in a recursion of depth N. A third argument is the number of calls, which are 10
// ms apart.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile int sink;
static const char *what;
static long number, times = 1;

#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

static void KEEP make_call(void)
{
    for (long left = times; left > 0; left--) {
        syscall(SYS_getppid);
        if (left > 1)
            usleep(10000);
    }
    sink++;
}

static void KEEP handle(int signal)
{
    sink += signal;
    make_call();
    sink++;
}

static void KEEP burn(long ms)
{
    struct timespec start, now;

    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        for (int i = 0; i < 1000000; i++)
            sink++;
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < ms);
}

static long KEEP f10(long a)
{
    if (!strcmp(what, "burn")) {
        burn(number);
    } else if (!strcmp(what, "signal")) {
        signal(SIGUSR1, handle);
        raise(SIGUSR1);
    } else {
        make_call();
    }
    return a + sink;
}

// Defines a function that uses callee-saved registers and stack space. Each function uses different registers and a
// different frame size.
#define LEVEL(name, next, room)                                                                                                                                \
    static long KEEP name(long a)                                                                                                                              \
    {                                                                                                                                                          \
        volatile char bytes[room];                                                                                                                             \
        bytes[a & 7] = (char)a;                                                                                                                                \
        long b = next(a + bytes[0]) * a;                                                                                                                       \
        long c = b + bytes[(b & 7) % room];                                                                                                                    \
        return b ^ c;                                                                                                                                          \
    }
LEVEL(f9, f10, 8)
LEVEL(f8, f9, 24)
LEVEL(f7, f8, 4000)
LEVEL(f6, f7, 8)

static long KEEP f5(long a) // the size of the frame is only known at run time, so a frame pointer is needed
{
    volatile char *bytes = __builtin_alloca((size_t)(a & 63) + 16);

    bytes[a & 7] = 1;
    return f6(a) + bytes[0];
}

LEVEL(f4, f5, 136)
LEVEL(f3, f4, 8)
LEVEL(f2, f3, 64)
LEVEL(f1, f2, 16)

static long KEEP recurse(long n)
{
    volatile char bytes[24];

    bytes[n & 7] = 1;
    if (n <= 1)
        make_call();
    else
        sink += (int)recurse(n - 1);
    return bytes[0] + sink;
}

// If this file is built as a library, its entry function; it uses the CPU for some time.
long called(void)
{
    what = "burn";
    number = 1500;
    return f1(1);
}

int main(int argc, char **argv)
{
    what = argc > 1 ? argv[1] : "call";
    number = argc > 2 ? atol(argv[2]) : 0;
    times = argc > 3 ? atol(argv[3]) : 1;
    if (!strcmp(what, "recurse"))
        return recurse(number) == 77777;
    return f1(argc) == 77777;
}

// floats: calls functions with floating-point parameters in registers and on the stack, and one whose parameter is a structure of such numbers.
#include "progs.h"

#include <complex.h>

struct floats {
    float small;
    double large;
    long double longest;
    float row[3];
    double complex pair;
    double nothing;
};

__attribute__((noinline)) void shown(const struct floats *numbers)
{
    asm volatile("" : "+r"(numbers) : : "memory");
}

// Constraints that place a floating-point number or a long double in a register in inline assembly.
#if defined(__x86_64__)
#define FLOATING "+x"
#define LONGEST "+t"
#elif defined(__aarch64__)
#define FLOATING "+w"
#define LONGEST "+w"
#endif

__attribute__((noinline)) void nine(double a, double b, double c, double d, double e, double f, double g, double h, double ninth, float tenth)
{
    asm volatile(""
                 : FLOATING(a), FLOATING(b), FLOATING(c), FLOATING(d), FLOATING(e), FLOATING(f), FLOATING(g), FLOATING(h), FLOATING(ninth), FLOATING(tenth)
                 :
                 : "memory");
}

__attribute__((noinline)) void longest(int before, long double value, long after)
{
    asm volatile("" : "+r"(before), LONGEST(value), "+r"(after) : : "memory");
}

int main(void)
{
    const struct floats numbers = {0.1f, -2.5e-300, 9223372036854775809.0L, {1, 0, 16777216}, 3 + 4 * I, 0};
    shown(&numbers);
    nine(1, 2, 3, 4, 5, 6, 7, 8, 9.25, -0.5f);
    longest(1, 123.75L, 3);
    return 0;
}

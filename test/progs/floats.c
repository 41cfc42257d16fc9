// floats: calls functions with floating-point parameters, in registers and on the stack, and one that gets a structure of such numbers.
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

__attribute__((noinline)) void nine(double a, double b, double c, double d, double e, double f, double g, double h, double ninth, float tenth)
{
    asm volatile("" : "+x"(a), "+x"(b), "+x"(c), "+x"(d), "+x"(e), "+x"(f), "+x"(g), "+x"(h), "+x"(ninth), "+x"(tenth) : : "memory");
}

__attribute__((noinline)) void longest(int before, long double value, long after)
{
    asm volatile("" : "+r"(before), "+t"(value), "+r"(after) : : "memory");
}

int main(void)
{
    const struct floats numbers = {0.1f, -2.5e-300, 9223372036854775809.0L, {1, 0, 16777216}, 3 + 4 * I, 0};
    shown(&numbers);
    nine(1, 2, 3, 4, 5, 6, 7, 8, 9.25, -0.5f);
    longest(1, 123.75L, 3);
    return 0;
}

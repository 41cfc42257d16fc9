// clones N: calls functions whose names have the suffixes that compilers give to variants of functions. Calls each N
// times: scaled, scaled.constprop.0, shifted.isra.0 (there is no shifted), and split, which calls split.part.0. Never
// calls split.cold.
#include "progs.h"

__attribute__((noipa)) long scaled(long n, long by)
{
    return n * by;
}

__attribute__((noipa)) long scaled_by_three(long n) __asm__("scaled.constprop.0");
long scaled_by_three(long n)
{
    return n * 3;
}

__attribute__((noipa)) long shifted(long n) __asm__("shifted.isra.0");
long shifted(long n)
{
    return n << 1;
}

__attribute__((noipa)) long split_part(long n) __asm__("split.part.0");
long split_part(long n)
{
    return n + 5;
}

__attribute__((noipa)) long split_cold(long n) __asm__("split.cold");
long split_cold(long n)
{
    return n - 5;
}

__attribute__((noipa)) long split(long n)
{
    return n > 1000 ? split_cold(n) : split_part(n) + 1;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return usage("clones N");
    const long count = number(argv[1]);
    for (long i = 0; i < count; ++i) {
        scaled(i, count);
        scaled_by_three(i);
        shifted(i);
        split(i);
    }
    return 0;
}

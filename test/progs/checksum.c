// checksum N: prints a number that small functions compute in N rounds. A probe that corrupts the program's state
// changes the number. Most functions call no others. Some contain instructions that kernels do not probe (arm64:
// exclusive and literal loads). None is inlined, and all names begin with mix_.
#include "progs.h"

#include <stdint.h>

#define MIX __attribute__((noinline)) uint64_t

MIX mix_bits(uint64_t value, uint64_t other)
{
    value ^= other + 0x9e3779b97f4a7c15u + (value << 6) + (value >> 2);
    return value << 13 | value >> 51;
}

MIX mix_branches(uint64_t value, uint64_t other)
{
    if (value & 1)
        return other & 2 ? value - other : value + other;
    if (!other)
        return value + 1;
    return (value & 64) != 0 ? ~value : value * 3;
}

MIX mix_table(uint64_t value, uint64_t other)
{
    switch (other % 8) {
    case 0:
        return value + 17;
    case 1:
        return value * 5;
    case 2:
        return value ^ 0xff00ff;
    case 3:
        return value - 3;
    case 4:
        return value >> 1;
    case 5:
        return value / 7;
    case 6:
        return value % 1000003;
    }
    return ~value;
}

MIX mix_memory(uint64_t value, uint64_t other)
{
    volatile uint32_t words[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < 8; ++i)
        words[(i + other) % 8] += (uint32_t)(value >> i);
    return (uint64_t)words[1] << 32 | words[6];
}

MIX mix_atomics(uint64_t value, uint64_t other)
{
    static uint64_t shared;
    __atomic_fetch_add(&shared, value, __ATOMIC_SEQ_CST);
    uint64_t known = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    while (!__atomic_compare_exchange_n(&shared, &known, known ^ other, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
    }
    return __atomic_exchange_n(&shared, value + 1, __ATOMIC_ACQ_REL) + known;
}

MIX mix_floats(uint64_t value, uint64_t other)
{
    const double sum = (double)(value % 1000) * 1.0625 + (double)(other % 77) / 3.0;
    return (uint64_t)(sum * 4096.0) + value;
}

MIX mix_calls(uint64_t value, uint64_t other)
{
    if (other == 0)
        return value;
    uint64_t below = mix_calls(mix_bits(value, other), other / 4);
    __asm__ volatile("" : "+r"(below)); // keeps the compiler from turning the recursion into a loop
    return below + other;
}

static uint64_t (*const volatile kMixes[])(uint64_t, uint64_t) = {mix_bits,    mix_branches, mix_table, mix_memory,
                                                      mix_atomics, mix_floats,   mix_calls};

int main(int argc, char **argv)
{
    if (argc != 2)
        return usage("checksum N");
    uint64_t sum = 1;
    for (long i = number(argv[1]); i > 0; --i)
        for (unsigned which = 0; which < sizeof kMixes / sizeof *kMixes; ++which)
            sum = mix_bits(sum, kMixes[which](sum, (uint64_t)i));
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}

// passes N: calls add_all(), which ends N times by an exception and returns N times. Then calls hands_on() N times,
// which jumps to last() (a tail call).
#include <cstdio>
#include <cstdlib>

__attribute__((noinline)) void fail(int i)
{
    asm volatile("");
    if (i % 2)
        throw i;
}

__attribute__((noinline)) int add_all(int i)
{
    fail(i);
    asm volatile("");
    return i + 1;
}

__attribute__((noinline)) int last(int i)
{
    asm volatile("");
    return i + 2;
}

__attribute__((noinline)) int hands_on(int i)
{
    asm volatile("");
    return last(i * 2);
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? std::atoi(argv[1]) : 1;
    int caught = 0;
    long sum = 0;
    for (int i = 0; i < 2 * count; ++i)
        try {
            sum += add_all(i);
        } catch (int) {
            ++caught;
        }
    for (int i = 0; i < count; ++i)
        sum += hands_on(i);
    std::printf("%d caught\n", caught);
    return sum == 0;
}

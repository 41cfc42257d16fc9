// typed COUNT: calls functions with parameters of many types COUNT times (default 1). Built with debug information,
// with and without optimization.
#include "progs.h"

#include <stdint.h>

enum colour { RED, GREEN = 7, BLUE };

struct point {
    int x, y;
};

union number {
    long whole;
    unsigned char bytes[8];
};

struct shape {
    const char *name;
    struct point corners[3];
    enum colour colour;
    unsigned low : 3, high : 5;
    int64_t wide : 40;
    union number value;
    struct shape *next;
    short grid[2][3];
};

typedef struct shape shape_t;

shape_t second = {"second", {{7, 8}, {9, 10}, {11, 12}}, BLUE, 1, 2, 3, {.whole = 4}, NULL, {{1, 2, 3}, {4, 5, 6}}};
shape_t first = {"first", {{1, 2}, {3, 4}, {5, 6}}, GREEN, 5, 17, -3, {.whole = 0x0102}, &second, {{-1, -2, -3}, {-4, -5, -6}}};
static struct point origin = {-5, 5};
struct opaque;

__attribute__((noinline)) int numbers(char letter, short little, unsigned char byte, int64_t big, uint32_t word, enum colour colour, int seventh, long eighth)
{
    asm volatile("" ::: "memory");
    return letter + little + byte + (int)big + (int)word + (int)colour + seventh + (int)eighth;
}

__attribute__((noinline)) shape_t *pick(shape_t *shape, struct opaque *hidden, const char *why)
{
    asm volatile("" : "+r"(shape), "+r"(hidden), "+r"(why) : : "memory");
    return shape->next;
}

__attribute__((noinline)) double scaled(int before, double factor, struct point where, shape_t by_value, long after)
{
    asm volatile("" ::: "memory");
    return before * factor + where.x + by_value.colour + (double)after;
}

__attribute__((noinline)) struct shape copied(shape_t *from, int times)
{
    asm volatile("" : "+r"(times) : : "memory");
    return from[times];
}

__attribute__((noinline)) void quiet(void)
{
    asm volatile("" ::: "memory");
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? number(argv[1]) : 1;
    int sum = 0;
    for (long done = 0; done < count; done++) {
        sum += numbers('a', -2, 200, -3000000000, 4000000000u, BLUE, -7, 1L << 40);
        sum += pick(&first, (struct opaque *)argv, "because") == &second;
        sum += (int)scaled(3, 2.5, origin, first, 44);
        sum += copied(&first, 0).colour;
        quiet();
    }
    return sum == 12345;
}

// locals [ROUNDS]: has variables in blocks, in inlined functions, in memory and in registers. It prints their values at
// marked lines, so that a test can compare them with the values that a tracer reads there.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct header {
    uint8_t kind;
    uint32_t len;
    const char* name;
};

struct request {
    int id;
    unsigned flags : 3, rest : 5;
    double weight;
    struct header header[4];
    struct request* next;
};

struct pair {
    long first, second;
};

enum color { Red, Green = 5, Blue };

static volatile int total;
static long limit = 77;
long shared = -9;
static __thread int of_thread = 21;

static inline __attribute__((always_inline)) int scale(int number, int factor)
{
    const int product = number * factor;
    total += product; // scale
    return product + 1;
}

__attribute__((noipa)) static int touch(const void* memory)
{
    return memory != 0;
}

__attribute__((noipa)) static long sum_of(struct pair both, long more)
{
    long sum = both.first + both.second;
    sum += more;
    touch(&more); // sum
    return sum + both.second;
}

__attribute__((noipa)) static long handle(struct request* req, int times, enum color color)
{
    static int calls = 100;
    unsigned char small = (unsigned char)(req->id * 3);
    short negative = (short)-req->id;
    char text[16];
    long long wide = (long long)req->id << 33;
    const int never = 4711;
    calls++;
    snprintf(text, sizeof text, "req-%d", req->id);
    for (int i = 0; i < times; i++) {
        const int twice = 2 * i;
        int number = scale(twice + req->id, 3);
        number += scale(i, 5);
        wide += number;
        touch(text); // loop
        if (i == 1) {
            const long number = wide ^ 0x55;
            total += (int)number; // shadow
        }
    }
    of_thread += times;
    shared += limit;
    printf("handle id=%d small=%u negative=%d wide=%lld calls=%d text=%s color=%d never=%d thread=%d shared=%ld "
           "limit=%ld len=%u\n",
           req->id, small, negative, wide, calls, text, color, never, of_thread, shared, limit, req->header[3].len);
    total += (int)wide; // end
    return wide;
}

__attribute__((noipa)) static double average(const int* numbers, int count)
{
    double all = 0;
    int longest = 0;
    for (int i = 0; i < count; i++) {
        all += numbers[i];
        if (numbers[i] > longest)
            longest = numbers[i]; // longer
    }
    total += longest; // averaged
    return all / count;
}

static int depth_of(const struct request* list)
{
    int depth = 0;
    for (const struct request* each = list; each; each = each->next)
        depth++; // depth
    return depth;
}

/// Gives the same contents to variables without a value yet in every run.
__attribute__((noipa)) static void fill_stack(void)
{
    void* memory = __builtin_alloca(1 << 16);
    memset(memory, 0x5a, 1 << 16);
    touch(memory);
}

__attribute__((noipa)) static void run(int rounds)
{
    int numbers[6] = {3, 1, 4, 1, 5, 9};
    struct request second = {2, 5, 30, 2.5, {{1, 10, "a"}, {2, 20, "b"}, {3, 30, "c"}, {4, 40, "d"}}, 0};
    struct request first = {1, 2, 17, 0.5, {{5, 50, "e"}, {6, 60, "f"}, {7, 70, "g"}, {8, 80, "h"}}, &second};
    long result = 0;
    for (int round = 0; round < rounds; round++) {
        result += handle(round % 2 ? &second : &first, 3, round % 2 ? Blue : Green);
        const struct pair both = {result, round + 4};
        result += sum_of(both, round);
        numbers[round % 6] += round;
        result += (long)average(numbers, 6);
    }
    printf("result=%ld depth=%d total=%d\n", result, depth_of(&first), total); // main
}

int main(int argc, char** argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    fill_stack();
    run(rounds);
    return 0;
}

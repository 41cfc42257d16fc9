// unwinds exceptions|ends|none N: ends function calls N times without a return, by exceptions or by the end of a
// thread.
//
// exceptions: N times an exception passes through passes(), without clean-up, and holds(), whose clean-up throws and catches another exception, to
// hands_on(), which rethrows it to main(). Each of these also returns N times. ends: N threads end by pthread_exit() in sleeps(), called by spends(); these
// functions also return N times.
#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

// Keeps the compiler from creating a variant of the function with another name.
#ifdef __clang__
#define KEPT __attribute__((noinline, optnone, used))
#else
#define KEPT __attribute__((noipa, used))
#endif

extern "C" {

KEPT void fails(int value)
{
    if (value != 0)
        throw value;
}

KEPT int passes(int value)
{
    fails(value);
    return value + 1;
}

KEPT void cleans()
{
    try {
        fails(7);
    } catch (int) {
    }
}
}

struct Holder {
    ~Holder() { cleans(); }
};

extern "C" {

KEPT int holds(int value)
{
    Holder holder;
    return passes(value) + 1;
}

KEPT int hands_on(int value)
{
    try {
        return holds(value) + 1;
    } catch (int) {
        throw;
    }
}

KEPT int sleeps(int value)
{
    if (value != 0)
        pthread_exit(nullptr);
    return value + 1;
}

KEPT void *spends(void *value)
{
    sleeps(value != nullptr);
    asm volatile("");
    return nullptr;
}
}

static int exceptions(int count)
{
    int caught = 0;
    for (int i = 0; i < 2 * count; ++i)
        try {
            hands_on(i % 2);
        } catch (int) {
            ++caught;
        }
    return caught;
}

int main(int argc, char **argv)
{
    const int count = argc > 2 ? std::atoi(argv[2]) : 1;
    if (std::strcmp(argv[1], "exceptions") == 0)
        std::printf("%d caught\n", exceptions(count));
    for (int i = 0; i < 2 * count && std::strcmp(argv[1], "ends") == 0; ++i) {
        pthread_t thread;
        pthread_create(&thread, nullptr, spends, i % 2 ? argv : nullptr);
        pthread_join(thread, nullptr);
    }
    return holds(0) == 0;
}

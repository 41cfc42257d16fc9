// A C++ program without frame pointers. An exception passes through two functions with destructors, and its handler
// makes a getppid(2) call. The compiler places the handler's code far from the rest of its function. `deep_cxx N` does
// this N times, every 10 ms.
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <sys/syscall.h>
#include <unistd.h>

static volatile int sink;
static long times = 1;

#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

struct Noted {
    std::string text;
    explicit Noted(int n) : text(static_cast<std::size_t>(n) + 20, 'x') {}
    ~Noted() { sink = sink + static_cast<int>(text.size()); }
};

extern "C" {

KEEP void make_call()
{
    for (long left = times; left > 0; left--) {
        syscall(SYS_getppid);
        if (left > 1)
            usleep(10000);
    }
    sink = sink + 1;
}

KEEP void thrower(int n)
{
    const Noted noted(n);
    if (sink == 0)
        throw std::runtime_error(noted.text);
}

KEEP void passer(int n)
{
    const Noted noted(n);
    thrower(n + 1);
}

KEEP void handler(int n)
{
    const Noted noted(n);
    try {
        passer(n + 1);
    } catch (const std::exception &error) {
        const Noted another(static_cast<int>(noted.text.size()));
        make_call();
        sink = sink + error.what()[0];
    }
}

KEEP void outer(int n)
{
    const Noted noted(n);
    handler(n + 1);
}
}

int main(int argc, char **argv)
{
    if (argc > 1)
        times = std::atol(argv[1]);
    outer(argc);
    return sink == 0;
}

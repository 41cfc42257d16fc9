// Runs random programs on random data with all executors of the virtual machine (interpreters and JIT compiler). All
// must give the same result.
//
//   executors PROGRAMS [SEED]
//
// Equal seeds give equal programs. If results differ, prints the program and aborts. The last line has the number of
// programs that all executors ran, and of those that only the checked interpreter accepts.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "test/fuzz/vm_programs.hpp"

int main(int argc, char** argv)
{
    using namespace dt::vm;
    const unsigned long count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0;
    const unsigned long seed = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
    if (count == 0) {
        std::fprintf(stderr, "usage: %s PROGRAMS [SEED]\n", argv[0]);
        return 2;
    }
    std::mt19937_64 random(seed);
    unsigned long by_all = 0;
    for (unsigned long i = 0; i < count; ++i) {
        std::vector<uint8_t> bytes(10 + random() % 100);
        for (uint8_t& byte : bytes)
            byte = static_cast<uint8_t>(random());
        // Static, so that the program's context is not near the stack: pointers of a program may reach memory near the
        // stack.
        alignas(8) static uint8_t context[programs::kContextSize];
        for (uint8_t& byte : context)
            // the mask gives the context many small numbers
            byte = static_cast<uint8_t>(random() & (random() & 1 ? 0xff : 0x03));
        VirtualMachine vm(programs::program(bytes.data(), bytes.size()));
        by_all += programs::executors_agree(vm, context);
    }
    std::printf("%lu programs agree; %lu only checked\n", by_all, count - by_all);
    return 0;
}

// Random programs on random contexts: the executors of the virtual machine must agree on each.
//
//   executors PROGRAMS [SEED]
//
// The same programs for the same seed. A disagreement aborts after telling; the last line says how many programs were
// run by all executors, and how many only the checked interpreter takes.
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
        alignas(8) static uint8_t context[programs::kContextSize]; // far from whatever a pointer beside it may meet
        for (uint8_t& byte : context)
            byte = static_cast<uint8_t>(random() & (random() & 1 ? 0xff : 0x03)); // small numbers too
        VirtualMachine vm(programs::program(bytes.data(), bytes.size()));
        by_all += programs::executors_agree(vm, context);
    }
    std::printf("%lu programs agree; %lu only checked\n", by_all, count - by_all);
    return 0;
}

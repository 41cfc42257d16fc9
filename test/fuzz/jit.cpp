// Fuzz target: runs bytes as a BPF program (vm_programs.hpp) with each executor of the virtual machine (interpreters
// and JIT compiler). No executor may crash. All executors that accept the program must agree on the result, the changed
// data and the number of executed instructions.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "test/fuzz/vm_programs.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace dt::vm;
    alignas(8) static const uint8_t context[programs::kContextSize] = {1,  2,  3,  4,  5,  6,  7,    8,    9,    10,
                                                                       11, 12, 13, 14, 15, 16, 0xff, 0xff, 0xff, 0xff};
    if (size < 9)
        return 0;
    VirtualMachine vm(programs::program(data, std::min(size, programs::kMaxInput)));
    (void)programs::executors_agree(vm, context);
    return 0;
}

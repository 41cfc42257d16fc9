// Report of the passes' effects for -x passes. The compiler fills it; its caller prints it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace dt {

struct PassResult {
    const char* name;
    std::chrono::nanoseconds time{};
    std::size_t before = 0, after = 0; ///< number of instructions in the module
    std::vector<std::string> changed;  ///< new text of functions that the pass changed
};

struct PassReport {
    bool with_code = false;          ///< record the code between passes
    int level = 0;                   ///< optimisation level of the run
    std::vector<std::string> before; ///< text of functions before the first pass
    std::vector<PassResult> passes;
    std::chrono::nanoseconds emitting{}; ///< time of instruction selection, register allocation, layout and object
    std::size_t emitted = 0;             ///< number of BPF instructions, without the runtime's
};

} // namespace dt

// What the passes did, for -x passes: the compiler collects it, who started the compiler prints it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace dt {

struct PassResult {
    const char* name;
    std::chrono::nanoseconds time{};
    std::size_t before = 0, after = 0; ///< instructions of the module
    std::vector<std::string> changed;  ///< functions that are not as they were, as they are now
};

struct PassReport {
    bool with_code = false;          ///< keep the code between passes
    int level = 0;                   ///< at which the passes ran
    std::vector<std::string> before; ///< functions as they were before the first pass
    std::vector<PassResult> passes;
    std::chrono::nanoseconds emitting{}; ///< selection, registers, layout and the object
    std::size_t emitted = 0;             ///< instructions of BPF, without those of the runtime
};

} // namespace dt

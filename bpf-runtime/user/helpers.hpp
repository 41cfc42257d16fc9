// The kernel's helper functions, as far as compiled D and the runtime call them: one table entry each.
#pragma once

#include <array>
#include <cstdint>

namespace dt::user {

class Interpreter;
using Arguments = std::array<uint64_t, 5>;

struct HelperEntry {
    int32_t id; ///< enum bpf_func_id
    const char* name;
    uint8_t arguments; ///< how many of R1-R5 must hold a value
    uint64_t (*run)(Interpreter&, const Arguments&);
};

/// Null for a helper the engine does not have.
const HelperEntry* find_helper(int32_t id);

} // namespace dt::user

// The kernel's helper functions, as far as compiled D and the runtime call them: one table entry each.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace dt::vm {

struct Environment;
class Interpreter;
using Arguments = std::array<uint64_t, 5>;

struct HelperEntry {
    int32_t id; ///< enum bpf_func_id
    const char* name;
    uint8_t arguments; ///< how many of R1-R5 must hold a value
    uint64_t (*run)(Interpreter&, const Arguments&);
    bool returns_value = false; ///< of the map that is its first argument, or null
    int8_t buffer = -1;         ///< the argument that points to what it fills, and the one that says how many bytes;
    int8_t buffer_size = -1;    ///< it writes to no other memory of the program
};

/// A helper that only reads the environment: where, and how many bytes (4 or 8).
struct Reading {
    const void* from = nullptr;
    uint32_t width = 0;
    bool swapped = false; ///< the two halves are the other way round
};
std::optional<Reading> reading(int32_t id, const Environment& environment);

/// Null for a helper the virtual machine does not have.
const HelperEntry* find_helper(int32_t id);

} // namespace dt::vm

// The kernel's helper functions that compiled D and the runtime call, one table entry each.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace dt::vm {

struct Environment;
class Interpreter;
using Arguments = std::array<uint64_t, 5>;

struct HelperEntry {
    int32_t id; ///< number by which programs call the helper (enum bpf_func_id)
    const char* name;
    uint8_t arguments; ///< number of arguments (R1-R5) that must hold a value
    uint64_t (*run)(Interpreter&, const Arguments&);
    /// whether the result is null or points to a value of the map that is the first argument
    bool returns_value = false;
    int8_t buffer = -1; ///< index of the argument that points to the output buffer; -1: none
    /// Index of the argument with the buffer's size. The helper writes nothing but this buffer to the program's memory.
    int8_t buffer_size = -1;
};

/// Result of a helper that only reads a value from the environment: address of the value, and its width in bytes (4 or
/// 8).
struct Reading {
    const void* from = nullptr;
    uint32_t width = 0;
    bool swapped = false; ///< whether the helper returns the value with its 32-bit halves exchanged
};
std::optional<Reading> reading(int32_t id, const Environment& environment);

/// Returns the helper, or null if the virtual machine lacks it.
const HelperEntry* find_helper(int32_t id);

} // namespace dt::vm

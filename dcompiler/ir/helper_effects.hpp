// Table of the effects of kernel helpers on memory, used by passes and the checker.
#pragma once

#include <array>
#include <cstdint>

#include "dcompiler/ir/bpf.hpp"

namespace dt::ir {

struct Instr;

/// Memory that a helper accesses through an argument: which argument, and how many bytes.
struct HelperAccess {
    enum class Size : uint8_t {
        None,     ///< no access
        Key,      ///< a key of the map in argument 0
        Value,    ///< a value of that map
        Argument, ///< size given by argument `length`
    };
    Size size = Size::None;
    uint8_t pointer = 0;
    uint8_t length = 0;
};

/// Effect of a call on the elements of the map in argument 0.
enum class MapUse : uint8_t { None, Reads, Changes };

struct HelperEffects {
    bpf::Helper helper;
    bool steady = false; ///< the result depends only on the operands and the current thread and CPU, so it is constant
                         ///< during a firing
    bool removable = false; ///< the call has no effect besides its result and can be removed if that is unused
    bool replaced = false;  ///< the kernel replaces the call by instructions (for a map only for some types)
    MapUse map = MapUse::None;
    std::array<HelperAccess, 2> reads{};
    HelperAccess writes{};
    bool writes_all = false; ///< always writes every byte
    bool known = true;       ///< the helper is in the table
};

/// Returns the row of a helper. A helper that is not in the table gets a row that allows all effects.
const HelperEffects& effects(int64_t helper);
/// Returns the row of a helper call, or null for other instructions.
const HelperEffects* effects(const Instr& instr);

} // namespace dt::ir

// What each kernel helper does to memory and to the world: the one table that passes and the checker ask.
#pragma once

#include <array>
#include <cstdint>

#include "dcompiler/ir/bpf.hpp"

namespace dt::ir {

struct Instr;

/// Memory behind a pointer that a helper is given: which argument, and how many bytes.
struct HelperAccess {
    enum class Size : uint8_t {
        None,     ///< no such access
        Key,      ///< a key of the map that is argument 0
        Value,    ///< a value of that map
        Argument, ///< as many as argument `length` says
    };
    Size size = Size::None;
    uint8_t pointer = 0;
    uint8_t length = 0;
};

/// What a call does to the elements of the map that is its argument 0.
enum class MapUse : uint8_t { None, Reads, Changes };

struct HelperEffects {
    bpf::Helper helper;
    bool steady =
        false; ///< the result depends on the operands and on who runs where: it is the same all through one firing
    bool removable = false; ///< nothing but the result: a call whose result nobody reads may go
    bool replaced = false;  ///< the kernel puts instructions in its place (for a map only for some types)
    MapUse map = MapUse::None;
    std::array<HelperAccess, 2> reads{};
    HelperAccess writes{};
    bool writes_all = false; ///< every byte of it, whatever the outcome
    bool known = true;       ///< is in the table
};

/// The row of a helper; of one that is not in the table a row that promises nothing.
const HelperEffects& effects(int64_t helper);
/// The same for a call of a helper; any other instruction has none.
const HelperEffects* effects(const Instr& instr);

} // namespace dt::ir

// What an expression evaluates to while it is lowered: a number in a register, or an address of text or bytes and what
// is known of it.
#pragma once

#include <cstdint>
#include <string>

#include "dcompiler/ir/ir.hpp"

namespace dt::lower {

struct Operand {
    enum class Kind : uint8_t {
        Number, ///< value: 64 bits, already extended according to its type
        Text,   ///< value: address of a string that ends at a NUL or after `size` bytes
        Bytes,  ///< value: address of `size` bytes
    } kind = Kind::Number;
    ir::Value value = ir::kNone;
    ir::Mem mem =
        ir::Mem::None; ///< Text, Bytes: MapValue and Stack may be loaded from; Kernel and User need a probe read
    uint32_t size = 0;
    bool may_be_null = false; ///< Text: the address may be 0 (a NULL string)
    bool constant = false;    ///< Text: a literal whose characters are `text`
    std::string text;
    bool readable = false; ///< Text: in memory of our own, so that no read of it fails; true of all that is loadable
    bool open = false;     ///< Text: need not end in a NUL within `size`, a character array

    bool loadable() const { return mem == ir::Mem::MapValue || mem == ir::Mem::Stack; }
};

inline Operand number(ir::Value value)
{
    return {Operand::Kind::Number, value, ir::Mem::None, 8, false, false, {}};
}

} // namespace dt::lower

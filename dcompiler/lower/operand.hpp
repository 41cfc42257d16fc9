// Value of an expression during lowering: a number in a register, or the address and properties of text or bytes.
#pragma once

#include <cstdint>
#include <string>

#include "dcompiler/ir/ir.hpp"

namespace dt::lower {

struct Operand {
    enum class Kind : uint8_t {
        Number, ///< 64 bits, extended according to the type
        Text,   ///< address of a string that ends at a NUL or after `size` bytes
        Bytes,  ///< address of `size` bytes
    } kind = Kind::Number;
    ir::Value value = ir::kNone;
    ir::Mem mem = ir::Mem::None; ///< Text, Bytes: MapValue and Stack may be loaded; Kernel and User need a probe read
    uint32_t size = 0;
    bool may_be_null = false; ///< Text: the address may be 0 (a NULL string)
    bool constant = false;    ///< Text: a literal with the characters `text`
    std::string text;
    bool readable = false; ///< Text: in our own memory, so reads cannot fail; true for all loadable text
    bool open = false;     ///< Text: a character array that need not contain a NUL within `size`

    bool loadable() const { return mem == ir::Mem::MapValue || mem == ir::Mem::Stack; }
};

inline Operand number(ir::Value value)
{
    return {Operand::Kind::Number, value, ir::Mem::None, 8, false, false, {}};
}

} // namespace dt::lower

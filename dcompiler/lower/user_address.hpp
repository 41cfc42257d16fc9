// Addresses as programs have them: where the machine lets them use the highest bits for what they like (pointers that
// are tagged), the kernel's helpers do not always take those away.
#pragma once

#include "machine/machine.hpp"
#include "dcompiler/lower/clause.hpp"

namespace dt::lower {

/// An address to read from or write to by a helper, in memory of that kind. Addresses of the kernel stay what they are:
/// all of their highest bits are the same.
inline ir::Value for_helper(ClauseState& l, ir::Mem mem, ir::Value address)
{
    const uint32_t tag = l.module().world.machine().tag_bits;
    if (tag == 0 || mem != ir::Mem::User)
        return address;
    auto& b = l.b();
    const ir::Value bits = b.constant(tag);
    return b.binary(ir::Op::AShr, b.binary(ir::Op::Shl, address, bits), bits);
}

} // namespace dt::lower

// Removes tags from user addresses. Some machines let programs use the highest bits of pointers freely, and the
// kernel's helpers do not always remove them.
#pragma once

#include "machine/machine.hpp"
#include "dcompiler/lower/clause.hpp"

namespace dt::lower {

/// Returns an address for a helper that reads or writes that kind of memory. Kernel addresses are unchanged: all of
/// their highest bits are equal.
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

// Reads addresses of user space: removes tags from pointers, and finds the caller of a function that a thread enters.
// Some machines let programs use the highest bits of pointers freely, and the kernel's helpers do not always remove
// them.
#pragma once

#include "dcompiler/lower/clause/clause.hpp"
#include "machine/machine.hpp"

namespace dt::lower {

/// Returns the address in the form in which helpers that read or write this kind of memory require it. Kernel addresses
/// are unchanged: all of their highest bits are equal.
inline ir::Value for_helper(ClauseState& l, ir::Mem mem, ir::Value address)
{
    const uint32_t tag = l.module().world.machine().tag_bits;
    if (tag == 0 || mem != ir::Mem::User)
        return address;
    auto& b = l.b();
    const ir::Value bits = b.constant(tag);
    return b.binary(ir::Op::AShr, b.binary(ir::Op::Shl, address, bits), bits);
}

/// Returns the index of the context word that contains the return address, if a function is being entered. A stack from
/// the kernel lacks the caller, because the function has no frame yet. Returns nothing if no function is entered or the
/// return address is on the stack.
inline std::optional<uint32_t> caller_register(ClauseState& l)
{
    const AttachPlan* const plan = l.context().plan;
    const bool is_entered =
        plan && plan->kind_info().stack == StackBegin::Interrupted && plan->kind_info().target == TargetKind::Function;
    return is_entered ? l.module().world.machine().calls.return_address : std::nullopt;
}

} // namespace dt::lower

// Reads addresses of user space: removes tags from pointers, and finds the caller at the entry of a function. Some
// machines let programs use the highest bits of pointers freely, and the kernel's helpers do not always remove them.
#pragma once

#include "dcompiler/lower/clause/clause.hpp"
#include "machine/machine.hpp"

namespace dt::lower {

/// Returns the address in the form that helpers for this kind of memory require, without the tags that programs keep in
/// the high bits. Kernel addresses have no tags and are unchanged.
inline ir::Value for_helper(ClauseState& l, ir::Mem mem, ir::Value address)
{
    const uint32_t tag = l.module().world.machine().tag_bits;
    if (tag == 0 || mem != ir::Mem::User)
        return address;
    auto& b = l.b();
    const ir::Value bits = b.constant(tag);
    return b.binary(ir::Op::AShr, b.binary(ir::Op::Shl, address, bits), bits);
}

/// Returns the index of the context word with the return address, if the probe is at the entry of a function. The
/// function has no frame yet, so a stack that the kernel reads lacks the caller. Returns nothing at other probes, and
/// on machines where the return address is on the stack.
inline std::optional<uint32_t> caller_register(ClauseState& l)
{
    const AttachPlan* const plan = l.context().plan;
    const bool is_entered =
        plan && plan->kind_info().stack == StackBegin::Interrupted && plan->kind_info().target == TargetKind::Function;
    return is_entered ? l.module().world.machine().calls.return_address : std::nullopt;
}

} // namespace dt::lower

// What a program knows by registers alone where the kernel has just called a function.
#pragma once

#include "machine/machine.hpp"
#include "dcompiler/lower/clause.hpp"

namespace dt::lower {

/// The word of the context that has who called the function that is entered: a stack by the kernel lacks it, as no
/// frame has it yet. None: no function is entered, or it is on the stack.
inline std::optional<uint32_t> caller_register(ClauseState& l)
{
    const AttachPlan* const plan = l.context().plan;
    const bool is_entered =
        plan && plan->kind_info().stack == StackBegin::Interrupted && plan->kind_info().target == TargetKind::Function;
    return is_entered ? l.module().world.machine().calls.return_address : std::nullopt;
}

} // namespace dt::lower

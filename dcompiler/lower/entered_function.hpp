// Caller of the function at whose entry a program runs, read from registers.
#pragma once

#include "machine/machine.hpp"
#include "dcompiler/lower/clause.hpp"

namespace dt::lower {

/// Returns the word of the context that contains the return address of the entered function. The kernel's stack lacks
/// that caller, because the function has no frame yet. Returns nothing if no function is entered or the return address
/// is on the stack.
inline std::optional<uint32_t> caller_register(ClauseState& l)
{
    const AttachPlan* const plan = l.context().plan;
    const bool is_entered =
        plan && plan->kind_info().stack == StackBegin::Interrupted && plan->kind_info().target == TargetKind::Function;
    return is_entered ? l.module().world.machine().calls.return_address : std::nullopt;
}

} // namespace dt::lower

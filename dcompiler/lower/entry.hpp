// How a program begins: whether tracing is on, and which of its probes fired.
#pragma once

#include <set>

#include "dcompiler/lower/clause.hpp"

namespace dt::lower {

/// Goes to `leave` when something is not as the plan's probes want it.
void check_conditions(ClauseLowering& loads, ir::BlockId leave);

class Entry {
public:
    /// Emits into the program of `group`; control goes to `leave` when nothing is to be done, and to `others` when this
    /// is no firing of its probes.
    Entry(ModuleLowering& module, ir::Builder& b, const Group& group, ir::BlockId leave, ir::BlockId others)
        : module_(module), b_(b), group_(group), off_(leave), leave_(others)
    {
    }

    /// Sets context.ecb, when the group has several probes, and what of a system call is known from then on:
    /// context.narrow and, of its arguments, those in `wanted` (Location::CallArgument, by index).
    void find_probe(Context& context, const std::set<uint32_t>& wanted);

private:
    void check_active(const Context& context);
    void check_turn(ir::Value activity, ir::BlockId active);
    void check_cgroup();
    void select_probe(Context& context, const std::set<uint32_t>& wanted);
    ir::Value of_call(Context& context, ClauseLowering& loads, ir::Value told, const std::set<uint32_t>& wanted);
    void leave_others(ir::Value told);
    ir::Value of_process(ClauseLowering& loads, ir::Value told);
    void check_process(Context& context);
    void check_conditions(Context& context);
    void find_beginning(Context& context);
    void compare_selectors(Context& context, ir::Value selector, uint32_t stride);
    uint32_t once(ir::Data data);
    uint32_t ecb_table(uint32_t entries, uint32_t stride, bool by_selector);

    ModuleLowering& module_;
    ir::Builder& b_;
    const Group& group_;
    ir::BlockId off_, leave_;
};

} // namespace dt::lower

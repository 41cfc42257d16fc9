// Emits the beginning of a program: checks whether tracing is on, finds the probe that fired, and for probes at the end
// of an activity finds the record of its start.
#pragma once

#include <set>

#include "dcompiler/lower/clause/clause.hpp"

namespace dt::lower {

/// Emits a jump to `leave`, which is taken if a condition of the attach plan's probes is not met.
void check_conditions(ClauseLowering& loads, ir::BlockId leave);

class ProgramEntry {
public:
    /// Emits the beginning of the program of `group`. Control goes to `leave` if the program has nothing to do, and to
    /// `others` if the call is not a firing of the group's probes.
    ProgramEntry(ModuleLowering& module, ir::Builder& b, const Group& group, ir::BlockId leave, ir::BlockId others)
        : module_(module), b_(b), group_(group), off_(leave), leave_(others)
    {
    }

    /// Finds the probe, and sets context.ecb if the group has several. For system calls it also sets context.is_compat
    /// and the arguments in `wanted` (indices of Location::CallArgument).
    void find_probe(Context& context, const std::set<uint32_t>& wanted);

private:
    void check_active(const Context& context);
    void check_epoch(ir::Value activity, ir::BlockId active);
    void check_cgroup();
    void select_probe(Context& context, const std::set<uint32_t>& wanted);
    ir::Value compat_selector(Context& context, ClauseLowering& loads, ir::Value raw_selector,
                              const std::set<uint32_t>& wanted);
    void skip_other_calls(ir::Value raw_selector);
    ir::Value process_selector(ClauseLowering& loads, ir::Value raw_selector);
    void check_process(Context& context);
    void check_conditions(Context& context);
    void find_start(Context& context);
    void write_byte(const Context& context);
    void compare_selectors(Context& context, ir::Value selector, uint32_t stride);
    uint32_t once(ir::Data data);
    uint32_t ecb_table(uint32_t entries, uint32_t stride, bool by_selector);

    ModuleLowering& module_;
    ir::Builder& b_;
    const Group& group_;
    ir::BlockId off_, leave_;
};

// Data about the start of an activity, for the probe at its end (AttachPlan::start_hook).

/// Adds the programs that record the beginning, and the phases, of activities at whose end the group's probes fire.
void add_start_programs(ModuleLowering& module, const Group& group);

/// A program that runs at both ends of an activity returns this value at the start if the kernel need not call it at
/// the end. At the end, the kernel ignores the value.
inline constexpr int64_t kSkipReturn = 1;

/// Handles both ends of an activity in one program. At the beginning it records the datum and returns, or goes to
/// `leave`; at the end control continues. Yields the words about the beginning (SpanWords); this kind of program keeps
/// no times of phases.
std::vector<ir::Value> record_or_resume(Context& context, const Group& group, ir::BlockId leave);

/// Looks up and removes the record of the activity's beginning. Goes to `leave` if there is no record. Yields the words
/// of the record (SpanWords).
std::vector<ir::Value> take_span(ClauseLowering& l, ir::BlockId leave);

} // namespace dt::lower

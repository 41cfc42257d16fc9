// Emits the beginning of a program: checks whether tracing is on, finds the probe that fired, and for probes at the end
// of an activity finds the record of its start.
#pragma once

#include <set>

#include "dcompiler/lower/clause/clause.hpp"

namespace dt::lower {

/// Emits a test of the attach plan's conditions: control goes to `leave` if one of them is false.
void check_conditions(ClauseLowering& loads, ir::BlockId leave);

class ProgramEntry {
public:
    /// Emits the beginning of the program of `group`. Control goes to `leave` if the program has nothing to do, and to
    /// `others` if the kernel called it although none of the group's probes fires.
    ProgramEntry(ModuleLowering& module, ir::Builder& b, const Group& group, ir::BlockId leave, ir::BlockId others)
        : module_(module), b_(b), group_(group), off_(leave), leave_(others)
    {
    }

    /// Finds the probe, and sets context.ecb if the group has several. For system calls it also sets context.is_compat,
    /// and reads the arguments whose indices (Location::CallArgument) are in `wanted`.
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

// Data about the start of an activity, such as a wait. The probe at the end of the activity reads them
// (AttachPlan::start_hook).

/// Adds the programs that record the start and the phases of activities, for probes at the end of activities.
void add_start_programs(ModuleLowering& module, const Group& group);

/// Return value of a program that the kernel calls at entry and return of a function. Returned at the entry, it makes
/// the kernel skip the call at the return. At the return, the kernel ignores it.
inline constexpr int64_t kSkipReturn = 1;

/// Emits code for both ends of an activity, in a program that runs at both. At the start it records the datum and
/// returns, or goes to `leave`. At the end control continues, and the result is the recorded words (SpanWords). Such a
/// program keeps no times of phases.
std::vector<ir::Value> record_or_resume(Context& context, const Group& group, ir::BlockId leave);

/// Emits code that finds and removes the record of the activity's start. Control goes to `leave` if there is no record.
/// Yields the words of the record (SpanWords).
std::vector<ir::Value> take_span(ClauseLowering& l, ir::BlockId leave);

} // namespace dt::lower

// Programs that serve no clause: what probes need done elsewhere, or a process wants to know.
#pragma once

#include <functional>
#include <string>

#include "dcompiler/lower/module.hpp"

namespace dt::lower {

/// Adds a finished function as a program of `plan`. `probes`: for whom it is there.
void add_side_program(ModuleLowering& module, ir::Function function, std::shared_ptr<const AttachPlan> plan,
                      const std::vector<PlannedProbe>& probes);

/// Adds a program at a tracepoint of the kernel, called `prefix` and the tracepoint's name, which `fill` fills; none
/// where the kernel has no such tracepoint, or an earlier object of the run has the program.
void add_tracepoint_program(ModuleLowering& module, const std::string& prefix, const std::string& tracepoint,
                            ProgramKind kind, const std::function<void(ir::Builder&)>& fill);

/// Adds the program that answers a process which asks whether the plan's probes are enabled (AttachPlan::asking).
void add_asking_program(ModuleLowering& module, const AttachPlan& plan);

} // namespace dt::lower

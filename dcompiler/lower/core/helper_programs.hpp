// Programs without clauses: auxiliary programs of probes, and answers to is-enabled probes.
#pragma once

#include <functional>
#include <string>

#include "dcompiler/lower/module.hpp"

namespace dt::lower {

/// Adds a finished function as a program of `plan`. `probes` are the probes that need it.
void add_side_program(ModuleLowering& module, ir::Function function, std::shared_ptr<const AttachPlan> plan,
                      const std::vector<PlannedProbe>& probes);

/// Adds a program at a kernel tracepoint, named by `prefix` and the tracepoint, with code from `fill`. Adds nothing if
/// the kernel lacks the tracepoint or an earlier object of the run has the program.
void add_tracepoint_program(ModuleLowering& module, const std::string& prefix, const std::string& tracepoint,
                            ProgramKind kind, const std::function<void(ir::Builder&)>& fill);

/// Adds the program that answers is-enabled checks of a process for the plan's probes (AttachPlan::asking).
void add_asking_program(ModuleLowering& module, const AttachPlan& plan);

} // namespace dt::lower

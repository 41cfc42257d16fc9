// Places of pidN probes within a function, and the data available at them.
#pragma once

#include "dcompiler/plan.hpp"
#include "machine/machine.hpp"
#include "probes/process_view.hpp"

namespace dt::probes {

/// The place that a name means: "entry", "return", or an instruction's offset. Leave is "return" implemented by a probe
/// on each return instruction.
enum class PidPoint { Entry, Return, Leave, Offset };

/// Parses the name of an instruction. Returns nothing unless it is a lower-case hexadecimal number.
std::optional<uint64_t> offset_of(std::string_view name);
std::string hexadecimal(uint64_t number);

/// Makes a plan without targets for probes of one kind. `calls` is the convention of the function's arguments. at_once:
/// attach by one link for all (uprobe_multi), with another mechanism as a fallback.
AttachPlan plan_pid_probes(const machine::Machine& machine, PidPoint point, ProcessView::Calls calls, bool at_once);

} // namespace dt::probes

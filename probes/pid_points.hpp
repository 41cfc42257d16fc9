// Where in a function a probe of pidN is, and what is known there.
#pragma once

#include "dcompiler/plan.hpp"
#include "machine/machine.hpp"
#include "probes/process_view.hpp"

namespace dt::probes {

/// What a name means: "entry", "return", or an instruction by its offset. Leave is "return" by a probe on each return
/// instruction.
enum class PidPoint { Entry, Return, Leave, Offset };

/// The offset that an instruction's name is. Nothing: it is no number in lower-case hexadecimal.
std::optional<uint64_t> offset_of(std::string_view name);
std::string hexadecimal(uint64_t number);

/// How probes of one kind are hooked, without targets. `calls`: where the function's arguments are when it is called.
/// at_once: by one link for all (uprobe_multi), with another mechanism behind it.
AttachPlan plan_pid_probes(const machine::Machine& machine, PidPoint point, ProcessView::Calls calls, bool at_once);

} // namespace dt::probes

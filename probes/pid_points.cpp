#include "probes/pid_points.hpp"

#include <algorithm>
#include <charconv>

#include "machine/machine.hpp"

namespace dt::probes {
namespace {

using Kind = Location::Kind;
using Calls = ProcessView::Calls;

/// Returns the location of argument `i` at the function's entry.
Location argument(const machine::Machine& machine, Calls calls, std::size_t i)
{
    const auto on_stack = [&machine](std::size_t word) {
        return Location{Kind::UserMemory, machine.saved.stack_pointer,
                        static_cast<int64_t>(8 * (word + machine.calls.first_stack_argument))};
    };
    switch (calls) {
    case Calls::Go:
        return i < machine.calls.go_arguments.size() ? Location{Kind::Register, machine.calls.go_arguments[i]}
                                                     : Location{};
    case Calls::GoOnStack:
        return on_stack(i);
    case Calls::C32:
        return {Kind::UserMemory, machine.saved.stack_pointer,
                static_cast<int64_t>(4 * (i + machine.calls.first_stack_argument)), 4};
    case Calls::C:
        break;
    }
    return i < machine.calls.arguments.size() ? Location{Kind::Register, machine.calls.arguments[i]}
                                              : on_stack(i - machine.calls.arguments.size());
}

} // namespace

std::optional<uint64_t> offset_of(std::string_view name)
{
    uint64_t offset = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), offset, 16);
    const bool lower = std::none_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'F'; });
    return error == std::errc{} && end == name.data() + name.size() && lower ? std::optional(offset) : std::nullopt;
}

std::string hexadecimal(uint64_t number)
{
    char text[17];
    return {text, std::to_chars(text, text + sizeof text, number, 16).ptr};
}

AttachPlan plan_pid_probes(const machine::Machine& machine, PidPoint point, Calls calls, bool at_once)
{
    AttachPlan plan;
    plan.kind = point == PidPoint::Return ? (at_once ? ProgramKind::UretprobeMulti : ProgramKind::Uretprobe)
                                          : (at_once ? ProgramKind::UprobeMulti : ProgramKind::Uprobe);
    plan.has_fallback = at_once;
    if (point == PidPoint::Return || point == PidPoint::Leave) {
        plan.arguments[0] = {Kind::Constant, 0, -1}; // the return instruction is unknown
        plan.arguments[1] = plan.return_value = {Kind::Register, machine.calls.result};
    }
    plan.steps = point == PidPoint::Leave || point == PidPoint::Offset;
    plan.at_entry = point == PidPoint::Entry || point == PidPoint::Leave;
    for (std::size_t i = 0; point == PidPoint::Entry && i < plan.arguments.size(); ++i)
        plan.arguments[i] = argument(machine, calls, i);
    return plan;
}

} // namespace dt::probes

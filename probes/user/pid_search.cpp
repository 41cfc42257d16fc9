// Finds the probes in a process that a description of provider pidN matches, and plans their BPF programs. Also finds
// and plans hooks of unwinder functions: a call that unwinding ends has no return.
#include "probes/user/pid_search.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "probes/attributes.hpp"

namespace dt::probes {

// Functions that save their return address, so that the program can return to it a second time. The kernel's return
// probes replace return addresses. setjmp(3) would save the replacement address, which is invalid after the call, so
// the program would crash at its longjmp(3). The kernel itself handles vfork(2), which also returns twice.

/// Returns whether a C library function of this name returns twice, whatever the name's prefix (`_setjmp`,
/// `__sigsetjmp`). Compilers use the same list of such functions.
inline bool returns_twice(std::string_view function)
{
    constexpr std::array<std::string_view, 5> kNames = {"setjmp", "sigsetjmp", "savectx", "getcontext", "swapcontext"};
    function.remove_prefix(std::min(function.find_first_not_of('_'), function.size()));
    return std::find(kNames.begin(), kNames.end(), function) != kNames.end();
}

namespace {

constexpr uint64_t kLongestInstruction = 15;

constexpr std::string_view kBare =
    "its file has no symbols (it is stripped): install its debug package (symbols below /usr/lib/debug), or give an "
    "address with \"-\" as the function, as in pid$target:a.out:-:1a40";

using LinePattern = ProcessView::LinePattern;

/// Parses FILE@LINE, FILE@FUNCTION+LINE and FILE@FUNCTION+* before ":line", and FUNCTION:FILE@LINE, the name of a line
/// probe in listings. Returns nothing for other descriptions. If the text contains no line number, the line of the
/// result is empty.
std::optional<LinePattern> line_pattern(const ProbePattern& pattern)
{
    const bool is_listed = pattern.name.find('@') != std::string::npos;
    const std::string& text = is_listed ? pattern.name : pattern.function;
    const std::size_t at = text.rfind('@');
    if (at == std::string::npos || (!is_listed && pattern.name != "line"))
        return {};
    LinePattern lines{text.substr(0, at), is_listed ? pattern.function : "", text.substr(at + 1), false};
    if (const std::size_t plus = lines.line.rfind('+'); !is_listed && plus != std::string::npos) {
        lines.function = lines.line.substr(0, plus);
        lines.line.erase(0, plus + 1);
        lines.is_relative = true;
    }
    if (lines.file.empty() || lines.line.find_first_not_of("0123456789*?[]-") != std::string::npos ||
        (lines.is_relative && lines.function.empty()))
        lines.line.clear();
    return lines;
}

} // namespace

Error pid_error(const char* tag, std::string message)
{
    return Error{std::move(message), 0, tag};
}

Result<void> PidSearch::run(const std::vector<Object>& objects, int64_t process)
{
    process_ = process;
    const bool is_address = pattern_.function == "-";
    if (is_address && !pattern_.module.empty() && pattern_.module != "a.out")
        return pid_error("D_PROC_LIB", "only the a.out module is valid with the '-' function");
    if (is_address && !is_literal(pattern_.name))
        return pid_error("D_PROC_NAME", "only single addresses may be given with the '-' function");
    unwinds_ = false;
    function_ = nullptr;
    if (const auto line = line_pattern(pattern_))
        return lines(objects, *line);
    for (const Object& object : objects)
        if (matches_file(object.path, object.is_executable, is_address ? "a.out" : pattern_.module))
            if (const Result<void> looked = is_address ? address(object) : functions(object); !looked)
                return looked;
    if (unwinds_ && pid_ != 0)
        unwinders_.find(kernel_, process_, objects);
    const bool is_named = is_literal(pattern_.function) && is_literal(pattern_.name);
    if (is_named && !absent_ifunc_.empty())
        return not_created(absent_ifunc_);
    return found_.empty() && is_named && !absent_.empty() ? not_created(absent_) : Result<void>{};
}

Result<void> PidSearch::address(const Object& object)
{
    const auto number = offset_of(pattern_.name);
    if (!number)
        return invalid_name();
    const auto place = kernel_.processes().place_of(object, *number);
    if (!place)
        return not_created("the program has no code at this address");
    if (const std::string_view refusal = refusal_at({object.file, *place}); !refusal.empty())
        return not_created(std::string(refusal));
    add("a.out", "-", hexadecimal(*number), PidPoint::Offset, {object.file, *place});
    return {};
}

Result<void> PidSearch::lines(const std::vector<Object>& objects, const LinePattern& wanted)
{
    if (wanted.line.empty())
        return pid_error("D_PROC_LINE", "invalid source line '" + pattern_.function + ":" + pattern_.name +
                                            "': expected FILE@LINE:line, FILE@FUNCTION+LINE:line or "
                                            "FILE@FUNCTION+*:line");
    std::string problem;
    for (const Object& object : objects) {
        if (!matches_file(object.path, object.is_executable, pattern_.module))
            continue;
        const ProcessView::Statements statements = kernel_.processes().statements(object, wanted);
        for (const ProcessView::Statement& statement : statements.found)
            line(object, statement, statements.is_32bit);
        if (problem.empty() || object.is_executable)
            problem = statements.problem;
    }
    if (!found_.empty() || !is_literal(wanted.file) || !is_literal(wanted.line))
        return {};
    if (!absent_.empty())
        return not_created(absent_);
    return pid_error("D_PROC_LINE", "failed to find line " + wanted.line + " of " + wanted.file + " in module '" +
                                        (pattern_.module.empty() ? "*" : pattern_.module) +
                                        "': " + (problem.empty() ? "no such module" : problem));
}

void PidSearch::line(const Object& object, const ProcessView::Statement& statement, bool is_32bit)
{
    const std::string module = object.is_executable ? "a.out" : object.path.substr(object.path.rfind('/') + 1);
    const std::string name = statement.file + "@" + std::to_string(statement.line);
    const auto symbol = kernel_.processes().code_at(object, statement.place);
    const PidPlace begin{object.file, symbol ? symbol->offset : statement.place, symbol ? symbol->size : 0, is_32bit};
    const uint64_t offset = statement.place - begin.offset;
    const FunctionCode code = code_of(begin, offset);
    const auto place = code.place_of(static_cast<uint32_t>(offset), clobbers(code));
    if (place.is_inside_another)
        exclude(module, statement.function, name, "its debug information names an address inside of an instruction");
    else if (!place.refusal.empty())
        exclude(module, statement.function, name, place.refusal);
    else
        add(module, statement.function, name, PidPoint::Offset, {object.file, begin.offset + place.offset});
}

Result<void> PidSearch::functions(const Object& object)
{
    const std::vector<Function> functions = kernel_.processes().functions(object, pattern_.function);
    const bool is_named = is_literal(pattern_.function);
    const bool is_bare = functions.empty() && kernel_.processes().functions(object, "*").empty();
    if (functions.empty() && is_named && (is_literal(pattern_.module) || pid_ == 0))
        return pid_error("D_PROC_FUNC", "failed to lookup '" + pattern_.function + "' in module '" +
                                            (pid_ == 0 ? object.path : pattern_.module) + "'" +
                                            (is_bare ? ": " + std::string(kBare) : ""));
    if (is_bare && is_literal(pattern_.module) && visit_)
        (*visit_)("functions of " + object.path, kBare);
    for (const Function& function : functions) {
        is_alias_ = function.is_alias;
        function_ = &function;
        if (is_named || matches_probe(function)) {
            if (const Result<void> looked = points(object, function); !looked)
                return looked;
        }
    }
    function_ = nullptr;
    return {};
}

bool PidSearch::matches_probe(const Function& function)
{
    return function.size != 0 && !function.is_cold;
}

Result<void> PidSearch::points(const Object& object, const Function& function)
{
    const std::string& name = pattern_.name;
    const bool is_offset = is_literal(name) && name != "entry" && name != "return";
    const auto number = is_offset ? offset_of(name) : std::nullopt;
    if (is_offset && !number)
        return invalid_name();
    const std::string module = object.is_executable ? "a.out" : object.path.substr(object.path.rfind('/') + 1);
    if (!function.place || function.is_ifunc) {
        exclude(module, function.name, name,
                function.place ? "the function selects its implementation when the program starts (IFUNC), and the "
                                 "implementations are not known"
                               : "it is not in a part of the file that is mapped as code");
        return {};
    }
    const PidPlace begin{object.file, *function.place, function.size, function.calls == Calls::C32};
    if (is_offset)
        return one_offset(module, function, begin, *number);
    const bool has_both = glob_match(name, "entry") || glob_match(name, "return");
    if (const std::string_view refusal = has_both ? refusal_of_entry(begin, function.calls) : std::string_view();
        !refusal.empty()) {
        exclude(module, function.name, name, refusal);
        return {};
    }
    if (glob_match(name, "entry"))
        add(module, function.name, "entry", PidPoint::Entry, begin, function.calls, function.calls);
    if (glob_match(name, "return"))
        leave(object, module, function, begin);
    if (!is_literal(name))
        all_offsets(module, function, begin);
    return {};
}

const machine::Machine& PidSearch::machine() const
{
    return kernel_.machine();
}

std::string_view PidSearch::refusal_at(const PidPlace& begin) const
{
    if (begin.is_32bit && !machine().has_narrow_probes)
        return "it is in a 32-bit program, where the kernel allows no probes on this machine";
    return FunctionCode(machine(), kernel_.processes().bytes(begin.file, begin.offset, kLongestInstruction),
                        begin.is_32bit)
        .place_of(0, false)
        .refusal;
}

std::string_view PidSearch::refusal_of_entry(const PidPlace& begin, Calls calls) const
{
    const std::string_view refusal = refusal_at(begin);
    const bool is_known = calls == Calls::C && begin.size != 0 && begin.size <= kLongestPidFunction;
    return !refusal.empty() && is_known && code_of(begin, 0).entry_place() != 0 ? std::string_view() : refusal;
}

void PidSearch::leave(const Object& object, const std::string& module, const Function& function, PidPlace begin)
{
    const bool must_leave = function.moves_stack || function.unwinds || returns_twice(function.name);
    if (!must_leave && !is_recursive(begin)) {
        add(module, function.name, "return", PidPoint::Return, std::move(begin), Calls::C, function.calls);
        return;
    }
    const std::string refusal = find_leaves(object, function, begin);
    if (refusal.empty() && function.unwinds && pid_ != 0)
        note_code(object, begin);
    if (refusal.empty())
        add(module, function.name, "return", PidPoint::Leave, std::move(begin), Calls::C, function.calls);
    else if (!must_leave)
        add(module, function.name, "return", PidPoint::Return, std::move(begin), Calls::C, function.calls);
    else
        exclude(module, function.name, "return", refusal);
}

void PidSearch::note_code(const Object& object, PidPlace& begin)
{
    ProcessView& processes = kernel_.processes();
    const ProcessView::Identity file = processes.identity(object.file);
    for (const ProcessView::Range& range : processes.code_of(object, begin.offset, begin.size))
        begin.code.push_back({nullptr, pid_, process_, file, range.start, range.end});
    unwinds_ = true;
}

bool PidSearch::is_recursive(const PidPlace& begin) const
{
    if (begin.size == 0 || begin.size > kLongestPidFunction)
        return false;
    const std::vector<uint8_t> bytes = kernel_.processes().bytes(begin.file, begin.offset, begin.size);
    if (!machine().may_call_itself(bytes))
        return false;
    const FunctionCode code(machine(), bytes, begin.is_32bit);
    return code.is_whole() && std::none_of(code.exits().begin(), code.exits().end(),
                                           [](const auto& exit) { return !exit.is_conditional; });
}

std::string PidSearch::find_leaves(const Object& object, const Function& function, PidPlace& begin) const
{
    const bool keeps_address = returns_twice(function.name), is_strict = function.unwinds || keeps_address;
    const auto refused = [&](std::string_view reason) {
        return std::string(keeps_address ? "the function may return twice"
                                         : "the program may unwind its stack or have several stacks") +
               ", so only probes at its return instructions are safe, and " + std::string(reason);
    };
    if (is_strict && (function.size == 0 || function.size > kLongestPidFunction))
        return refused("their addresses are not known");
    const uint64_t end = begin.offset + begin.size;
    std::vector<std::pair<uint64_t, FunctionCode>> parts;
    parts.emplace_back(begin.offset, code_of(begin, 0));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto [start, code] = parts[i];
        if (is_strict && !code.is_whole())
            return refused("its code contains data");
        for (const uint32_t offset : code.returns()) {
            if (const auto place = code.place_of(offset, false); !place.refusal.empty())
                return std::string(place.refusal);
            begin.leaves.push_back(start + offset);
        }
        for (const FunctionCode::Exit& exit : code.exits()) {
            const uint64_t target = start + static_cast<uint64_t>(exit.target);
            const auto other = kernel_.processes().code_at(object, target);
            const bool is_known = std::any_of(parts.begin(), parts.end(),
                                              [&](const auto& part) { return other && part.first == other->offset; });
            if ((target >= begin.offset && target < end) || is_known)
                continue;
            if (other && other->is_cold)
                parts.emplace_back(other->offset, code_of({begin.file, other->offset, other->size, begin.is_32bit}, 0));
            else if (!exit.is_conditional)
                begin.leaves.push_back(start + exit.offset);
            else if (other && other->offset == target && is_strict)
                return refused("it has a conditional jump to another function");
        }
    }
    return begin.leaves.empty() ? "it has no return instruction" : "";
}

FunctionCode PidSearch::code_of(const PidPlace& begin, uint64_t offset) const
{
    const uint64_t size = begin.size != 0 ? std::min(begin.size, kLongestPidFunction)
                                          : std::min(offset, kLongestPidFunction) + kLongestInstruction;
    return FunctionCode(machine(), kernel_.processes().bytes(begin.file, begin.offset, size), begin.is_32bit);
}

bool PidSearch::clobbers(const FunctionCode& code) const
{
    return code.has_long_nops() && kernel_.uprobes_clobber_red_zone();
}

Result<void> PidSearch::one_offset(const std::string& module, const Function& function, const PidPlace& begin,
                                   uint64_t offset)
{
    const auto outside = [&](const std::string& where) {
        return is_literal(pattern_.function)
                   ? pid_error("D_PROC_OFF", "offset 0x" + hexadecimal(offset) + " is " + where)
                   : Result<void>{};
    };
    if (function.size != 0 && offset >= function.size)
        return outside("outside of function '" + function.name + "'");
    const FunctionCode code = code_of(begin, offset);
    const auto place = code.place_of(static_cast<uint32_t>(offset), clobbers(code));
    if (place.is_inside_another)
        return outside("inside of an instruction of function '" + function.name + "', which begins at 0x" +
                       hexadecimal(place.offset));
    add_offset(module, function, begin, offset, place);
    return {};
}

void PidSearch::add_offset(const std::string& module, const Function& function, const PidPlace& begin, uint64_t offset,
                           const FunctionCode::Placement& place)
{
    if (place.refusal.empty())
        add(module, function.name, hexadecimal(offset), PidPoint::Offset, {begin.file, begin.offset + place.offset});
    else
        exclude(module, function.name, hexadecimal(offset), place.refusal);
}

void PidSearch::all_offsets(const std::string& module, const Function& function, const PidPlace& begin)
{
    const FunctionCode code = code_of(begin, 0);
    const bool is_careful = clobbers(code);
    for (const uint32_t offset : code.offsets())
        if (glob_match(pattern_.name, hexadecimal(offset)))
            add_offset(module, function, begin, offset, code.place_of(offset, is_careful));
}

void PidSearch::add(const std::string& module, const std::string& function, const std::string& name, PidPoint point,
                    PidPlace place, Calls calls, Calls function_calls)
{
    if (!sink_)
        return;
    Probe probe;
    probe.provider = pattern_.provider;
    probe.module = module;
    probe.function = function;
    probe.name = name;
    probe.attributes = &kProcessAttributes;
    PidProbe& made = probes_[probe.full_name()];
    made.pid = pid_;
    made.point = point;
    made.calls = calls;
    made.function_calls = function_calls;
    made.is_alias = is_alias_;
    if (found_.insert(&made).second) {
        made.places.clear(); // discards the locations that an earlier search has found
        made.serving.clear();
    }
    if (function_ && function_->serves) {
        made.serving.push_back(function_->own_name);
        made.is_chosen = function_->is_chosen;
    }
    if (std::exchange(last_file_, place.file) != place.file)
        last_identity_ = kernel_.processes().identity(place.file);
    place.identity = last_identity_;
    place.point = point;
    made.places.push_back(std::move(place));
    sink_->add_on_demand(std::move(probe));
}

void PidSearch::exclude(const std::string& module, const std::string& function, const std::string& name,
                        std::string_view reason)
{
    if (visit_)
        (*visit_)(pattern_.provider + ":" + module + ":" + function + ":" + name, reason);
    absent_ = reason;
    if (function_ && (function_->serves || function_->is_ifunc))
        absent_ifunc_ = ifunc_reason(*function_, reason);
}

std::string PidSearch::ifunc_reason(const Function& function, std::string_view reason) const
{
    std::string text(reason);
    if (!function.own_name.empty())
        text = (function.is_chosen ? "implemented by " : "possibly implemented by ") + function.own_name + ": " + text;
    if (function.serves && !function.is_chosen && pid_ != 0)
        text += " (a static program selects it before main: use -x evaltime=main)";
    return text;
}

Error PidSearch::invalid_name() const
{
    return pid_error("D_PROC_NAME",
                     "invalid probe name '" + pattern_.name + "': not entry, return or an offset in hexadecimal");
}

Error PidSearch::not_created(const std::string& reason) const
{
    return pid_error("D_PROC_CREATEFAIL", "failed to create probe " + pattern_.provider + ":" + pattern_.module + ":" +
                                              pattern_.function + ":" + pattern_.name + ": " + reason);
}

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
        plan.arguments[0] = {Kind::Constant, 0, -1}; // arg0, the offset of the return instruction, is unknown
        plan.arguments[1] = plan.return_value = {Kind::Register, machine.calls.result};
    }
    plan.single_steps = point == PidPoint::Leave || point == PidPoint::Offset;
    plan.at_entry = point == PidPoint::Entry || point == PidPoint::Leave;
    for (std::size_t i = 0; point == PidPoint::Entry && i < plan.arguments.size(); ++i)
        plan.arguments[i] = argument(machine, calls, i);
    return plan;
}

// Finds and plans hooks of unwinder functions. A hook is placed after the function's prologue, because a uprobe costs
// less there.

void Unwinders::find(KernelView& kernel, int64_t process, const std::vector<ProcessView::Object>& objects)
{
    ProcessView& processes = kernel.processes();
    std::vector<UnwinderAddress>& places = places_[process];
    places.clear();
    for (const ProcessView::Object& object : objects)
        for (const ProcessView::UnwinderFunction& function : processes.unwinder(object)) {
            const FunctionCode code(kernel.machine(), processes.bytes(object.file, function.offset, function.size));
            places.push_back(
                {function.which, object.file, processes.identity(object.file), function.offset + code.entry_place()});
        }
}

std::shared_ptr<const AttachPlan> Unwinders::plan(ProcessView& processes, const AttachPlan& of) const
{
    auto plan = std::make_shared<AttachPlan>();
    plan->kind = of.kind;
    plan->has_fallback = of.has_fallback;
    plan->process_scope = of.process_scope;
    std::set<int64_t> seen;
    for (const ReturnProbeRange& code : of.return_probe_ranges) {
        const auto known = seen.insert(code.mapped_in).second ? places_.find(code.mapped_in) : places_.end();
        if (known == places_.end())
            continue;
        const int64_t process = of.process_scope == ProcessScope::Tree ? 0 : code.process;
        for (const UnwinderAddress& place : known->second)
            // Skips the location if another file is mapped there now.
            if (processes.identity(place.file) == place.identity)
                plan->targets.push_back({place.file, static_cast<uint64_t>(process) << 32 | place.which, place.address,
                                         nullptr, 0, attached_process(processes, code.process, of.process_scope)});
    }
    return plan;
}

// Merges the variables at the instructions of a probe.

const ProcessView::Variables& PidVariables::at(const Instruction& instruction, const std::string& name)
{
    const auto [entry, is_new] = known_.try_emplace({instruction, name});
    if (is_new)
        entry->second = kernel_.processes().variables(instruction.file, instruction.offset, name);
    return entry->second;
}

ProbeVariables PidVariables::find(const std::vector<Instruction>& instructions, const std::string& name)
{
    ProbeVariables merged;
    bool is_first = true;
    for (const Instruction& instruction : instructions) {
        const ProcessView::Variables& here = at(instruction, name);
        if (!here.problem.empty())
            return {{}, here.problem};
        for (const ProcessView::Variable& each : here.found)
            if (is_first)
                merged.found.push_back({each.name, {}, {}, true, each.is_parameter, {}});
        is_first = false;
        std::erase_if(merged.found, [&](ProbeVariable& variable) {
            const auto found =
                std::find_if(here.found.begin(), here.found.end(),
                             [&](const ProcessView::Variable& each) { return each.name == variable.name; });
            if (found == here.found.end() && name.empty())
                return true;
            if (found == here.found.end()) {
                variable.refusal = "it is not visible in one of the " + std::to_string(instructions.size()) + " copies";
                return false;
            }
            variable.types.push_back(found->type);
            variable.is_in_memory &= found->location.is_in_memory();
            variable.lost.insert(variable.lost.end(), found->location.lost.begin(), found->location.lost.end());
            if (variable.refusal.empty() && !found->refusal.empty())
                variable.refusal = instructions.size() == 1 ? found->refusal
                                                            : "in one of the " + std::to_string(instructions.size()) +
                                                                  " copies, " + found->refusal;
            return false;
        });
    }
    return merged;
}

PidVariables::Locations PidVariables::locations(const Instruction& instruction, const std::set<std::string>& names)
{
    Locations locations;
    for (const std::string& name : names)
        for (const ProcessView::Variable& each : at(instruction, name).found)
            if (each.refusal.empty())
                locations[name] = each.location;
    return locations;
}

} // namespace dt::probes

// Probes with stable names (proc, sched, …). Each provider has a table, and each row of the table describes a probe: a
// hook of the kernel, conditions on the hook's values, and the probe's arguments. Offsets of structure members come
// from the running kernel's types, so a table is valid for every kernel. The other files of this folder contain the
// tables of the providers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dcompiler/interface/plan.hpp"
#include "dcompiler/interface/probes.hpp"

namespace dt::probes::stable {

using Kind = Location::Kind;
using Relation = Condition::Relation;

/// Machine-dependent parts of a Source (location of a datum). They are replaced by actual locations when a probe is
/// planned, so that the same tables serve every machine.
enum class Role : uint8_t {
    None,
    Argument,     ///< register with function argument `index`
    ArgumentHome, ///< address of the context word that contains function argument `offset`
    Result,       ///< register with a function's result
    Stack,        ///< register with the stack pointer
    ReturnPops,   ///< a constant: minus the number of bytes by which a return raises the stack pointer
    Call,         ///< register of the process with the system call's number
    CallArgument, ///< register of the process with system call argument `index`
    CallStatus,   ///< word in the task's data that shows whether 32-bit code made the system call
    CallCompat,   ///< bits of the word CallStatus that are set during a 32-bit call
};

/// A location from which a probe reads a datum. Its offset may be the offset of a structure member "struct.path", which
/// is looked up when the probe is planned. If the location has size 0, the member's size is used.
struct Source {
    Location where;
    const char* record = nullptr;
    const char* member = nullptr;
    std::vector<Source> of = {}; ///< operands of the location
    Role role = Role::None;
    /// Alternatives for kernels whose structure lacks the member, or whose tracepoint lacks the parameter
    /// `where.index`. The first alternative that exists is used.
    std::vector<Source> otherwise = {};
};

/// Names of system calls. Names of system calls that the machine does not have are ignored.
using Calls = std::vector<std::string_view>;

struct Filter {
    Source left;
    Relation relation;
    std::vector<int64_t> values;
    std::optional<Source> right = {};
    std::vector<const char*> functions = {}; ///< kernel functions whose addresses are added to `values`
    std::pair<const char*, const char*> enumerator = {
        nullptr, ""}; ///< an enum of the kernel, and an enumerator whose value is added to `values`
    Calls calls = {}; ///< system calls whose numbers are added to `values`
};

/// A hook of the kernel: the event at which the probe of a row fires.
struct Hook {
    ProgramKind kind;
    /// names of the hook; for a kprobe, the names that the same function has in different kernels
    std::vector<const char*> targets;
    std::vector<Filter> filters;
    std::vector<Source> arguments; ///< sources of arg0, arg1, …
    /// Start hook, if this hook is the end of a time span (AttachPlan::start_hook). Its arguments are the value that is
    /// stored until the end of the span, and the phase. If the start hook has a start_hook of its own, spans begin at
    /// that second hook, and the first one only begins a further phase.
    std::shared_ptr<const Hook> start_hook = {};
    /// values by which a time span is identified; they are equal at its start and at its end
    std::vector<Source> key = {};
    /// whether to attach to all functions in `targets` that exist, not only to the first
    bool every = false;
    /// Minimum number of parameters of a tracepoint. If the kernel's tracepoint has fewer parameters, it has another
    /// meaning, and the hook is not used.
    uint32_t least_parameters = 0;
    /// Value of machine::Conventions::new_threads_return on the machines that use this hook; no value if all machines
    /// use it.
    std::optional<bool> new_threads_return = {};
    bool needs_event = false; ///< AttachPlan::needs_event
    /// Iterators: the first release of Linux that has the iterator.
    const char* first_release = nullptr;
};

struct Row {
    const char* name;
    std::vector<Hook> hooks;
    std::vector<ProbeArgument> signature;
    /// Hooks for kernels without kprobes, and for kernels that have none of `hooks`. They are used only if the kernel
    /// has the first of them.
    std::vector<Hook> otherwise = {};
    /// Module of the row's probe; null for vmlinux. A probe with another module fires at some of the events of the
    /// probe with the same name in vmlinux. So it is used only if a description names the module.
    const char* module = nullptr;
    std::vector<Hook> fallback = {}; ///< hooks that are used if neither `hooks` nor `otherwise` can be attached
    /// Hooks for locked-down kernels (lockdown=confidentiality). Their arguments are members of objects whose types the
    /// verifier knows. They are used only if the kernel has the first of these hooks.
    std::vector<Hook> locked = {};
};

inline Source word(uint32_t index, uint8_t size = 8)
{
    return {{Kind::ContextWord, index, 0, size, size != 8}};
}
inline Source member(uint32_t index, const char* record, const char* path, uint8_t size)
{
    return {{Kind::KernelMemory, index, 0, size, size == 4}, record, path};
}
/// Returns the source `first`, with `second` as the alternative for kernels that lack `first`.
inline Source either(Source first, Source second)
{
    first.otherwise.push_back(std::move(second));
    return first;
}
/// Returns the state of the thread `prev` at sched_switch(preempt, prev, next, prev_state). Before Linux 5.18 the
/// tracepoint has no prev_state; before 5.14 the thread's member has another name.
inline Source previous_state()
{
    Source state = either(word(3, 4), member(1, "task_struct", "__state", 4));
    return either(std::move(state), member(1, "task_struct", "state", 4));
}
inline Source constant(int64_t value)
{
    return {{Kind::Constant, 0, value}};
}
/// Returns the location of a kernel function's parameter with a given index. A parameter that is shorter than a word is
/// read as a signed number.
inline Source parameter(std::size_t number, uint8_t size = 8)
{
    return {{Kind::Register, static_cast<uint32_t>(number), 0, size, size != 8}, nullptr, nullptr, {}, Role::Argument};
}
/// Returns the address of the word, in the program's context, that contains a function's parameter.
inline Source parameter_address(std::size_t number)
{
    return {{Kind::ContextAddress, 0, static_cast<int64_t>(number)}, nullptr, nullptr, {}, Role::ArgumentHome};
}
/// Returns the location of a member of the struct at address `base`. The member reads as 0 if the address is invalid.
inline Source field_of(Source base, const char* record, const char* path)
{
    return {{Kind::KernelMemory, 0, 0, 0}, record, path, {std::move(base)}};
}
/// Returns the location of `size` bytes at a fixed offset from an address, for instance in a packet's header.
inline Source bytes(Source base, int64_t offset, uint8_t size)
{
    return {{Kind::KernelMemory, 0, offset, size}, nullptr, nullptr, {std::move(base)}};
}
inline Source sum(Source left, Source right)
{
    return {{Kind::Add}, nullptr, nullptr, {std::move(left), std::move(right)}};
}
inline Source difference(Source left, Source right)
{
    return {{Kind::Subtract}, nullptr, nullptr, {std::move(left), std::move(right)}};
}
inline Source cpu_info(Source number)
{
    return {{Kind::CpuInfo}, nullptr, nullptr, {std::move(number)}};
}
inline Source bits(Source of, int64_t mask)
{
    return {{Kind::And, 0, mask}, nullptr, nullptr, {std::move(of)}};
}
inline Source shifted(Source of, int64_t bits)
{
    return {{Kind::ShiftRight, 0, bits}, nullptr, nullptr, {std::move(of)}};
}
/// Returns a location that reads as `yes` if the datum at `of` equals `value`, and otherwise as `no`.
inline Source choice(Source of, int64_t value, Source yes, Source no)
{
    return {{Kind::Select, 0, value}, nullptr, nullptr, {std::move(of), std::move(yes), std::move(no)}};
}
/// Returns a location that reads as the address of a structure member.
inline Source address(Source base, const char* record, const char* path)
{
    return sum(std::move(base), {{Kind::Constant}, record, path});
}

inline Source of_task(const char* path)
{
    return {{Kind::TaskWord}, "task_struct", path};
}
/// Location of the number of the system call that the process is making.
inline const Source call_number{{Kind::UserRegister}, nullptr, nullptr, {}, Role::Call};
inline Source call_argument(std::size_t number)
{
    return {{Kind::UserRegister, static_cast<uint32_t>(number)}, nullptr, nullptr, {}, Role::CallArgument};
}
/// Returns a condition on the number of a system call.
inline Filter is_one_of_calls(Source number, Calls calls, Relation relation = Relation::OneOf)
{
    return {std::move(number), relation, {}, {}, {}, {nullptr, ""}, std::move(calls)};
}

/// Condition for system calls of the 64-bit interface; 32-bit calls are excluded because they have other numbers.
inline const Filter native_call{
    {{Kind::And}, nullptr, nullptr, {{{Kind::TaskWord}, nullptr, nullptr, {}, Role::CallStatus}}, Role::CallCompat},
    Relation::Equal,
    {0}};

inline Hook raw(const char* tracepoint, std::vector<Source> arguments = {}, std::vector<Filter> filters = {})
{
    return {ProgramKind::RawTracepoint, {tracepoint}, std::move(filters), std::move(arguments)};
}

inline Hook function(std::vector<const char*> names, std::vector<Source> arguments = {},
                     std::vector<Filter> filters = {})
{
    return {ProgramKind::Kprobe, std::move(names), std::move(filters), std::move(arguments)};
}

/// Returns a hook for a function that calls the program directly; its arguments are words of the context. Such a hook
/// also works in kernels without kprobes and in locked-down kernels.
inline Hook direct_call(const char* name, std::vector<Source> arguments = {}, std::vector<Filter> filters = {})
{
    return {ProgramKind::Fentry, {name}, std::move(filters), std::move(arguments)};
}

/// Returns a hook for the return of a function. The function's argument with index `known` is stored at the entry, so
/// that it is available at the return. The address of the return address on the stack shows which entry and return
/// belong to the same call.
inline Hook function_return(std::vector<const char*> names, std::vector<Source> arguments,
                            std::vector<Filter> filters = {}, bool every = false, std::size_t known = 0)
{
    const Source frame{{Kind::Register}, nullptr, nullptr, {}, Role::Stack},
        left = sum(frame, {{Kind::Constant}, nullptr, nullptr, {}, Role::ReturnPops});
    const Hook entry{ProgramKind::Kprobe, names, {}, {parameter(known)}, {}, {frame}, every};
    return {ProgramKind::Kretprobe,
            std::move(names),
            std::move(filters),
            std::move(arguments),
            std::make_shared<const Hook>(entry),
            {left},
            every};
}
/// Returns a hook for the return of a function, at which only the function's result is available.
inline Hook function_result(std::vector<const char*> names, std::vector<Source> arguments, std::vector<Filter> filters)
{
    return {ProgramKind::Kretprobe, std::move(names), std::move(filters), std::move(arguments)};
}

inline Source result_of(uint8_t size, bool is_signed = true)
{
    return {{Kind::Register, 0, 0, size, is_signed}, nullptr, nullptr, {}, Role::Result};
}
inline const Source recorded{{Kind::Recorded}}, result = result_of(4);

/// Returns a hook for each occurrence of a software event of perf_event_open(2).
inline Hook event(const char* target, std::vector<Source> arguments)
{
    return {ProgramKind::PerfEvent, {target}, {}, std::move(arguments)};
}

/// Returns a hook for the end of a thread's wait for a lock: contention_begin(lock, flags), contention_end(lock,
/// result). The flags of contention_begin are stored until contention_end. The phases are spinning (0) and blocking
/// (1).
inline Hook contended(std::vector<Filter> begins, std::vector<Source> arguments, std::vector<Filter> filters = {})
{
    constexpr int64_t kSpin = 1; // the kernel's LCB_F_SPIN (include/trace/events/lock.h)
    const std::vector<Source> key{word(0), {{Kind::CurrentTask}}};
    const Hook begin{ProgramKind::RawTracepoint,
                     {"contention_begin"},
                     std::move(begins),
                     {word(1, 4), choice(bits(word(1, 4), kSpin), 0, constant(1), constant(0))},
                     {},
                     key};
    return {ProgramKind::RawTracepoint,
            {"contention_end"},
            std::move(filters),
            std::move(arguments),
            std::make_shared<const Hook>(begin),
            key};
}

inline std::vector<Hook> both(std::vector<Hook> one, const std::vector<Hook>& other)
{
    one.insert(one.end(), other.begin(), other.end());
    return one;
}

inline ProbeArgument thread(uint8_t raw = 0)
{
    return {"struct task_struct *", "lwpsinfo_t *", raw};
}
inline ProbeArgument process(uint8_t raw = 0)
{
    return {"struct task_struct *", "psinfo_t *", raw};
}
inline ProbeArgument number(uint8_t raw)
{
    return {"int", {}, raw};
}

/// maximum number of rows per provider; it is above all indexes of probes
inline constexpr uint32_t kMaxRows = 64;

/// Return the tables of the providers. Never change the order of the rows of a table, because the index of a row can be
/// the index of a probe.
const std::vector<Row>& proc_rows();
const std::vector<Row>& sched_rows();
const std::vector<Row>& ip_rows();
const std::vector<Row>& tcp_rows();
const std::vector<Row>& udp_rows();
const std::vector<Row>& io_rows();
const std::vector<Row>& lockstat_rows();
const std::vector<Row>& vminfo_rows();
const std::vector<Row>& sysinfo_rows();
const std::vector<Row>& sdt_rows();
const std::vector<Row>& fsinfo_rows();
const std::vector<Row>& mib_rows();
const std::vector<Row>& nfsv3_rows();
const std::vector<Row>& nfsv4_rows();
const std::vector<Row>& list_rows();

} // namespace dt::probes::stable

// Probes with stable names (proc, sched, …): each is a hook of the kernel, conditions on what it tells, and a choice of
// its values. A row says all of it; offsets of members come from the running kernel's types, so that a row holds for
// every kernel. One file beside this one holds the rows of a provider.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dcompiler/probes.hpp"
#include "dcompiler/plan.hpp"

namespace dt::probes::stable {

using Kind = Location::Kind;
using Relation = Condition::Relation;

/// What a machine says of a datum, when the row is planned: a row holds for every machine too.
enum class Role : uint8_t {
    None,
    Argument,     ///< register: of a function's argument `index`
    ArgumentHome, ///< address of the context: where the word is that holds argument `offset`
    Result,       ///< register: of a function's result
    Stack,        ///< register: the stack pointer
    ReturnPops,   ///< constant: less what a return adds to the stack pointer
    Call,         ///< register of the process: number of the system call
    CallArgument, ///< register of the process: argument `index` of the system call
    CallStatus,   ///< word of the task: whether the call is one of a 32-bit program
    CallNarrow,   ///< bits: that one
};

/// A datum of a row: a location whose offset may be that of a member, "struct.path", looked up when it is planned; its
/// size too, where the row says 0.
struct Source {
    Location where;
    const char* record = nullptr;
    const char* member = nullptr;
    std::vector<Source> of = {}; ///< become the location's
    Role role = Role::None;
};

/// System calls by their names: those of them that the machine has.
using Calls = std::vector<std::string_view>;

struct When {
    Source left;
    Relation relation;
    std::vector<int64_t> values;
    std::optional<Source> right = {};
    std::vector<const char*> functions = {}; ///< whose addresses are further values
    std::pair<const char*, const char*> enumerator = {
        nullptr, ""}; ///< an enum of the kernel and a name in it, which is a further value
    Calls calls = {}; ///< whose numbers are further values
};

/// Where a row's probe fires.
struct Hook {
    ProgramKind kind;
    std::vector<const char*> targets; ///< of a kprobe: names of one function in different kernels
    std::vector<When> when;
    std::vector<Source> arguments;              ///< arg0, arg1, …
    std::shared_ptr<const Hook> beginning = {}; ///< where that begins which ends here (AttachPlan::beginning); its
                                                ///< arguments are what is noted, and the phase
    std::vector<Source> key = {};               ///< of a beginning, and of its end
    bool every = false;                         ///< all of the functions that there are, not the first
    uint32_t least_parameters = 0; ///< of a tracepoint: kernels whose tracepoint has fewer mean something else by it
    std::optional<bool> new_threads_return =
        {}; ///< on machines of which that is true alone (machine::Ways); none: on all
};

struct Row {
    const char* name;
    std::vector<Hook> hooks;
    std::vector<ProbeArgument> signature;
    std::vector<Hook> otherwise =
        {}; ///< what serves instead without kprobes, or with none of the hooks, if the kernel has the first of these
    const char* module = nullptr; ///< only who asks for it gets this row, which tells a part of what another one of the
                                  ///< name does; null: vmlinux
    std::vector<Hook> fallback = {}; ///< serves where neither `hooks` nor `otherwise` can be attached
};

inline Source word(uint32_t index, uint8_t size = 8)
{
    return {{Kind::ContextWord, index, 0, size, size != 8}};
}
inline Source member(uint32_t index, const char* record, const char* path, uint8_t size)
{
    return {{Kind::KernelMemory, index, 0, size, size == 4}, record, path};
}
inline Source constant(int64_t value)
{
    return {{Kind::Constant, 0, value}};
}
/// Of a function, by its number; smaller ones than a word are signed.
inline Source parameter(std::size_t number, uint8_t size = 8)
{
    return {{Kind::Register, static_cast<uint32_t>(number), 0, size, size != 8}, nullptr, nullptr, {}, Role::Argument};
}
/// Where the word is that holds it.
inline Source parameter_address(std::size_t number)
{
    return {{Kind::ContextAddress, 0, static_cast<int64_t>(number)}, nullptr, nullptr, {}, Role::ArgumentHome};
}
/// A member of the struct that `base` points to; 0 when it points nowhere.
inline Source behind(Source base, const char* record, const char* path)
{
    return {{Kind::KernelMemory, 0, 0, 0}, record, path, {std::move(base)}};
}
/// Bytes at a place that is the same everywhere: of a packet, say.
inline Source bytes(Source base, int64_t offset, uint8_t size)
{
    return {{Kind::KernelMemory, 0, offset, size}, nullptr, nullptr, {std::move(base)}};
}
inline Source sum(Source left, Source right)
{
    return {{Kind::Sum}, nullptr, nullptr, {std::move(left), std::move(right)}};
}
inline Source difference(Source left, Source right)
{
    return {{Kind::Difference}, nullptr, nullptr, {std::move(left), std::move(right)}};
}
inline Source cpu_info(Source number)
{
    return {{Kind::CpuInfo}, nullptr, nullptr, {std::move(number)}};
}
inline Source bits(Source of, int64_t mask)
{
    return {{Kind::Bits, 0, mask}, nullptr, nullptr, {std::move(of)}};
}
inline Source shifted(Source of, int64_t bits)
{
    return {{Kind::Shift, 0, bits}, nullptr, nullptr, {std::move(of)}};
}
/// `yes` where the value is that one, else `no`.
inline Source choice(Source of, int64_t value, Source yes, Source no)
{
    return {{Kind::Choice, 0, value}, nullptr, nullptr, {std::move(of), std::move(yes), std::move(no)}};
}
/// Where a member is.
inline Source address(Source base, const char* record, const char* path)
{
    return sum(std::move(base), {{Kind::Constant}, record, path});
}

inline Source of_task(const char* path)
{
    return {{Kind::TaskWord}, "task_struct", path};
}
/// The number of the system call that the process is in, and its arguments.
inline const Source call_number{{Kind::UserRegister}, nullptr, nullptr, {}, Role::Call};
inline Source call_argument(std::size_t number)
{
    return {{Kind::UserRegister, static_cast<uint32_t>(number)}, nullptr, nullptr, {}, Role::CallArgument};
}
/// Whether a number of a system call is one of these.
inline When among(Source number, Calls calls, Relation relation = Relation::OneOf)
{
    return {std::move(number), relation, {}, {}, {}, {nullptr, ""}, std::move(calls)};
}

/// Of a system call: the numbers of those of 32-bit programs mean others.
inline const When native_call{
    {{Kind::Bits}, nullptr, nullptr, {{{Kind::TaskWord}, nullptr, nullptr, {}, Role::CallStatus}}, Role::CallNarrow},
    Relation::Equal,
    {0}};

inline Hook raw(const char* tracepoint, std::vector<Source> arguments = {}, std::vector<When> when = {})
{
    return {ProgramKind::RawTracepoint, {tracepoint}, std::move(when), std::move(arguments)};
}

inline Hook function(std::vector<const char*> names, std::vector<Source> arguments = {}, std::vector<When> when = {})
{
    return {ProgramKind::Kprobe, std::move(names), std::move(when), std::move(arguments)};
}

/// The return of a function, which knows its argument `known`: one call is told from all others by where its return
/// address is.
inline Hook function_return(std::vector<const char*> names, std::vector<Source> arguments, std::vector<When> when = {},
                            bool every = false, std::size_t known = 0)
{
    const Source frame{{Kind::Register}, nullptr, nullptr, {}, Role::Stack},
        left = sum(frame, {{Kind::Constant}, nullptr, nullptr, {}, Role::ReturnPops});
    const Hook entry{ProgramKind::Kprobe, names, {}, {parameter(known)}, {}, {frame}, every};
    return {ProgramKind::Kretprobe,
            std::move(names),
            std::move(when),
            std::move(arguments),
            std::make_shared<const Hook>(entry),
            {left},
            every};
}
/// The return of a function of which only the result is wanted.
inline Hook function_result(std::vector<const char*> names, std::vector<Source> arguments, std::vector<When> when)
{
    return {ProgramKind::Kretprobe, std::move(names), std::move(when), std::move(arguments)};
}

inline Source result_of(uint8_t size, bool is_signed = true)
{
    return {{Kind::Register, 0, 0, size, is_signed}, nullptr, nullptr, {}, Role::Result};
}
inline const Source noted{{Kind::Noted}}, result = result_of(4);

/// A software event of perf_event_open(2), each time it happens.
inline Hook event(const char* target, std::vector<Source> arguments)
{
    return {ProgramKind::PerfEvent, {target}, {}, std::move(arguments)};
}

/// The beginning and the end of a thread's waiting for a lock: contention_begin(lock, flags), contention_end(lock,
/// result). What is noted are the flags it begins with; phases are spinning (0) and blocking (1).
inline Hook contended(std::vector<When> begins, std::vector<Source> arguments, std::vector<When> when = {})
{
    constexpr int64_t kSpin = 1; // include/trace/events/lock.h: LCB_F_SPIN
    const std::vector<Source> key{word(0), {{Kind::CurrentTask}}};
    const Hook begin{ProgramKind::RawTracepoint,
                     {"contention_begin"},
                     std::move(begins),
                     {word(1, 4), choice(bits(word(1, 4), kSpin), 0, constant(1), constant(0))},
                     {},
                     key};
    return {ProgramKind::RawTracepoint,
            {"contention_end"},
            std::move(when),
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

/// Room for the numbers of a provider's probes.
inline constexpr uint32_t kMostRows = 64;

/// The rows of each provider: never changed, so that a row's place among them can be a probe's number.
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

} // namespace dt::probes::stable

// How probes are hooked: what a provider answers when it is asked for a plan, what lowering makes a program for, what
// the loader attaches.
//
// The mechanism decides where the arguments are, not the probe: the same function entry has registers under a kprobe
// and words under fentry. So a plan names both, and nobody behind the provider asks which provider it was.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/probes.hpp"

namespace dt::machine {
struct SystemCalls;
}

namespace dt {

// ---- program kinds ------------------------------------------------------------------------------------------------

/// The kinds of BPF programs that probes become. All that differs between them is in their descriptors. New ones come
/// before FaultCall: what hooks cost is kept for a boot by these numbers.
enum class ProgramKind : uint8_t {
    RawTracepoint,
    PerfEvent,
    TestRun, ///< a raw-tracepoint program run once by this process: BEGIN, END
    Kprobe,
    Kretprobe,
    KprobeMulti, ///< one program and one link for any number of functions
    KretprobeMulti,
    KprobeSession, ///< the same at entry and return of functions, with a word that is kept from one to the other
    Fentry,        ///< called by the function itself: one program for each, made for its prototype
    Fexit,
    Tracepoint, ///< gets the record that the kernel writes of a trace event
    Uprobe,     ///< an instruction of a file, in every process that maps it or in one
    Uretprobe,
    UprobeMulti, ///< one program and one link for any number of instructions of a file
    UretprobeMulti,
    FentryMulti,     ///< called by any number of functions themselves: it knows nothing of their prototypes
    TypedTracepoint, ///< a raw tracepoint's program that the kernel lets use the objects it is given
    Application,     ///< run by the engine of a program (embed/): the kernel never sees it
    FaultCall,       ///< no program of its own: compiled code calls it when a clause faults (ERROR)
};
inline constexpr std::size_t kProgramKinds = 19;

/// What the kernel's stack begins with when a program of a kind asks for it.
enum class StackBegin : uint8_t {
    Interrupted, ///< what the CPU was doing: the kernel was handed its registers
    Tracepoint,  ///< frames of the tracer, and while several programs are attached the tracepoint's iterator
    Event,       ///< while several programs are attached the tracepoint's iterator; then what met the tracepoint
    Function,    ///< the program and what calls it; then the function that is probed
    Returned,    ///< who called the function that has just returned
    Caller,      ///< frames of the tracer, then of the system call that runs the program
};

/// What of the kernel a target names.
enum class TargetKind : uint8_t { Tracepoint, Function, Other };

struct ProgramKindInfo {
    ProgramKind kind;
    std::string_view name; ///< in messages
    std::string_view
        section; ///< ELF section, from which libbpf takes the types of program and attachment; empty: no program
    std::string_view
        context; ///< the kernel's name of the struct a program gets: a function that takes it may be verified apart
    StackBegin stack;
    bool cookie = false;    ///< bpf_get_attach_cookie() tells which target fired
    bool registers = false; ///< the context is struct pt_regs
    TargetKind target = TargetKind::Other;
    bool at_load = false;     ///< its only target is named when it is loaded
    bool refusable = false;   ///< the kernel may refuse it when it is loaded, whatever the program does
    bool preemptible = false; ///< another thread may run on the CPU while a program does: not inside tracepoints,
                              ///< kprobes and what an interrupt runs
    bool by_memory =
        false; ///< targets that name a process fire in all that share its memory, vfork(2)'s children as well
    bool unguarded = false; ///< the kernel may run another program of the kind, or this one again, on a CPU where one
                            ///< is in the middle
    bool in_application = false; ///< it is no program of the kernel's
    bool both_ends =
        false; ///< it gets what it fires at the beginning of as well: AttachPlan::beginning is no program of its own
    uint32_t attach_type =
        0; ///< enum bpf_attach_type that the program is loaded for, where the section does not say it
};

const ProgramKindInfo& info(ProgramKind kind);

/// What it depends on how much the kernel does before a program begins, and after it ends.
struct HookKind {
    enum class Way : uint8_t {
        Plain,
        Call,     ///< system calls take another way through the kernel while their entries are traced
        CallEnd,  ///< or their returns
        CallEnds, ///< or both, which share that way: of a price only
        Step,     ///< the kernel steps over the instruction: AttachPlan::steps
    };
    ProgramKind kind = ProgramKind::TestRun;
    Way way = Way::Plain;

    auto operator<=>(const HookKind&) const = default;
};

// ---- where data are -----------------------------------------------------------------------------------------------

/// Where a datum of up to 64 bits is found when a probe fires. A provider describes with these; lowering turns them
/// into loads.
struct Location {
    enum class Kind : uint8_t {
        Zero,
        ContextWord,    ///< u64 at byte 8*index of the context
        ContextField,   ///< `size` bytes at byte `offset` of the context: a typed field of a tracepoint's event
        ContextAddress, ///< address of byte `offset` of the context: a field of a tracepoint's event that is no number
        DataLoc, ///< address of a tracepoint's variable-length field: as many bytes after `index` as the word at byte
                 ///< `offset` of the context says
        UserRegister, ///< word `index` of the task's saved user registers (struct pt_regs), as at kernel entry, of
                      ///< which the low `size` bytes count; of[0], if it is there, has their address
        Register,     ///< u64 word `index` of the context's pt_regs, of which the low `size` bytes count
        StackWord,    ///< u64 in kernel memory, 8*index bytes above where the context's stack pointer points
        UserMemory,   ///< `size` bytes of user memory at register `index`, or none, + register `scaled`, or where it is
                      ///< there of[0] (a Register), * `scale` + `offset`
        Constant,     ///< `offset` itself
        CallArgument, ///< UserRegister, as it is in a system call of a 64-bit program; of a 32-bit one u32 word
                      ///< `scaled`
        KernelPc,     ///< PerfEvent: interrupted pc when the CPU was in the kernel, else 0
        UserPc,       ///< PerfEvent: interrupted pc when the CPU was in user mode, else 0
        FaultWord,    ///< ERROR: word `index` of the fault being reported
        KernelMemory, ///< `size` bytes of kernel memory `offset` bytes behind where of[0] points, or where nothing is
                      ///< there context word `index`; 0 if unreadable
        Sum,          ///< of[0] + of[1]
        Difference,   ///< of[0] - of[1]
        Bits,         ///< those bits of of[0] that `offset` has
        Shift,        ///< of[0] divided by two, `offset` times
        Choice,       ///< of[1] where of[0] is `offset`, else of[2]
        CurrentTask,  ///< address of the current task
        CpuInfo,      ///< address of what `curcpu` points to on CPU number of[0]; 0: there is no such CPU
        ExitReason,   ///< CLD_EXITED, CLD_KILLED or CLD_DUMPED, from the wait status of[0]
        TaskWord,     ///< u32 at byte `index` of the current task: what is at the same place in every kernel only
        FunctionArgument, ///< FentryMulti: u64 argument `index` of the function; 0 where it has none
        Cookie,           ///< u64 that the fired target was attached with
        Noted,            ///< u64 that was noted at AttachPlan::beginning
        Elapsed,          ///< nanoseconds since AttachPlan::beginning, those in phase `index`
    } kind = Kind::Zero;
    static constexpr uint32_t kNoRegister = UINT32_MAX;
    uint32_t index = 0;
    int64_t offset = 0;
    uint8_t size = 8; ///< 1, 2, 4 or 8; smaller ones are extended by `is_signed`
    bool is_signed = false;
    uint8_t scale = 0; ///< UserMemory: 1, 2, 4, 8, or 0: no scaled register
    uint32_t scaled = 0;
    std::vector<Location> of = {}; ///< the data that this one is made of
    bool operator==(const Location&) const = default;
};

/// The number of the system call that the current task makes; less than 0 where it makes none.
Location number_of_call(const machine::SystemCalls& calls);

// ---- plans --------------------------------------------------------------------------------------------------------

/// What the clauses of the probes want of the mechanism.
struct ProbeNeeds {
    bool overrides = false; ///< return(): the program answers in place of the function
};

/// One place where a program is attached.
struct AttachTarget {
    std::string where; ///< the mechanism's own text: tracepoint, function, "4999999:all", "BEGIN"; of uprobes the file,
                       ///< as it is opened here
    uint64_t cookie = 0;  ///< what Location::Cookie reads there
    uint64_t address = 0; ///< of a function whose name is not its own alone (0: `where` is enough); of uprobes the
                          ///< instruction's offset in the file
    const Probe* probe = nullptr; ///< what fires there, when it is one probe
    uint64_t counter =
        0; ///< of uprobes: offset in the file of a number that is one more while the probe is there; 0: none
    int64_t process =
        0;             ///< of uprobes: the only process they fire in, with all of its threads; 0: all that map the file
    uint32_t type = 0; ///< of FentryMulti: the function's number in the kernel's types
};

/// What must be true for the probes to fire.
struct Condition {
    Location left;
    enum class Relation : uint8_t { Equal, NotEqual, Greater, OneOf } relation = Relation::Equal; ///< signed
    std::vector<int64_t> values;   ///< one, or for OneOf any
    std::optional<Location> right; ///< instead of a value
};

struct PlannedProbe {
    const Probe* probe = nullptr;
    uint64_t selector = 0;
    int64_t process = 0; ///< whose it is; 0: nobody's
};

/// Where the probes of a plan fire, beyond what the mechanism itself sees to.
enum class FiresIn : uint8_t {
    Any,     ///< wherever the mechanism fires
    Process, ///< PlannedProbe::process alone
    Tree,    ///< that process and those that are followed because it was (DT_MAP_FOLLOWED)
};

/// What fires in one process where it is a probe of its own: the selector that stands for what the mechanism tells.
struct OfProcess {
    uint64_t told = 0;
    int64_t process = 0;
    uint64_t selector = 0;
};

/// Code of a function whose return probe is at its return instructions: [start, end) of a file.
struct LeftCode {
    const Probe* probe = nullptr;
    int64_t process = 0;               ///< whose probe it is
    int64_t seen_in = 0;               ///< that process, or one that is followed because of it
    std::array<uint64_t, 2> file = {}; ///< device, inode
    uint64_t start = 0, end = 0;
};

/// System calls that 32-bit programs make: by numbers of their own.
struct NarrowCalls {
    Condition never; ///< two locations that are equal in calls of 64-bit programs only, if not in all: looked at first,
                     ///< being cheap
    Location told;   ///< has bit number `bit` in calls of 32-bit programs
    uint32_t bit = 0;
    std::vector<uint16_t> selectors; ///< of the probe that each number means there; kNobody: none
    static constexpr uint16_t kNobody = UINT16_MAX;
};

/// As many arguments as a probe has at most: args[] all of them, arg0 to arg9 the first. A trace event of 6.18 has 20
/// fields.
inline constexpr std::size_t kMostArguments = 24;

/// Probes that one program serves, and how.
struct AttachPlan {
    ProgramKind kind = ProgramKind::RawTracepoint;
    std::vector<AttachTarget> targets;
    std::vector<PlannedProbe> probes; ///< by selector
    /// Which of the probes fired: the value equals its selector. Empty: there is just one.
    std::optional<Location> selector;
    uint32_t selector_bound = 0;       ///< with a selector: values are below this, so a table may be indexed by it
    std::optional<NarrowCalls> narrow; ///< with a selector: what is told means something else there
    std::vector<OfProcess>
        of_processes;        ///< with a selector: of these processes it is another; what is told serves all others
    bool everywhere = false; ///< of uprobes: in every process that maps the files, now and later
    FiresIn fires_in = FiresIn::Any;
    std::array<Location, kMostArguments> arguments{};
    Location return_value; ///< the value of errno here, as a negative return value (syscall return): or Zero
    std::vector<Condition> conditions; ///< all of them: else the probes do not fire
    /// Where that begins which the probes fire at the end of; they fire if it was seen. It serves no clause. Its
    /// arguments[0] is noted, and arguments[1], unless Zero, says which of two phases begins, 0 or 1: such a thing may
    /// begin again before it ends, in the other phase.
    std::shared_ptr<const AttachPlan> beginning;
    std::vector<Location>
        key; ///< of a beginning and of its end: what they have in common, and nothing else that goes on has
    /// Where a process asks whether the probes are enabled. It serves no clause: it reads 1 where arguments[0] points.
    std::shared_ptr<const AttachPlan> asking;
    /// Where processes unwind their stacks, which ends calls of these functions without a return. It serves no clause:
    /// cookies say what the place is (DT_UNWOUND_…), and above 32 bits the process, unless its children count as well
    /// (FiresIn::Tree).
    std::shared_ptr<const AttachPlan> unwinder;
    std::vector<LeftCode> left_code;
    bool alternatives =
        false; ///< the targets are names that one place has in different kernels: the first that attaches serves
    bool overrides = false;    ///< return() works here
    bool at_entry = false;     ///< of uprobes: the address that the function returns to is where the stack pointer is
    bool steps = false;        ///< of uprobes: at instructions that the kernel mostly cannot emulate
    bool by_the_clock = false; ///< fires whatever process happens to run: it is in nobody's control group
    uint64_t period = 0;       ///< ns between two firings on a CPU, of a clock; 0: it is none
    bool is_kept = false;      ///< a firing that the kernel skipped is asked for again: the program counts its runs
    bool has_link = false;     ///< of a clock on one CPU: it has a link, which may outlive the tracer
    bool session_of = false;   ///< KprobeSession: the kernel's functions for its word want the context
    bool has_fallback = false; ///< when the kernel refuses this kind of program, another plan serves the same probes

    const ProgramKindInfo& kind_info() const { return info(kind); }
    HookKind hook_kind() const;
    /// The ELF section of its program, with the target where that has to be known when the program is loaded: "kprobe",
    /// "fentry/vfs_read".
    std::string section() const;
};

} // namespace dt

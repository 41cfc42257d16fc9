// Attach plans: the description of how probes are hooked. Providers create them, lowering generates a program for each,
// and the loader attaches it.
//
// The location of arguments depends on the mechanism, not on the probe: a kprobe receives the arguments of a function
// in a struct of registers, fentry in an array of 8-byte words. A plan therefore contains the mechanism and the
// locations, so that later code does not depend on the provider.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/interface/probes.hpp"

namespace dt::machine {
struct SystemCalls;
}

namespace dt {

// ---- kinds of BPF programs ----------------------------------------------------------------------------------------

/// Kinds of BPF programs for probes. All differences between them are in their descriptors. New kinds are inserted
/// before FaultCall, so that the values of present kinds do not change: a cache that lasts until the next boot
/// identifies hook costs by them.
enum class ProgramKind : uint8_t {
    RawTracepoint,
    PerfEvent,
    TestRun, ///< a raw-tracepoint program that the tracer itself calls once: BEGIN, END
    Kprobe,
    Kretprobe,
    KprobeMulti, ///< one program and one link for any number of functions
    KretprobeMulti,
    /// called at entry and return of functions, with a word of memory that the kernel keeps from entry to return
    KprobeSession,
    Fentry, ///< called directly by one probed function, for whose prototype the program was built
    Fexit,
    Tracepoint, ///< receives the kernel's record of a trace event
    Uprobe,     ///< runs at an instruction of a file, in every process that maps the file or in one process
    Uretprobe,
    UprobeMulti, ///< one program and one link for any number of instructions of a file
    UretprobeMulti,
    FentryMulti,     ///< called directly by any number of functions, without knowledge of their prototypes
    TypedTracepoint, ///< a raw tracepoint's program that may use the kernel objects in its arguments
    Application,     ///< executed by the engine (engine/embed/) in a process; the kernel does not know the program
    Iterator,        ///< called once for each existing object of a kind when the tracer reads the iterator (list)
    FaultCall,       ///< not a program: compiled code calls it when a clause faults (ERROR)
};
inline constexpr std::size_t kProgramKinds = 20;

/// Frames at the beginning of the kernel stacks that programs of a kind record.
enum class StackBegin : uint8_t {
    Interrupted, ///< frames of the interrupted code, because the kernel passes its registers to the program
    Tracepoint,  ///< frames of the tracer and, while several programs are attached, the tracepoint's iterator
    Event,    ///< the tracepoint's iterator while several programs are attached, then the code that hit the tracepoint
    Function, ///< frames of the program and its caller, then of the probed function
    Returned, ///< frame of the caller of the function that has returned
    Caller,   ///< frames of the tracer, then frames of the system call that runs the program
};

/// Kind of object at which a program is attached.
enum class TargetKind : uint8_t {
    Tracepoint,
    Function,    ///< a function of the kernel
    Instruction, ///< an instruction of a file that processes map
    Iterator,    ///< a BPF iterator: "task"
    Other
};

struct ProgramKindInfo {
    ProgramKind kind;
    std::string_view name; ///< name of the program kind in messages
    /// ELF section, from which libbpf derives the types of program and attachment; empty: no program.
    std::string_view section;
    /// Kernel name of the context struct; the verifier can check a function with such a parameter on its own.
    std::string_view context;
    StackBegin stack;
    bool cookie = false;    ///< whether bpf_get_attach_cookie() identifies the target that has called the program
    bool registers = false; ///< whether the program's context is struct pt_regs
    TargetKind target = TargetKind::Other;
    bool at_load = false;   ///< the program has a single target, which must be given when the program is loaded
    bool refusable = false; ///< whether some kernels refuse to load programs of this kind, whatever code they contain
    /// Another thread may preempt the program. This never happens inside tracepoints, kprobes and interrupts.
    bool preemptible = false;
    /// Targets that are limited to a process also fire in other processes that share its memory, such as vfork(2)
    /// children.
    bool per_address_space = false;
    /// On the same CPU, another program of this kind, or the same program, may interrupt this one.
    bool interruptible = false;
    bool in_engine = false; ///< whether the program runs in the user-space engine and not in the kernel
    /// This program also runs at the entry of an entry/return pair, so AttachPlan::start_hook needs no separate
    /// program.
    bool entry_and_return = false;
    uint32_t attach_type = 0;   ///< enum bpf_attach_type at load time, if the section does not imply it
    bool run_by_tracer = false; ///< whether the tracer itself calls the program once for each firing: BEGIN, END
    /// whether the kernel replaces return addresses on the stacks of processes to call the program
    bool replaces_return = false;
    /// each target is attached by a system call of its own, and for fentry and fexit also needs a program of its own
    bool attached_singly = false;
    uint32_t hook_memory = 512;     ///< upper estimate of the bytes of kernel memory for the hook of a target
    bool memory_per_cpu = false;    ///< every CPU needs hook_memory bytes for each target
    const char* function = nullptr; ///< kernel function whose type information shows that this kind exists
    /// structure that shows the same in kernels whose type information lists only traceable functions; null: none
    const char* structure = nullptr;
    /// The program's context begins with a pointer to struct bpf_iter_meta, and the program writes a byte to the file
    /// of the iterator for each object. Thus a read of n bytes calls the program for n objects.
    bool writes_file = false;
    /// another program kind, whose measured hook overhead is also used for this kind
    std::optional<ProgramKind> costs_like = {};

    bool is_program() const { return !section.empty(); }
};

std::span<const ProgramKindInfo> program_kinds();
const ProgramKindInfo& info(ProgramKind kind);

/// Kind of hook, which determines the kernel's work before and after a program.
struct HookKind {
    enum class Path : uint8_t {
        Plain,
        SyscallEntry, ///< system calls take a longer path through the kernel while their entries are traced
        SyscallExit,  ///< system calls take a longer path while their returns are traced
        /// system calls take a longer path while entries and returns are traced; used only to estimate costs
        SyscallBoth,
        SingleStep, ///< the kernel single-steps the instruction: AttachPlan::single_steps
    };
    ProgramKind kind = ProgramKind::TestRun;
    Path way = Path::Plain;

    auto operator<=>(const HookKind&) const = default;
};

// ---- locations of data when a probe fires -------------------------------------------------------------------------

/// Location of a datum of up to 64 bits when a probe fires. Providers describe data by locations; lowering emits loads
/// for them.
struct Location {
    enum class Kind : uint8_t {
        Zero,
        ContextWord,    ///< u64 at byte 8*index of the program's context
        ContextField,   ///< `size` bytes at byte `offset` of the context: a numeric field of a trace event
        ContextAddress, ///< address of byte `offset` of the context: a field of a trace event that is not a number
        /// Address of a variable-length field of a trace event: address of the context + low half of the word at byte
        /// `offset` of the context + `index`.
        DataLoc,
        /// Low `size` bytes of word `index` of the task's user registers (struct pt_regs) at kernel entry; of[0], if
        /// present, yields the address of these registers.
        UserRegister,
        Register,  ///< low `size` bytes of u64 word `index` of the context's pt_regs
        StackWord, ///< u64 in kernel memory, 8*index bytes above the context's stack pointer
        /// `size` bytes of user memory at register `index` (if any) + register `scaled` (or of[0], a Register) *
        /// `scale` + `offset`.
        UserMemory,
        Constant, ///< the constant number in `offset`
        /// in a system call of a 64-bit program: the datum that UserRegister describes; in a system call of a 32-bit
        /// program: u32 word `scaled` of the same registers
        CallArgument,
        KernelPc,  ///< PerfEvent: interrupted pc if the CPU was in the kernel, else 0
        UserPc,    ///< PerfEvent: interrupted pc if the CPU was in user mode, else 0
        FaultWord, ///< ERROR: word `index` of the fault that is being reported
        /// `size` bytes of kernel memory at `offset` from of[0] or, without it, from context word `index`; 0 if
        /// unreadable.
        KernelMemory,
        Add,         ///< sum of the locations of[0] and of[1]
        Subtract,    ///< difference of the locations of[0] and of[1]
        And,         ///< bitwise AND of the location of[0] and the number `offset`
        ShiftRight,  ///< location of[0], shifted right by `offset` bits
        Select,      ///< of[1] if of[0] equals `offset`, else of[2]
        CurrentTask, ///< address of the current task's task_struct
        /// address of the `curcpu` structure of the CPU whose number is at location of[0]; 0 if the CPU does not exist
        CpuInfo,
        ExitReason, ///< CLD_EXITED, CLD_KILLED or CLD_DUMPED, from the wait status at location of[0]
        /// u32 at byte `index` of the current task_struct, for members with the same offset in all kernels
        TaskWord,
        FunctionArgument, ///< FentryMulti: u64 argument `index` of the function, or 0 if it has none
        Cookie,           ///< u64 attach cookie of the target that has called the program
        Recorded,         ///< u64 that the program of AttachPlan::start_hook has recorded
        Elapsed,          ///< nanoseconds that phase `index` has lasted since the program of AttachPlan::start_hook ran
        UserWord,         ///< `size` bytes of user memory at the address at location of[0]; 0 if unreadable
        Compute,          ///< result of the Computation `index` with the data at the locations of[0] and of[1]
        ThreadPointer,    ///< address at which the current thread's thread-local variables are found
        Unknown,          ///< no datum: reading it is the fault "illegal operation"
    } kind = Kind::Zero;
    /// Operations of Compute. Division and remainder are those of unsigned numbers.
    enum Computation : uint32_t {
        Multiply,
        Divide,
        Remainder,
        AndBits,
        OrBits,
        XorBits,
        ShiftLeft,
        ShiftRightUnsigned,
        ShiftRightSigned
    };
    static constexpr uint32_t kComputations = 9;
    static constexpr uint32_t kNoRegister = UINT32_MAX;
    uint32_t index = 0;
    int64_t offset = 0;
    uint8_t size = 8; ///< 1, 2, 4 or 8; smaller data are extended according to `is_signed`
    bool is_signed = false;
    uint8_t scale = 0; ///< UserMemory: factor 1, 2, 4 or 8; 0: no scaled register
    uint32_t scaled = 0;
    std::vector<Location> of = {}; ///< locations from which the datum of this location is computed
    bool operator==(const Location&) const = default;
};

/// Location of a variable of the traced program. The variable consists of pieces, which are in different places if the
/// compiler has split a structure.
struct VariableLocation {
    struct Piece {
        uint32_t offset = 0; ///< offset of the piece in the variable
        uint32_t size = 0;   ///< size of the piece in bytes
        /// whether the datum at the location is the address of the piece; else it is the piece itself
        bool is_address = false;
        Location at;
        bool operator==(const Piece&) const = default;
    };
    std::vector<Piece> pieces;
    std::vector<ByteRange> lost; ///< bytes of the variable that the compiler has optimized away
    /// Returns whether the whole variable is in memory.
    bool is_in_memory() const { return pieces.size() == 1 && pieces.front().is_address && lost.empty(); }
    bool operator==(const VariableLocation&) const = default;
};

/// Returns the location of the current system call's number, which is negative outside of system calls.
Location number_of_call(const machine::SystemCalls& calls);

// ---- attach plans -------------------------------------------------------------------------------------------------

/// Properties that the attach mechanism must have because the clauses of the probes use them.
struct ProbeNeeds {
    bool overrides = false; ///< return(): the program must be able to replace the function's result
    /// names of the traced program's variables that the clauses of a probe read
    std::map<const Probe*, std::set<std::string>> variables = {};
};

/// One target of an attached program: a function, a tracepoint, a timer, or an instruction of a file.
struct AttachTarget {
    /// Name of the target, depending on the mechanism: tracepoint, function, "4999999:all", "BEGIN"; for uprobes the
    /// path of the file on this machine.
    std::string where;
    uint64_t cookie = 0; ///< value that Location::Cookie has when this target calls the program
    /// Address of a function with an ambiguous name (0: `where` suffices); for uprobes the instruction's offset in the
    /// file.
    uint64_t address = 0;
    const Probe* probe = nullptr; ///< the probe that fires at this target, if there is only one
    /// uprobes: offset in the file of a counter that is incremented while the probe is attached; 0: none.
    uint64_t counter = 0;
    /// uprobes: the only process in which the target fires, with all its threads; 0: all processes that map the file.
    int64_t process = 0;
    uint32_t type = 0; ///< FentryMulti: the function's id in the kernel's type information
};

/// Condition on data at two locations that must hold when the program runs; otherwise no probe fires.
struct Condition {
    Location left;
    enum class Relation : uint8_t {
        Equal,
        NotEqual,
        Greater,
        OneOf
    } relation = Relation::Equal; ///< relation Greater compares signed numbers
    std::vector<int64_t> values;  ///< values to compare with: exactly one, or for OneOf any number of values
    /// if present, `left` is compared with the datum at this location and not with `values`
    std::optional<Location> right;
};

struct PlannedProbe {
    const Probe* probe = nullptr;
    uint64_t selector = 0;
    int64_t process = 0; ///< id of the process to which the probe belongs; 0: it belongs to no single process
};

/// Restriction of the processes in which a plan's probes fire, in addition to restrictions by the mechanism.
enum class ProcessScope : uint8_t {
    Any,     ///< the probes fire in all processes
    Process, ///< the probes fire only in the process PlannedProbe::process
    Tree,    ///< the probes fire in PlannedProbe::process and in the processes followed because of it (DT_MAP_FOLLOWED)
};

/// Selector of a probe that exists in only one process. In that process it replaces the common selector.
struct PerProcessSelector {
    uint64_t common_selector = 0;
    int64_t process = 0;
    uint64_t selector = 0;
};

/// Code range [start, end) in a file. The range is a function whose return probe is attached to its return
/// instructions.
struct ReturnProbeRange {
    const Probe* probe = nullptr;
    int64_t process = 0; ///< process id that is part of the probe's provider name
    /// Process that has mapped the file: the process `process`, or one that is followed because of it.
    int64_t mapped_in = 0;
    std::array<uint64_t, 2> file = {}; ///< device and inode of the file
    uint64_t start = 0, end = 0;
};

/// Numbers of system calls in 32-bit programs, which differ from those in 64-bit programs.
struct CompatSyscalls {
    /// Compares the data at two locations, which are equal only in calls of 64-bit programs. This cheap test comes
    /// first. If the data differ, the call may still be one of a 64-bit program, and compat_flag decides.
    Condition native_test;
    Location compat_flag; ///< bit number `bit` is set in calls of 32-bit programs
    uint32_t bit = 0;
    std::vector<uint16_t> selectors; ///< for each system-call number, the selector of the probe; kNoProbe: none
    static constexpr uint16_t kNoProbe = UINT16_MAX;
};

/// Largest number of arguments of a probe: args[] has all of them, arg0 to arg9 the first ten. A trace event of Linux
/// 6.18 has 20 fields.
inline constexpr std::size_t kMaxArguments = 24;

/// A BPF program for a set of probes, and the description of how it is attached.
struct AttachPlan {
    ProgramKind kind = ProgramKind::RawTracepoint;
    std::vector<AttachTarget> targets;
    std::vector<PlannedProbe> probes; ///< probes of the plan, ordered by selector
    /// Location of the value that identifies the fired probe: it equals the probe's selector. Empty if there is only
    /// one probe.
    std::optional<Location> selector;
    /// With a selector: exclusive upper bound of its values. A table indexed by the selector is used if the bound is
    /// small.
    uint32_t selector_bound = 0;
    /// with a selector: how the selector is computed in calls of 32-bit programs
    std::optional<CompatSyscalls> compat_syscalls;
    std::vector<PerProcessSelector> per_process_selectors; ///< processes in which another selector replaces `selector`
    bool everywhere = false; ///< uprobes: the probes fire in every process that maps the files, now or later
    ProcessScope process_scope = ProcessScope::Any;
    std::array<Location, kMaxArguments> arguments{};
    /// Locations of the variables in ProbeNeeds::variables, which are the same at all targets.
    std::map<std::string, VariableLocation> variables;
    /// Location of the return value of a system call, with errors as negative numbers; Kind::Zero if there is none.
    Location return_value;
    std::vector<Condition> conditions; ///< the probes fire only if all these conditions hold
    /// Hook at the start of an activity at whose end the probes fire. An end fires only if its start was recorded. The
    /// hook's program has no clauses; it records the value of the hook's arguments[0]. The value of arguments[1],
    /// unless Zero, is the phase that begins, 0 or 1: an activity may start again in the other phase before it ends. If
    /// the hook has a start_hook itself, it begins only phases of activities that began there.
    std::shared_ptr<const AttachPlan> start_hook;
    /// data that identify an activity at its start and its end; unique among concurrent activities
    std::vector<Location> key;
    /// Hook for the checks by which processes ask whether the probes are enabled. Its program has no clauses and stores
    /// 1 at the address in arguments[0].
    std::shared_ptr<const AttachPlan> is_enabled_probe;
    /// Hook at the functions by which processes unwind their stacks, because unwinding ends calls without a return. Its
    /// program has no clauses. The low 32 bits of a target's cookie are the kind of unwinder function (DT_UNWINDER_…).
    /// The high 32 bits are the id of the process, or 0 if the children of the process are traced too
    /// (ProcessScope::Tree).
    std::shared_ptr<const AttachPlan> unwinder;
    std::vector<ReturnProbeRange> return_probe_ranges;
    /// The targets are the names that one function has in different kernels. The loader uses the first name to which it
    /// can attach.
    bool alternatives = false;
    bool overrides = false; ///< whether action return() works in the probed functions
    /// uprobes: whether the targets are function entries, where the return address is at the stack pointer
    bool at_entry = false;
    bool single_steps = false; ///< uprobes: whether the targets are instructions that the kernel usually cannot emulate
    /// the probe fires in any process that happens to run, so it belongs to no control group
    bool is_asynchronous = false;
    uint64_t period = 0; ///< timer probes: nanoseconds between two firings on a CPU; 0 for other probes
    /// The program counts its runs, so that the tracer can repeat firings that the kernel has skipped.
    bool counts_runs = false;
    /// timer probes on one CPU: a BPF link attaches the program, and the link may outlive the tracer
    bool has_link = false;
    /// KprobeSession: the kernel functions that return the session's word and direction (entry or return) take the
    /// context as argument.
    bool kfuncs_take_context = false;
    /// Fentry: the kernel calls the function only while a thread has a perf event. The attachment opens an event that
    /// never counts.
    bool needs_event = false;
    bool has_fallback = false; ///< whether another attach plan can serve the probes if the kernel refuses this one

    const ProgramKindInfo& kind_info() const { return info(kind); }
    HookKind hook_kind() const;
    /// Returns the ELF section of the program, including a target that is required at load time: "kprobe",
    /// "fentry/vfs_read".
    std::string section() const;
};

} // namespace dt

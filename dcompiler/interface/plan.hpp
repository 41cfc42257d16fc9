// Attach plans: descriptions of how the kernel calls a BPF program for a set of probes. Providers create them, lowering
// generates a program for each, and the loader attaches it.
//
// The location of arguments depends on the mechanism, not on the probe: a kprobe receives the arguments of a function
// in a struct of registers, fentry in an array of 8-byte words. A plan therefore contains the mechanism and the
// locations, so that the other components do not depend on the provider.
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

/// Kinds of BPF programs for probes. All differences between kinds are in their descriptors (ProgramKindInfo). Add new
/// kinds directly before FaultCall, so that the values of the other kinds do not change. A cache stores the cost of
/// hooks by these values, and lasts until the next boot.
enum class ProgramKind : uint8_t {
    RawTracepoint,
    PerfEvent,
    TestRun, ///< a raw-tracepoint program without a tracepoint, which the tracer itself calls once: BEGIN, END
    Kprobe,
    Kretprobe,
    KprobeMulti, ///< one program and one link for any number of functions
    KretprobeMulti,
    /// program called at entry and return of functions, with a word of memory that the kernel keeps from entry to
    /// return
    KprobeSession,
    Fentry, ///< program that one traced function calls directly; built for its prototype
    Fexit,
    Tracepoint, ///< a trace event's program, which receives the event's record from the kernel
    Uprobe,     ///< program at an instruction of a file, in every process that maps the file or in one process
    Uretprobe,
    UprobeMulti, ///< one program and one link for any number of instructions of a file
    UretprobeMulti,
    FentryMulti,     ///< program that any number of functions call directly, without knowledge of their prototypes
    TypedTracepoint, ///< a raw tracepoint's program that may use the kernel objects in its arguments
    Application,     ///< program that the engine (engine/embed/) runs in a process; the kernel does not know it
    Iterator,        ///< program called once for each existing object of a kind, when the tracer reads the iterator
    FaultCall,       ///< not a program: compiled code calls it when a clause faults (ERROR)
};
inline constexpr std::size_t kProgramKinds = 20;

/// First frames of the kernel stacks that programs of a kind see. Frames before the traced code are skipped.
enum class StackBegin : uint8_t {
    Interrupted, ///< stacks begin with the interrupted code, whose registers the kernel passes to the program
    Tracepoint,  ///< stacks begin with the tracer's frames; several programs add one of the kernel's loop over them
    Event,    ///< a frame of the kernel's loop over programs, if there are several; then the code with the tracepoint
    Function, ///< frames of the program and of its caller, then the traced function
    Returned, ///< stacks begin with the caller of the function that has returned
    Caller,   ///< frames of the tracer, then frames of the system call by which the tracer runs the program
};

/// Kind of object to which a program is attached.
enum class TargetKind : uint8_t {
    Tracepoint,
    Function,    ///< a function of the kernel
    Instruction, ///< an instruction of a file that processes map
    Iterator,    ///< a BPF iterator: "task"
    Other
};

struct ProgramKindInfo {
    ProgramKind kind;
    std::string_view name; ///< name of the program kind, for messages
    /// ELF section, from which libbpf derives the types of program and attachment; empty: no program.
    std::string_view section;
    /// Kernel name of the context struct; the verifier can check a function with such a parameter on its own.
    std::string_view context;
    StackBegin stack;
    bool cookie = false;    ///< whether bpf_get_attach_cookie() identifies the target that has called the program
    bool registers = false; ///< whether the program's context is struct pt_regs
    TargetKind target = TargetKind::Other;
    bool at_load = false;   ///< the program has a single target, which must be given when the program is loaded
    bool refusable = false; ///< whether some kernels refuse all programs of this kind, whatever their code
    /// Another thread may preempt the program. This never happens inside tracepoints, kprobes and interrupts.
    bool preemptible = false;
    /// A target that is limited to one process also fires in other processes that share its memory, such as vfork(2)
    /// children.
    bool per_address_space = false;
    /// A program of this kind may be interrupted, on the same CPU, by itself or by another one of its kind.
    bool interruptible = false;
    bool in_engine = false; ///< whether the program runs in the user-space engine and not in the kernel
    /// The kernel calls one program of this kind both at entry and at return of a function. So AttachPlan::start_hook,
    /// the hook at entry, needs no separate program.
    bool entry_and_return = false;
    uint32_t attach_type = 0;   ///< enum bpf_attach_type at load time, if it does not follow from the ELF section
    bool run_by_tracer = false; ///< whether the tracer itself calls the program once for each firing: BEGIN, END
    /// whether the kernel replaces return addresses on the stacks of processes to call the program
    bool replaces_return = false;
    /// Each target is attached by its own system call. For fentry and fexit, each also needs its own program.
    bool attached_singly = false;
    uint32_t hook_memory = 512;     ///< upper estimate of a hook's kernel memory in bytes, for each target
    bool memory_per_cpu = false;    ///< every CPU needs memory of hook_memory bytes for each target
    const char* function = nullptr; ///< kernel function whose type information shows that this kind exists
    /// structure that shows that this kind exists, if the type information lists only traceable functions; null: none
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

/// Kind of hook: the program kind and the kernel's path to the program, which determine the overhead of a firing
/// outside of the program.
struct HookKind {
    enum class Path : uint8_t {
        Plain,
        SyscallEntry, ///< system calls take a longer path through the kernel while their entries are traced
        SyscallExit,  ///< system calls take a longer path while their returns are traced
        /// system calls take a longer path while both their entries and returns are traced; used only for cost
        /// estimates
        SyscallBoth,
        SingleStep, ///< the kernel single-steps the probed instruction (AttachPlan::single_steps)
    };
    ProgramKind kind = ProgramKind::TestRun;
    Path way = Path::Plain;

    auto operator<=>(const HookKind&) const = default;
};

// ---- locations of data when a probe fires -------------------------------------------------------------------------

/// Location of a datum of up to 64 bits when a probe fires: a context word, a register, memory, a sum, and others.
/// Providers describe data by locations, and compiled code loads from them.
struct Location {
    enum class Kind : uint8_t {
        Zero,
        ContextWord,    ///< u64 at byte 8*index of the program's context
        ContextField,   ///< `size` bytes at byte `offset` of the context: a numeric field of a trace event
        ContextAddress, ///< address of byte `offset` of the context: a field of a trace event that is not a number
        /// Address of a variable-length field of a trace event. It is the sum of the context's address, the low half of
        /// the word at byte `offset` of the context, and `index`.
        DataLoc,
        /// Low `size` bytes of word `index` of the user registers (struct pt_regs) that the current task had when it
        /// entered the kernel. If of[0] exists, the location in of[0] yields the address of these registers.
        UserRegister,
        Register,  ///< low `size` bytes of u64 word `index` of the context's pt_regs
        StackWord, ///< u64 in kernel memory, 8*index bytes above the context's stack pointer
        /// `size` bytes of user memory. Their address is the sum of `offset`, of register `index` (unless kNoRegister),
        /// and of `scale` times register `scaled`. If of[0] exists, the register that it describes replaces register
        /// `scaled`.
        UserMemory,
        Constant, ///< the constant number in `offset`
        /// Argument of a system call. In a call of a 64-bit program it is the datum that UserRegister describes. In a
        /// call of a 32-bit program it is u32 word `scaled` of the same registers.
        CallArgument,
        KernelPc,  ///< PerfEvent: interrupted pc if the CPU was in the kernel, else 0
        UserPc,    ///< PerfEvent: interrupted pc if the CPU was in user mode, else 0
        FaultWord, ///< ERROR: word `index` of the data on the fault that is being reported
        /// `size` bytes of kernel memory; 0 if unreadable. Their address is `offset` plus the pointer that the location
        /// of[0] yields. Without of[0], the pointer is context word `index`.
        KernelMemory,
        Add,         ///< sum of the data at the locations in of[0] and of[1]
        Subtract,    ///< datum at location of[0] minus datum at location of[1]
        And,         ///< bitwise AND of the datum at the location in of[0] and the number `offset`
        ShiftRight,  ///< the datum at the location in of[0], shifted right by `offset` bits
        Select,      ///< datum at location of[1] if the datum at of[0] equals `offset`, else datum at of[2]
        CurrentTask, ///< address of the current task's task_struct
        /// address of the `curcpu` structure of a CPU; 0 if the CPU does not exist. The location stored in of[0] yields
        /// the CPU's number.
        CpuInfo,
        ExitReason, ///< CLD_EXITED, CLD_KILLED or CLD_DUMPED, from the wait status that the location in of[0] yields
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
    uint8_t scale = 0; ///< UserMemory: factor 1, 2, 4 or 8 of register `scaled`; 0: no such register
    uint32_t scaled = 0;
    std::vector<Location> of = {}; ///< other locations; the datum of this one is computed from their data
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

/// Abilities that the attach mechanism must have because clauses of the probes need them.
struct ProbeNeeds {
    bool overrides = false; ///< return(): the program must be able to replace the function's result
    /// names of the traced program's variables that the clauses of a probe read
    std::map<const Probe*, std::set<std::string>> variables = {};
};

/// One target of an attached program: a function, a tracepoint, a timer, or an instruction of a file.
struct AttachTarget {
    /// Name of the target. Its form depends on the mechanism: name of a tracepoint or function, period and CPUs of a
    /// timer ("4999999:all"), or "BEGIN"; for uprobes the path of the file on this machine.
    std::string where;
    uint64_t cookie = 0; ///< attach cookie: the datum at Location::Cookie when this target fires
    /// For a function whose name is ambiguous: its address (0: `where` suffices). For uprobes: offset of the
    /// instruction in the file.
    uint64_t address = 0;
    const Probe* probe = nullptr; ///< the probe that fires at this target; null if there are several
    /// uprobes: offset in the file of a counter that is incremented while the probe is attached; 0: none.
    uint64_t counter = 0;
    /// uprobes: the only process in which the target fires, with all its threads; 0: all processes that map the file.
    int64_t process = 0;
    uint32_t type = 0; ///< FentryMulti: the function's id in the kernel's type information
};

/// Condition for a firing: compares the data at two locations, or a datum with numbers. If it is false, the program
/// runs but no probe fires.
struct Condition {
    Location left;
    enum class Relation : uint8_t {
        Equal,
        NotEqual,
        Greater,
        OneOf
    } relation = Relation::Equal; ///< Greater compares signed numbers
    std::vector<int64_t> values;  ///< values to compare with: exactly one, or for OneOf any number of values
    /// if present, `left` is compared with the datum at the location `right` instead of `values`
    std::optional<Location> right;
};

struct PlannedProbe {
    const Probe* probe = nullptr;
    uint64_t selector = 0;
    int64_t process = 0; ///< id of the process to which the probe belongs; 0: all processes
};

/// Restriction of the processes in which a plan's probes fire. The attach mechanism may restrict them further.
enum class ProcessScope : uint8_t {
    Any,     ///< the probes fire in all processes
    Process, ///< the probes fire only in the process PlannedProbe::process
    Tree,    ///< the probes fire in PlannedProbe::process and in the processes followed because of it (DT_MAP_FOLLOWED)
};

/// A selector is the number by which a program recognizes the fired probe. In process `process`, `selector` identifies
/// a probe of this process only, and `common_selector` is not used.
struct PerProcessSelector {
    uint64_t common_selector = 0;
    int64_t process = 0;
    uint64_t selector = 0;
};

/// Code range [start, end) in a file. It contains a function whose return probe is a probe at each of the function's
/// return instructions.
struct ReturnProbeRange {
    const Probe* probe = nullptr;
    int64_t process = 0; ///< process id in the name of the probe's provider, such as pid123
    /// Process that has mapped the file: either `process`, or one that is followed because `process` is traced.
    int64_t mapped_in = 0;
    std::array<uint64_t, 2> file = {}; ///< device and inode of the file
    uint64_t start = 0, end = 0;
};

/// System calls of 32-bit programs, which have other numbers than those of 64-bit programs.
struct CompatSyscalls {
    /// Compares the data at two locations. If they are equal, a 64-bit program made the call. If not, the call may be
    /// of either kind, and compat_flag decides. The comparison comes first because it is cheap.
    Condition native_test;
    Location compat_flag; ///< in calls of 32-bit programs, bit number `bit` of this datum is set
    uint32_t bit = 0;
    std::vector<uint16_t> selectors; ///< for each system-call number, the selector of its probe; kNoProbe: none
    static constexpr uint16_t kNoProbe = UINT16_MAX;
};

/// Largest number of arguments of a probe: args[] has all of them, arg0 to arg9 the first ten. A trace event of Linux
/// 6.18 has 20 fields.
inline constexpr std::size_t kMaxArguments = 24;

/// A BPF program for a set of probes, and the description of how it is attached.
struct AttachPlan {
    ProgramKind kind = ProgramKind::RawTracepoint;
    std::vector<AttachTarget> targets;
    std::vector<PlannedProbe> probes; ///< probes of the plan, ordered by selector (the number that identifies a probe)
    /// Location of the selector: a number that identifies the probe that has fired (PlannedProbe::selector). Empty
    /// if the plan has only one probe.
    std::optional<Location> selector;
    /// If there is a selector: exclusive upper bound of its values. If the bound is small, programs use the selector as
    /// an index into a table.
    uint32_t selector_bound = 0;
    /// if there is a selector: how programs compute it in system calls of 32-bit programs
    std::optional<CompatSyscalls> compat_syscalls;
    /// selectors (numbers of probes) of single processes, which replace the common selectors there
    std::vector<PerProcessSelector> per_process_selectors;
    bool everywhere = false; ///< uprobes: the probes fire in every process that maps the files, now or later
    ProcessScope process_scope = ProcessScope::Any;
    std::array<Location, kMaxArguments> arguments{};
    /// Locations of the variables in ProbeNeeds::variables, which are the same at all targets.
    std::map<std::string, VariableLocation> variables;
    /// Location of the return value of a system call, with errors as negative numbers; Kind::Zero if there is none.
    Location return_value;
    std::vector<Condition> conditions; ///< the probes fire only if all these conditions hold
    /// Hook at the start of an activity, such as a wait, whose end fires the plan's probes. An end fires only if its
    /// start was recorded. The hook's program has no clauses. It records the value of the hook's arguments[0].
    ///
    /// An activity may have two phases, 0 and 1. The value of the hook's arguments[1], if present, is the phase that
    /// begins. If the hook has a start_hook of its own, that second hook begins the activities, and the first one only
    /// begins their phases.
    std::shared_ptr<const AttachPlan> start_hook;
    /// data that are the same at the start and the end of an activity, and differ between concurrent activities
    std::vector<Location> key;
    /// Hook at the instructions where processes ask whether the probes are enabled. The hook's program has no clauses.
    /// It stores 1, the answer "yes", at the address in arguments[0].
    std::shared_ptr<const AttachPlan> is_enabled_probe;
    /// Hook at the functions by which processes unwind their stacks. If unwinding ends a call, its return probe never
    /// fires; the hook's program counts these calls and has no clauses. The low 32 bits of a target's cookie are the
    /// kind of unwinder function (DT_UNWINDER_…). The high 32 bits are the process id, or 0 if children are traced too
    /// (ProcessScope::Tree).
    std::shared_ptr<const AttachPlan> unwinder;
    std::vector<ReturnProbeRange> return_probe_ranges;
    /// The targets are the names of one function in different kernel versions. The loader attaches to the first target
    /// that exists.
    bool alternatives = false;
    bool overrides = false; ///< whether action return() works in the probed functions
    /// uprobes: whether the targets are function entries, where the return address is at the stack pointer
    bool at_entry = false;
    bool single_steps = false; ///< uprobes: whether the kernel usually cannot emulate the instructions at the targets
    /// the probe interrupts whatever process is running, so it does not belong to that process's control group
    bool is_asynchronous = false;
    uint64_t period = 0; ///< timer probes: nanoseconds between two firings on a CPU; 0 for other probes
    /// The program counts its executions. If the kernel has skipped one, the tracer shortens the timer for a moment, so
    /// that the program runs once more.
    bool counts_runs = false;
    /// Timer probes on one CPU: whether a BPF link attaches the program. The link may exist longer than the tracer.
    bool has_link = false;
    /// KprobeSession: whether two kernel functions take the program's context as argument. One of them returns the
    /// session's word of memory, the other whether the call is a return.
    bool kfuncs_take_context = false;
    /// Fentry: the kernel calls the function only while some thread has a perf event. So the loader opens a perf event,
    /// which counts nothing.
    bool needs_event = false;
    bool has_fallback = false; ///< whether the probes can be attached by another plan if the kernel refuses this one

    const ProgramKindInfo& kind_info() const { return info(kind); }
    HookKind hook_kind() const;
    /// Returns the ELF section of the program, including a target that is required at load time: "kprobe",
    /// "fentry/vfs_read".
    std::string section() const;
};

} // namespace dt

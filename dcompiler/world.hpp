// The interface through which the compiler sees a kernel: probes, types, symbols, features. The live one reads the running kernel
// (libdtrace/), the frozen one is a hand-made table for unit tests, so that no test depends on the machine it runs on.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/result.hpp"
#include "dcompiler/sema/types.hpp"

namespace dt {

// ---- stability (language reference 6) -----------------------------------------------------------------------------

enum class Stability : uint8_t { Internal, Private, Obsolete, External, Unstable, Evolving, Stable, Standard };
enum class DependencyClass : uint8_t { Unknown, Cpu, Platform, Group, Isa, Common };

struct Attributes {
    Stability name = Stability::Stable;
    Stability data = Stability::Stable;
    DependencyClass dependency = DependencyClass::Common;
    bool operator==(const Attributes&) const = default;
};

struct ProviderAttributes {
    Attributes provider, module, function, name, args;
};

// ---- probes -------------------------------------------------------------------------------------------------------

/// What kind of BPF program serves a hook. The compiler needs the context it gets, never how it is attached.
enum class ProgramKind : uint8_t {
    RawTracepoint, ///< context: u64 args[]
    PerfEvent,     ///< context: struct bpf_perf_event_data
    TestRun,       ///< a raw-tracepoint program run once by this process: BEGIN, END
    Kprobe,        ///< context: struct pt_regs
};

/// Where a 64-bit datum is found when a probe fires. A provider describes with these; lowering turns them into loads.
struct ContextValue {
    enum class Kind : uint8_t {
        Zero,
        ContextWord,  ///< u64 at byte 8*index of the context
        UserRegister, ///< u64 word `index` of the task's saved user registers (struct pt_regs), as at kernel entry
        KernelPc,     ///< PerfEvent: interrupted pc when the CPU was in the kernel, else 0
        UserPc,       ///< PerfEvent: interrupted pc when the CPU was in user mode, else 0
        Register,     ///< Kprobe: u64 word `index` of the context's pt_regs
        FaultWord,    ///< ERROR: word `index` of the fault being reported
        TaskWord,     ///< u32 at byte `index` of the current task: what is at the same place in every kernel only
    } kind = Kind::Zero;
    uint32_t index = 0;
    bool operator==(const ContextValue&) const = default;
};

/// One place in the kernel where a program is attached. Probes that share a Hook share one program, which finds out which of them
/// fired through `selector`.
struct Hook {
    ProgramKind kind = ProgramKind::RawTracepoint;
    std::string section; ///< ELF section of the program, libbpf style: "raw_tp/sys_enter", "perf_event"
    std::string target;  ///< the attach mechanism's own text: tracepoint name, "4999999:all", "BEGIN"
    /// Which of the hook's probes fired: the value equals Probe::selector of that probe. Empty: the hook has a single probe.
    std::optional<ContextValue> selector;
    /// With a selector: values are below this bound, so a table may be indexed by it.
    uint32_t selector_bound = 0;
    /// The value of errno here, as a negative return value (syscall return): or Zero.
    ContextValue return_value;
    /// The probes do not fire when this value has a bit of `skip_bits` (system calls of 32-bit programs, whose numbers mean others).
    std::optional<ContextValue> skip;
    uint32_t skip_bits = 0;
    bool overrides = false; ///< return() works here: the program may answer in place of the function it is attached to
};

struct ProbeArgument {
    std::string native;     ///< D type text: "int", "const char *"
    std::string translated; ///< D type text of the translated type, or empty
    uint8_t mapping = 0;    ///< raw argument it comes from
    bool userland = false;  ///< a user-space pointer
};

struct Probe {
    uint32_t id = 0;
    std::string provider, module, function, name;
    std::shared_ptr<const Hook> hook; ///< null: ERROR, and probes that exist but cannot be attached here
    std::shared_ptr<const Hook> override_hook; ///< serves the probe instead where a clause has return(); null: return() cannot be had
    uint32_t selector = 0;
    std::array<ContextValue, 10> args{};
    std::vector<ProbeArgument> typed_args;
    const ProviderAttributes* attributes = nullptr;
};

/// The four components of a probe description; each a shell glob, empty matches anything.
struct ProbePattern {
    std::string provider, module, function, name;
};

/// Does `text` match the glob (`* ? [set] [!set] \`)? An empty pattern matches anything.
bool glob_match(std::string_view pattern, std::string_view text);

/// A symbol of the kernel, or of a process.
struct KernelSymbol {
    uint64_t address = 0;
    uint64_t size = 0;
    std::string module;
    const Type* type = nullptr; ///< null: types() may know it, as that of a TypeNamespace::Variable of `module`
    bool is_function = false;
    DataModel model = DataModel::Lp64; ///< of the module
    bool is_per_cpu = false; ///< `address` is that of CPU 0's copy minus CPU 0's offset: each CPU adds its own
};

/// What the kernel was found able to do, by trying (never by its version).
struct Features {
    bool hash_no_prealloc = true;     ///< BPF_F_NO_PREALLOC hashes in every tracing program type
    bool task_pt_regs = true;         ///< bpf_task_pt_regs()
    bool signed_division = false;     ///< BPF cpu v4
};

struct Target {
    uint32_t cpus = 1; ///< possible CPUs
    int64_t pid = 0;   ///< of -c/-p, for $target; 0 if none
    /// The pid namespace in which all process ids are meant, by its file; inode 0: the first one, where they are the kernel's.
    uint64_t pid_namespace_device = 0, pid_namespace_inode = 0;
};

class World {
public:
    virtual ~World() = default;

    /// Appends every probe that matches, in id order, creating on-demand ones (profile-123, later pid) first. An error means that the
    /// provider could not look (and says why); no match is not an error. Probes live as long as the World.
    virtual Result<void> find_probes(const ProbePattern& pattern, std::vector<const Probe*>& found) = 0;
    virtual const Probe* probe(uint32_t id) = 0;
    virtual bool has_provider(std::string_view name) = 0;
    virtual bool has_module(std::string_view name) = 0;

    /// Types of the kernel and of the objects of the -p or -c process; null where there are none. Loaded on first use.
    virtual TypeSource* types() = 0;
    /// Types of the running kernel by its own word: what compiled code relies on, whatever archive the user has the program read from.
    virtual TypeSource* running_types() { return types(); }
    /// Byte offset of a member of the running kernel's struct task_struct, where that is known without its types.
    virtual std::optional<uint32_t> task_offset(std::string_view) { return std::nullopt; }
    virtual std::optional<KernelSymbol> symbol(std::string_view module, std::string_view name) = 0;
    /// Why a symbol that surely exists may be unknown here, as a hint for the user; or empty.
    virtual std::string symbol_hint() { return {}; }
    /// A symbol of the -p or -c process; an empty module: the executable first, then its libraries.
    virtual std::optional<KernelSymbol> user_symbol(std::string_view, std::string_view) { return std::nullopt; }

    /// The physical package of each possible CPU; empty: one for all.
    virtual std::vector<int32_t> chips() { return {}; }

    virtual const Features& features() = 0;
    virtual const Target& target() const = 0;
};

} // namespace dt

// The interface through which the compiler sees a kernel: probes, types, symbols, features. The live one reads the
// running kernel (libdtrace/), the frozen one is a hand-made table for unit tests, so that no test depends on the
// machine it runs on.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.hpp"
#include "dcompiler/plan.hpp"
#include "dcompiler/probes.hpp"
#include "base/result.hpp"
#include "dcompiler/sema/types.hpp"

namespace dt {

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
    bool hash_no_prealloc = true; ///< BPF_F_NO_PREALLOC hashes in every tracing program type
    bool task_pt_regs = true;     ///< bpf_task_pt_regs()
    bool isa_v4 = false;          ///< BPF cpu v4: signed division, and moves and loads that extend the sign
};

struct Target {
    uint32_t cpus = 1;            ///< possible CPUs
    uint32_t tick_ns = 4'000'000; ///< how long a tick of the kernel's clock is: a jiffy
    std::string host;             ///< the machine's name (uname -n)
    int64_t pid = 0;              ///< of -c/-p, for $target; 0 if none
    /// The pid namespace in which all process ids are meant, by its file; inode 0: the first one, where they are the
    /// kernel's.
    uint64_t pid_namespace_device = 0, pid_namespace_inode = 0;
};

class World {
public:
    virtual ~World() = default;

    /// That the kernel runs on.
    virtual const machine::Machine& machine() const { return machine::native(); }

    virtual ProbeSource& probes() = 0;
    virtual bool has_module(std::string_view name) = 0;

    /// Types of the kernel and of the objects of the -p or -c process; null where there are none. Loaded on first use.
    virtual TypeSource* types() = 0;
    /// Types of the running kernel by its own word: what compiled code relies on, whatever archive the user has the
    /// program read from.
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

    /// The drivers of block devices, by major number.
    virtual std::map<uint32_t, std::string> block_drivers() { return {}; }

    virtual const Features& features() = 0;
    /// Whether programs may write to the memory of processes. Trying leaves a line in the kernel's log, so it is asked
    /// when something would be written.
    virtual bool can_write_user() { return true; }
    /// The kernel's number of bpf_rdonly_cast() where that lets programs load from any address (6.17), else 0.
    virtual uint32_t readable_cast() { return 0; }
    virtual const Target& target() const = 0;
};

} // namespace dt

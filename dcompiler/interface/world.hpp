// Interface through which the compiler sees a kernel: probes, types, symbols, features. One implementation, in
// libdtrace/, reads the running kernel. The other one is a fixed table for unit tests, so that they do not depend on
// the machine.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/interface/plan.hpp"
#include "dcompiler/interface/probes.hpp"
#include "dcompiler/interface/types.hpp"

namespace dt::machine {
struct Machine;
const Machine& native();
} // namespace dt::machine

namespace dt {

/// A symbol of the kernel or of a process.
struct KernelSymbol {
    uint64_t address = 0;
    uint64_t size = 0;
    std::string module;
    /// Type of the symbol. If null, look up the type in types(), as a TypeNamespace::Variable of `module`.
    const Type* type = nullptr;
    bool is_function = false;
    DataModel model = DataModel::Lp64; ///< data model of the module
    /// whether the symbol is a per-CPU variable; a CPU's copy is at `address` plus the CPU's per-CPU offset
    bool is_per_cpu = false;
};

/// Maximum size in bytes of a hash map's key on kernels without Features::long_keys.
inline constexpr uint32_t kMaxShortKey = 512;

/// Features of the kernel. The tracer finds them by trying, not by the kernel's version.
struct Features {
    bool hash_no_prealloc = true; ///< hash maps with BPF_F_NO_PREALLOC work in every type of tracing program
    bool task_pt_regs = true;     ///< the kernel has the helper bpf_task_pt_regs()
    /// the kernel has atomic instructions that return the old value: fetch-and-add, exchange, compare-and-exchange
    bool fetching_atomics = true;
    bool bpf_loop = true;         ///< the kernel has the helper bpf_loop()
    bool task_storage = true;     ///< BPF_MAP_TYPE_TASK_STORAGE works in every type of tracing program
    bool attach_cookie = true;    ///< programs of kprobes and uprobes can call bpf_get_attach_cookie()
    bool current_task_btf = true; ///< the kernel has the helper bpf_get_current_task_btf()
    bool func_ip = true;          ///< programs of kprobes can call bpf_get_func_ip()
    /// Functions that the verifier checks separately may have pointers to memory as parameters.
    bool memory_parameters = true;
    bool long_keys = true;    ///< hash maps accept keys of more than kMaxShortKey bytes
    bool kernel_reads = true; ///< programs may copy kernel memory; false for a kernel that is locked down
    /// Whether each function of a call chain may use 512 bytes of stack. On other kernels, all functions of a chain
    /// together may use 512 bytes.
    bool separate_stacks = false;
    bool isa_v4 = false;                ///< BPF instruction set v4: signed division, sign-extending moves and loads
    bool stack_repeats_program = false; ///< kernel stacks begin with two frames of the tracer's BPF program, not one
};

struct Target {
    uint32_t cpus = 1;            ///< number of possible CPUs
    uint32_t tick_ns = 4'000'000; ///< length of a jiffy, the kernel's clock tick
    uint32_t page_bytes = 4096;   ///< size of a memory page in bytes
    std::string host;             ///< name of the machine (uname -n)
    int64_t pid = 0;              ///< process of -c or -p, for $target; 0 if none
    /// Device and inode of the pid namespace to which process ids refer. Inode 0 means the initial namespace, whose ids
    /// are those of the kernel.
    uint64_t pid_namespace_device = 0, pid_namespace_inode = 0;
};

class World {
public:
    virtual ~World() = default;

    /// Returns the description of the kernel's kind of machine.
    virtual const machine::Machine& machine() const { return machine::native(); }

    virtual ProbeSource& probes() = 0;
    virtual bool has_module(std::string_view name) = 0;

    /// Returns the types of the kernel and of the executable and libraries of the -p or -c process, or null if there
    /// are none. Loads them at the first call.
    virtual TypeSource* types() = 0;
    /// Returns the running kernel's own types, by which compiled code accesses the kernel. The types that a D program
    /// names may come from another source, an archive of type information.
    virtual TypeSource* running_types() { return types(); }
    /// Returns the byte offset of a member of the running kernel's struct task_struct, or nothing if the offset can
    /// only be found through the kernel's types.
    virtual std::optional<uint32_t> task_offset(std::string_view) { return std::nullopt; }
    virtual std::optional<KernelSymbol> symbol(std::string_view module, std::string_view name) = 0;
    /// Returns a hint why a kernel symbol may be missing on this machine although other kernels have it; empty if there
    /// is none.
    virtual std::string symbol_hint() { return {}; }
    /// Returns a symbol of the -p or -c process. An empty module means the executable first, then its libraries.
    virtual std::optional<KernelSymbol> user_symbol(std::string_view, std::string_view) { return std::nullopt; }

    /// Returns the number of the physical package (socket) of each possible CPU; empty if all are in one.
    virtual std::vector<int32_t> chips() { return {}; }

    /// Returns the names of the drivers of block devices, by major number.
    virtual std::map<uint32_t, std::string> block_drivers() { return {}; }

    virtual const Features& features() = 0;
    /// Returns whether the kernel lets BPF programs write to the memory of processes. The test leaves a line in the
    /// kernel's log. So call this function only for D programs that write.
    virtual bool can_write_user() { return true; }
    /// Returns the BTF id of bpf_rdonly_cast() if, with it, programs may load from any address (since Linux 6.17), else
    /// 0.
    virtual uint32_t readable_cast() { return 0; }
    virtual const Target& target() const = 0;
};

} // namespace dt

// The virtual machine runs a compiled D program's eBPF without a kernel and without root, so that programs can be
// tested anywhere and run inside a host process.
//
// The virtual machine is stricter than a processor: what the kernel's verifier would refuse on the executed path ends
// the run with an error that names the instruction. Examples are an access outside a region, a read of unwritten memory
// or of an unset register, and a stack that is too deep. No code can crash the host.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/program/image.hpp"
#include "engine/program/maps.hpp"
#include "engine/program/memory.hpp"

namespace dt::vm {

/// Identity of the process and thread that run the program.
struct Ids {
    uint32_t pid = 100, tid = 100, uid = 0, gid = 0;
};

/// The environment of a program. Tests set the members that the program reads, and read `signals` and `overrides`,
/// which the program writes.
struct Environment : Ids {
    std::string comm = "test";
    uint32_t cpu = 0;
    uint64_t time = 1'000'000'000; ///< result of bpf_ktime_get_ns()
    uint64_t time_step = 0;        ///< ns that are added to `time` each time that a program has read it
    uint64_t (*clock)() = nullptr; ///< clock that is read if `time` is 0 and a program needs the time
    uint64_t random = 1;           ///< state of the random numbers of bpf_get_prandom_u32()
    uint64_t cgroup = 1;
    uint64_t cookie = 0;
    bool own_memory = false;              ///< whether addresses outside of all regions are memory of this process
    uint64_t task = 0;                    ///< address of the current task_struct; by default, that of a zeroed one
    std::array<uint64_t, 21> registers{}; ///< struct pt_regs of the current task
    std::vector<uint64_t> kernel_stack, user_stack;

    std::vector<uint32_t> signals;   ///< signals sent by bpf_send_signal()
    std::vector<uint64_t> overrides; ///< values passed to bpf_override_return()

    uint64_t moment()
    {
        if (time == 0 && clock)
            time = clock();
        return time;
    }
};

/// A value of DirectCall::least that exceeds every possible context size.
inline constexpr std::size_t kEndless = SIZE_MAX;

/// Executor of a program: the interpreter, which checks every step; threaded code (threaded.hpp); or machine code.
enum class Executor : uint8_t { Checked, Threaded, Native };

class VirtualMachine;
class Interpreter;
struct CompiledCode;
struct CompiledFunction;

/// Code that can be called directly with a context of at least `least` bytes. After a failure, the virtual machine sets
/// `least` to kEndless, so that no context is large enough. Callers then use call(), which handles the failure.
struct DirectCall {
    uint64_t (*code)(const void* context, const void* operations) = nullptr;
    const void* operations = nullptr;
    std::size_t least = kEndless;
};

/// A function prepared for frequent calls: it is looked up once and its context is not copied. Made by
/// VirtualMachine::entry(); must not be used after the virtual machine is destroyed.
class Entry {
public:
    /// Runs the function with R1 pointing to `size` readable bytes. Returns R0, or 0 after a failure (see
    /// VirtualMachine::failed()).
    uint64_t operator()(const void* context, std::size_t size) const;

private:
    friend class VirtualMachine;
    uint64_t call(const void* context, std::size_t size) const;

    VirtualMachine* vm_ = nullptr;
    const Function* function_ = nullptr;
    const CompiledFunction* compiled_ = nullptr;
    const DirectCall* direct_ = nullptr; ///< memory owned by the virtual machine
};

class VirtualMachine {
public:
    using Entry = vm::Entry;

    /// `cpus` is the number of values in per-CPU maps; environment.cpu must be lower.
    explicit VirtualMachine(Image image, uint32_t cpus = 2);
    VirtualMachine(const VirtualMachine&) = delete;
    VirtualMachine& operator=(const VirtualMachine&) = delete;
    ~VirtualMachine();

    /// Runs a function with R1 pointing to `context`, which the function cannot change. Returns R0. An error names the
    /// instruction and the reason; changes made before it remain.
    Result<uint64_t> run(std::string_view function, std::span<const uint8_t> context = {});

    /// Selects the best available executor that is not better than `best`, for run() and for entries made later.
    /// Threaded code replaces machine code if the processor has no compiler or memory must not be executable. Fails
    /// with the reason if the program cannot be proved; it is then interpreted.
    ///
    /// Call this function before the first run, because addresses change. A second call changes the executor and
    /// invalidates earlier entries.
    Result<void> compile(Executor best = Executor::Native);
    Executor executor() const { return executor_; }
    /// Makes run() interpret the program although it is compiled, at the same addresses. Tests compare both results.
    void interpret_compiled(bool on) { interpreting_ = on; }
    static bool can_compile(); ///< returns whether there is a compiler for this processor
    bool is_compiled() const { return code_ != nullptr; }

    /// Prepares a function for frequent calls. For a function without loops, the budget is compared with its length
    /// here, and not again at each call. Fails if the function does not exist.
    Result<Entry> entry(std::string_view function);
    /// failed() returns whether the last run() or call of an entry failed; error() is valid only then.
    bool failed() const { return error_.has_value(); }
    const Error& error() const { return *error_; }

    Environment environment;
    uint64_t budget = 10'000'000; ///< maximum number of instructions of one run

    Memory& memory() { return memory_; }
    const Image& image() const { return image_; }
    /// Returns the map, or null if the program has none with this name.
    Map* map(std::string_view name);
    /// Returns the bytes of a data section (".bss"), or nothing if it does not exist.
    std::span<uint8_t> section(std::string_view name);
    /// Uses `memory` as the section's bytes from now on. Other threads and processes may change it at any time; the
    /// caller keeps it alive. Call it before the first run. Fails if the section does not exist or has another size.
    Result<void> place_section(std::string_view name, std::span<uint8_t> memory);
    /// Returns the number of instructions executed by the last run(). Compiled code counts whole blocks when they
    /// begin, so the number is exact only for successful runs.
    uint64_t executed() const { return executed_; }

private:
    friend class Interpreter;
    friend class vm::Entry;
    friend struct JitSupport;

    Result<uint64_t> run(const Function& function, const CompiledFunction* compiled, std::span<const uint8_t> context);
    void fail(Error error);
    void reset_memory();
    void use_host_addresses();
    Result<uint64_t> interpret(const Function& function, std::span<const uint8_t> context);
    const CompiledFunction* compiled(const Function& function) const;

    Image image_;
    uint32_t cpus_;
    Memory memory_;
    std::vector<std::unique_ptr<Map>> maps_;
    std::vector<uint64_t> section_addresses_;
    uint64_t registers_ = 0; ///< address at which the program sees environment.registers
    uint64_t executed_ = 0;
    std::optional<Error> error_;
    /// The DirectCall of each function; null for functions without direct code or without an entry.
    std::map<const CompiledFunction*, DirectCall> direct_;
    std::unique_ptr<Interpreter> interpreter_;
    std::unique_ptr<CompiledCode> code_;
    Executor executor_ = Executor::Checked;
    bool interpreting_ = false;
};

inline uint64_t Entry::operator()(const void* context, std::size_t size) const
{
    if (size >= direct_->least) [[likely]]
        return direct_->code(context, direct_->operations);
    return call(context, size);
}

} // namespace dt::vm

// The virtual machine: runs a compiled D program's eBPF without a kernel and without root, so that what a program
// means can be tested anywhere.
//
// It is stricter than a processor: what the kernel's verifier would refuse on the path taken (an access outside a
// region, a read of something never written, a register that holds nothing, too deep a stack) ends the run with an
// error that says where. It can never crash its host, whatever the code.
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

#include "bpf-runtime/vm/image.hpp"
#include "bpf-runtime/vm/maps.hpp"
#include "bpf-runtime/vm/memory.hpp"
#include "base/result.hpp"

namespace dt::vm {

/// Who runs.
struct Ids {
    uint32_t pid = 100, tid = 100, uid = 0, gid = 0;
};

/// The world a program finds itself in, and what it did to it. The test writes the first part and reads the second.
struct Environment : Ids {
    std::string comm = "test";
    uint32_t cpu = 0;
    uint64_t time = 1'000'000'000; ///< bpf_ktime_get_ns()
    uint64_t time_step = 0;        ///< added after each reading
    uint64_t (*clock)() = nullptr; ///< asked when the time is 0 and somebody wants to know it
    uint64_t random = 1;           ///< state of bpf_get_prandom_u32()
    uint64_t cgroup = 1;
    uint64_t cookie = 0;
    bool own_memory = false;              ///< user memory is this process's, where no region was lent
    uint64_t task = 0;                    ///< address of the current task; the virtual machine makes an empty one
    std::array<uint64_t, 21> registers{}; ///< struct pt_regs of the current task
    std::vector<uint64_t> kernel_stack, user_stack;

    std::vector<uint32_t> signals;   ///< sent by bpf_send_signal()
    std::vector<uint64_t> overrides; ///< values given to bpf_override_return()

    uint64_t moment()
    {
        if (time == 0 && clock)
            time = clock();
        return time;
    }
};

/// No context is as large.
inline constexpr std::size_t kEndless = SIZE_MAX;

/// Who runs a program: the interpreter that checks every step; what was proved, decoded once (threaded.hpp); machine
/// code.
enum class Executor : uint8_t { Checked, Threaded, Native };

class VirtualMachine;
class Interpreter;
struct CompiledCode;
struct CompiledFunction;

/// Code that can be called as it is, on a context of at least so many bytes. After a failure, which the next
/// call has to take back, that is more than there can be: one comparison tells both.
struct DirectCall {
    uint64_t (*code)(const void* context, const void* operations) = nullptr;
    const void* operations = nullptr;
    std::size_t least = kEndless;
};

/// A function ready to be called often: found once, and its context is not copied. Made by VirtualMachine::entry(),
/// which it must not outlive.
class Entry {
public:
    /// Runs the function with R1 pointing to `size` readable bytes; its R0, or 0 when it failed
    /// (VirtualMachine::failed() tells).
    uint64_t operator()(const void* context, std::size_t size) const;

private:
    friend class VirtualMachine;
    uint64_t call(const void* context, std::size_t size) const;

    VirtualMachine* vm_ = nullptr;
    const Function* function_ = nullptr;
    const CompiledFunction* compiled_ = nullptr;
    const DirectCall* direct_ = nullptr; ///< the virtual machine's
};

class VirtualMachine {
public:
    using Entry = vm::Entry;

    /// `cpus` is the number of values per-CPU maps have; environment.cpu must stay below it.
    explicit VirtualMachine(Image image, uint32_t cpus = 2);
    VirtualMachine(const VirtualMachine&) = delete;
    VirtualMachine& operator=(const VirtualMachine&) = delete;
    ~VirtualMachine();

    /// Runs a function with R1 pointing to `context`, which it cannot change; its R0. An error names the instruction
    /// and the reason; the state that the program had changed until then stays changed.
    Result<uint64_t> run(std::string_view function, std::span<const uint8_t> context = {});

    /// Has every function run by the best executor there is up to `best`, which run() and the entries made from now on
    /// use: machine code; threaded code, where the processor has no compiler or memory may not be executable; the
    /// interpreter that checks each step, for a program that cannot be checked before it runs: the error says why. Call
    /// it before the first run: addresses that a program has seen are not valid afterwards. Once more, it changes the
    /// executor: entries made before are gone.
    Result<void> compile(Executor best = Executor::Native);
    Executor executor() const { return executor_; }
    /// Has run() interpret what is compiled, on the same addresses: to compare.
    void interpret_compiled(bool on) { interpreting_ = on; }
    static bool can_compile(); ///< is there a compiler for this processor?
    bool is_compiled() const { return code_ != nullptr; }

    /// For hosts that call a function often. The budget of a function without a loop is looked at here. Errors when
    /// there is no such function.
    Result<Entry> entry(std::string_view function);
    /// Did the last run() or call of an entry fail, and why? error() only after a failure.
    bool failed() const { return error_.has_value(); }
    const Error& error() const { return *error_; }

    Environment environment;
    uint64_t budget = 10'000'000; ///< instructions one run may execute

    Memory& memory() { return memory_; }
    const Image& image() const { return image_; }
    /// By name; null when the program has no such map.
    Map* map(std::string_view name);
    /// The bytes of a data section (".bss"), empty when there is none.
    std::span<uint8_t> section(std::string_view name);
    /// From now on the section's bytes are `memory`, which others may change at any time and the caller keeps alive.
    /// Before the first run. Errors: no such section, or another size.
    Result<void> place_section(std::string_view name, std::span<uint8_t> memory);
    /// Instructions executed by the last run(). Compiled code counts a whole block when it begins: the number is exact
    /// for runs that succeed.
    uint64_t executed() const { return executed_; }

private:
    friend class Interpreter;
    friend class vm::Entry;
    friend struct JitSupport;

    Result<uint64_t> run(const Function& function, const CompiledFunction* compiled, std::span<const uint8_t> context);
    void fail(Error error);
    void take_back();
    void use_host_addresses();
    Result<uint64_t> interpret(const Function& function, std::span<const uint8_t> context);
    const CompiledFunction* compiled(const Function& function) const;

    Image image_;
    uint32_t cpus_;
    Memory memory_;
    std::vector<std::unique_ptr<Map>> maps_;
    std::vector<uint64_t> section_addresses_;
    uint64_t registers_ = 0; ///< address of environment.registers
    uint64_t executed_ = 0;
    std::optional<Error> error_;
    std::map<const CompiledFunction*, DirectCall>
        direct_; ///< of the functions that have one and an entry; null for the others
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

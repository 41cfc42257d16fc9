// Executes functions with registers, frames, and checks at every step. Internal to the virtual machine, which has one
// interpreter for all runs; helpers receive it as their context. Compiled code uses the same frames and calls these
// checks for memory accesses that are not proven safe (jit.hpp).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/program/vm_state.hpp"
#include "engine/vm/jit.hpp"
#include "engine/vm/virtual_machine.hpp"

namespace dt::vm {

class Interpreter {
public:
    explicit Interpreter(VirtualMachine& vm);

    /// Runs the function that begins at instruction `first`, with the context at this address.
    Result<uint64_t> run(uint32_t first, uint64_t context);
    /// Runs a compiled function. `context` has at least as many bytes as the function needs. Returns nothing after a
    /// failure.
    std::optional<uint64_t> run(const CompiledFunction& function, const void* context, std::size_t size);
    const Error& error() const { return *error_; }
    /// Returns the end of the first frame's stack. A compiled function that calls no other function uses it as R10.
    uint64_t stack_end() const { return reinterpret_cast<uint64_t>(frames_[0].stack.data()) + kStackSize; }

    // ---- functions that helpers call

    VirtualMachine& vm() { return vm_; }
    Environment& environment() { return vm_.environment; }
    uint32_t cpus() const { return vm_.cpus_; }
    uint64_t task_registers() const { return vm_.registers_; }

    /// Return the host address of a helper's buffer, which must lie in the program's own memory. Return null after
    /// fail().
    uint8_t* read(uint64_t address, uint64_t size);
    uint8_t* write(uint64_t address, uint64_t size);
    /// Returns the region that contains all bytes of [address, address + size) and is visible to the run, or null.
    const Region* find(uint64_t address, uint64_t size) const;
    /// Remembers the map value that a helper has just returned, so that compiled code can access it without a look-up.
    uint64_t expect(uint64_t value, uint64_t size);
    /// Returns the map of a map reference, or null after fail().
    Map* map(uint64_t reference);
    /// Returns the index of a function's first instruction, from a BPF_PSEUDO_FUNC reference to the function.
    std::optional<uint32_t> function(uint64_t reference);
    /// Calls a function of the program (a helper's callback). Returns nothing after a failure.
    std::optional<uint64_t> call(uint32_t first, uint64_t a, uint64_t b);

    /// Ends the run with an error. If several checks fail, the first message is kept.
    void fail(const std::string& message);
    bool failed() const { return error_.has_value(); }

private:
    friend struct JitSupport;

    bool push(uint32_t return_pc);
    void pop();
    bool execute(uint32_t first);
    bool step();
    bool arithmetic(const bpf_insn& insn);
    bool byte_swap(const bpf_insn& insn);
    bool load_immediate(const bpf_insn& insn);
    bool load(const bpf_insn& insn);
    bool store(const bpf_insn& insn);
    bool atomic(const bpf_insn& insn);
    bool jump(const bpf_insn& insn);
    bool call(const bpf_insn& insn);
    bool call_helper(int32_t id);

    uint8_t* access(uint64_t address, uint64_t size, bool write);
    uint8_t* atomic_access(uint64_t address, uint32_t width);
    std::optional<uint64_t> call_compiled(uint32_t first, uint64_t a, uint64_t b);
    void fail_over_budget();
    /// Checks the alignment of an access where the verifier requires it. Fails if the address is not aligned.
    bool aligned(uint64_t address, uint32_t width);
    bool use_stack(const Region& region, uint64_t address, uint64_t size, bool write);
    uint64_t* reg(uint8_t number);            ///< returns a register for reading; fails if the register holds no value
    bool set(uint8_t number, uint64_t value); ///< sets a register; fails for R10
    bool operand(const bpf_insn& insn, uint64_t& value);
    uint64_t frame_address(std::size_t depth) const;
    std::string where() const;

    VirtualMachine& vm_;
    VmState machine_;
    std::array<uint64_t, 11> r_{};
    uint16_t live_ = 0; ///< bit mask of registers that hold a value
    uint32_t pc_ = 0;
    std::array<Frame, kMaxFrames> frames_; ///< frames of the call chain; machine_.depth of them are in use
    std::optional<Error> error_;
    bool compiled_ = false;                 ///< whether the run executes compiled code
    Region context_;                        ///< region of the context, for compiled code
    std::array<Region, kMaxFrames> stacks_; ///< regions of the frames' stacks, for compiled code
};

} // namespace dt::vm

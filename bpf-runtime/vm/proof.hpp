// What can be proved about a program before it runs, so that compiled code need not check it at each step.
//
// The interpreter checks everything on the path taken. Here every path is walked once with what is known about each
// value (proof_value.hpp) instead of the value, as the kernel's verifier does; where paths meet, only what holds on
// both is kept. The outcome for an instruction is one of three: it needs no check, it needs one when it runs, or it
// fails whenever it runs. A program for which that cannot be told (a register that only some paths wrote, recursion, a
// callback nobody knows) is refused: the interpreter runs it.
#pragma once

#include <array>
#include <bitset>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bpf-runtime/vm/image.hpp"
#include "bpf-runtime/vm/machine.hpp"
#include "bpf-runtime/vm/proof_value.hpp"

namespace dt::vm {

/// What is known in front of an instruction.
struct State {
    static constexpr std::size_t kSlots = kStackSize / 8;
    std::array<Value, 11> registers{};
    std::array<Value, kSlots> slots; ///< the aligned words of the frame, from the lowest address
    std::bitset<kStackSize> written; ///< stack bytes written on every path

    State() { slots.fill(Value::any()); }
    /// Bit n: Rn holds something.
    uint16_t live() const;
};

/// How one instruction may be compiled.
struct Step {
    bool fails = false;      ///< it ends the run
    bool proven = false;     ///< a memory access that needs no check of its address
    bool on_stack = false;   ///< a proven one, of this frame's bytes from `stack_byte` on,
    uint32_t stack_byte = 0; ///< counted from the lowest address,
    bool written = false;    ///< all of which were written before
    bool falls = true;       ///< control can reach the next instruction
    bool jumps = false;      ///< control can reach the jump's target
    uint32_t next = 0;       ///< the next instruction
    uint32_t target = 0;     ///< of a jump or call
};

struct FunctionProof {
    uint32_t first = 0;
    bool root = false;                ///< the virtual machine may run it: nothing in the program calls it
    State entry;                      ///< holds for all its calls
    std::map<uint32_t, State> blocks; ///< by their first instruction; what does not appear is never reached
    std::map<uint32_t, uint32_t> met; ///< how often paths met in front of a block
    std::set<uint32_t> calls;         ///< first instructions of the functions it may enter
    bool tracked = false;             ///< the stack bytes it wrote must be known when it runs
    uint32_t depth = 0;               ///< bytes of stack it uses
    uint32_t context = 0;             ///< bytes of the context that it, or what it calls, reads unchecked
};

class Proof {
public:
    explicit Proof(const Image& image);

    /// Walks the program. Why it is refused, or empty.
    std::string run();

    std::map<uint32_t, FunctionProof>& functions() { return functions_; }
    /// Applies one instruction to what is known.
    Step step(FunctionProof& function, State& state, uint32_t pc);
    /// Does a block begin here?
    bool leads(uint32_t pc) const { return pc < leaders_.size() && leaders_[pc]; }
    /// What is known once a conditional jump was taken, or was not.
    State after_jump(const State& state, uint32_t pc, bool taken) const;

private:
    void find_blocks();
    void find_roots();
    void walk(FunctionProof& function);
    void walk_block(FunctionProof& function, uint32_t pc);
    void reach(FunctionProof& function, uint32_t pc, const State& state);
    void enter(FunctionProof& caller, uint32_t callee, const State& entry);
    bool join_into(FunctionProof& function, State& into, const State& from, bool widen);
    std::string check_calls();
    bool chain(uint32_t first, uint32_t frames, uint32_t stack, std::set<uint32_t>& active);
    uint32_t context_of(FunctionProof& function, std::set<uint32_t>& done);

    bool readable(const State& state, uint8_t number);
    void arithmetic(FunctionProof& function, State& state, const bpf_insn& insn, Step& step);
    void load_immediate(State& state, const bpf_insn& insn, uint32_t pc, Step& step);
    void load(FunctionProof& function, State& state, const bpf_insn& insn, Step& step);
    void store(FunctionProof& function, State& state, const bpf_insn& insn, Step& step);
    void atomic(FunctionProof& function, State& state, const bpf_insn& insn, Step& step);
    void access(FunctionProof& function, const State& state, const Value& base, const bpf_insn& insn, bool write,
                Step& step);
    void put(State& state, const Value& value, uint32_t width, const Step& step);
    void jump(State& state, const bpf_insn& insn, uint32_t pc, Step& step);
    void call(FunctionProof& function, State& state, const bpf_insn& insn, uint32_t pc, Step& step);
    void call_helper(FunctionProof& function, State& state, const bpf_insn& insn, uint32_t pc, Step& step);
    int64_t size_of(const Value& pointer) const;
    void fill_buffer(FunctionProof& function, State& state, const Value& buffer, const Value& size);
    void call_back(FunctionProof& function, State& state, Step& step);
    Value handed_over(FunctionProof& function, const Value& value);
    static void forget_slots(State& state);

    const Image& image_;
    std::vector<bool> leaders_;
    std::map<uint32_t, FunctionProof> functions_;
    std::set<uint32_t> waiting_; ///< functions to walk
    std::set<uint32_t> pending_; ///< blocks of the function that is walked
    uint64_t steps_ = 0;
    std::string refusal_;
};

} // namespace dt::vm

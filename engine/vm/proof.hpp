// Proves properties of a program before it runs, so that compiled code can omit the checks.
//
// The interpreter checks everything on the executed path. The proof follows every path once, with facts about each
// value instead of the value, like the kernel's verifier. Where paths meet, only facts that are true on all of them are
// kept. The result for each instruction is that it needs no check, needs a check at run time, or always fails. A
// program that cannot be decided (a register written on some paths only, recursion, an unknown callback) is refused and
// interpreted.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/program/image.hpp"
#include "engine/program/vm_state.hpp"

namespace dt::vm {

// Facts that hold for a value whenever the program runs: it is a number in a range, or a pointer into memory of known
// size.

inline constexpr uint32_t kNoOrigin = 0xffffffff;
inline constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
inline constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

struct Value {
    enum class Kind : uint8_t {
        Nothing, ///< no path to this point has written the register
        Perhaps, ///< only some paths to this point have written the register
        Number,
        Context,
        Stack, ///< pointer into the function's frame; its offset is 0 after the last byte of the frame
        MapValue,
        MapValueOrNull,
        Section,
        Map,      ///< reference to a map, as an argument of helpers
        Function, ///< reference to a function, as an argument of helpers
    };
    Kind kind = Kind::Nothing;
    uint32_t which = 0; ///< index of the map, of the section, or of the function's first instruction
    /// For MapValueOrNull: the call that returned the pointer; kNoOrigin if several calls may have returned it.
    uint32_t origin = 0;
    int64_t low = 0, high = 0; ///< bounds of a signed number, or of a pointer's offset

    bool operator==(const Value&) const = default;

    bool is_pointer() const
    {
        return kind == Kind::Context || kind == Kind::Stack || kind == Kind::MapValue || kind == Kind::Section;
    }
    bool is_constant() const { return kind == Kind::Number && low == high; }

    static Value number(int64_t low, int64_t high) { return {Kind::Number, 0, 0, low, high}; }
    static Value constant(int64_t value) { return number(value, value); }
    static Value any() { return number(kLowest, kHighest); }
    /// Returns the facts about any zero-extended number with this many bits.
    static Value unsigned_bits(uint32_t bits)
    {
        return bits >= 64 ? any() : number(0, static_cast<int64_t>((uint64_t{1} << bits) - 1));
    }
    static Value signed_bits(uint32_t bits)
    {
        return bits >= 64 ? any() : number(-(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1);
    }
    static Value pointer(Kind kind, uint32_t which = 0, int64_t offset = 0) { return {kind, which, 0, offset, offset}; }
};

/// Returns the facts that hold for both values. With `widen`, a range that grows beyond that of `a` becomes unlimited
/// immediately, so that the analysis of loops ends.
Value join(const Value& a, const Value& b, bool widen);

/// Returns the result of an operator of BPF_ALU64 (`wide`) or BPF_ALU; both operands must hold a value. `offset` is the
/// instruction's offset field.
Value compute(uint8_t op, int16_t offset, bool wide, const Value& left, const Value& right);

/// Returns the facts about `left` that follow if the comparison "left op right" is true (`holds`) or false; `right` is
/// a constant.
Value refine(uint8_t op, const Value& left, int64_t right, bool holds);

/// Facts about the values in all registers and stack words before an instruction.
struct State {
    static constexpr std::size_t kSlots = kStackSize / 8;
    std::array<Value, 11> registers{};
    std::array<Value, kSlots> slots; ///< facts about each aligned word of the frame, from the lowest address
    std::bitset<kStackSize> written; ///< bytes of the stack that are written on every path

    State() { slots.fill(Value::any()); }
    /// Returns a mask with bit n set if Rn holds a value.
    uint16_t live() const;
};

/// Result of the proof for one instruction.
struct Step {
    bool fails = false;      ///< whether the instruction always ends the run with an error
    bool proven = false;     ///< whether the instruction is a memory access whose address needs no check
    bool on_stack = false;   ///< whether the instruction is a proven access to this frame, starting at `stack_byte`
    uint32_t stack_byte = 0; ///< offset of the accessed bytes from the lowest address of the frame
    bool written = false;    ///< whether all accessed bytes are proven to be written when the instruction runs
    bool falls = true;       ///< whether control can reach the next instruction
    bool jumps = false;      ///< whether control can reach the target of the jump
    uint32_t next = 0;       ///< index of the instruction that follows this one
    uint32_t target = 0;     ///< index of the target instruction of a jump or call
};

struct FunctionProof {
    uint32_t first = 0;
    bool root = false; ///< whether only the virtual machine calls the function, and no other function
    State entry;       ///< facts about values that hold at every call of the function
    /// facts about values at the start of each block, by first instruction; unreachable blocks are missing
    std::map<uint32_t, State> blocks;
    /// for each block, by its first instruction: how often paths have met there; after kMeetingsToWiden times, ranges
    /// are widened
    std::map<uint32_t, uint32_t> met;
    std::set<uint32_t> calls; ///< first instructions of the functions that this function may call
    bool tracked = false;     ///< whether the program must track at run time which stack bytes are written
    uint32_t depth = 0;       ///< bytes of stack that the function uses
    uint32_t context = 0;     ///< bytes of context that the function and its callees read without a check
};

class Proof {
public:
    explicit Proof(const Image& image);

    /// Analyses the program. Returns the reason why it is refused, or an empty string if it is not.
    std::string run();

    std::map<uint32_t, FunctionProof>& functions() { return functions_; }
    /// Updates `state` by the effect of one instruction.
    Step step(FunctionProof& function, State& state, uint32_t pc);
    /// Returns whether a block begins at this instruction.
    bool leads(uint32_t pc) const { return pc < leaders_.size() && leaders_[pc]; }
    /// Returns the facts about values after a conditional jump; `taken` is whether the jump is taken.
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
    std::set<uint32_t> waiting_; ///< functions that remain to be analysed
    std::set<uint32_t> pending_; ///< blocks of the current function that remain to be analysed
    uint64_t steps_ = 0;
    std::string refusal_;
};

} // namespace dt::vm

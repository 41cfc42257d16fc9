// Applies one instruction to the facts about values. An instruction that always fails here must also fail in the
// interpreter.
#include <algorithm>

#include "engine/program/operators.hpp"
#include "engine/vm/helpers.hpp"
#include "engine/vm/proof.hpp"

namespace dt::vm {

namespace {

using ValueKind = Value::Kind;

constexpr int64_t kLargestContext = 1 << 16;

Value loaded(const bpf_insn& insn)
{
    const uint32_t bits = width_of(insn.code) * 8;
    return BPF_MODE(insn.code) == kModeMemSx ? Value::signed_bits(bits) : Value::unsigned_bits(bits);
}

bool fetches(const bpf_insn& insn)
{
    return insn.imm & BPF_FETCH;
}

/// Returns whether the access covers a whole slot, which is an aligned word of the frame.
bool is_slot(const Step& step, uint32_t width)
{
    return width == 8 && step.stack_byte % 8 == 0;
}

void forget_origin(State& state, uint32_t origin)
{
    const auto forget = [&](Value& v) {
        if (v.kind == ValueKind::MapValueOrNull && v.origin == origin)
            v.origin = kNoOrigin;
    };
    std::for_each(state.registers.begin(), state.registers.end(), forget);
    std::for_each(state.slots.begin(), state.slots.end(), forget);
}

/// Marks every copy of the pointer as not null.
void found(State& state, const Value& pointer)
{
    const auto settle = [&](Value& v) {
        if (v == pointer && v.origin != kNoOrigin)
            v = Value::pointer(ValueKind::MapValue, v.which);
    };
    std::for_each(state.registers.begin(), state.registers.end(), settle);
    std::for_each(state.slots.begin(), state.slots.end(), settle);
}

} // namespace

/// Discards the facts about words of the stack, because a store through an unknown pointer may have changed them.
void Proof::forget_slots(State& state)
{
    for (Value& slot : state.slots)
        slot = Value::any();
}

bool Proof::readable(const State& state, uint8_t number)
{
    if (number > kFrameRegister)
        return false;
    const ValueKind kind = state.registers[number].kind;
    if (kind == ValueKind::Perhaps)
        refusal_ = "register R" + std::to_string(number) + " is read, but only some paths have written it";
    return kind != ValueKind::Nothing;
}

Step Proof::step(FunctionProof& function, State& state, uint32_t pc)
{
    Step step;
    step.next = pc + 1;
    if (pc >= image_.code.size()) {
        step.fails = true;
        return step;
    }
    const bpf_insn& insn = image_.code[pc];
    switch (BPF_CLASS(insn.code)) {
    case BPF_ALU:
    case BPF_ALU64:
        arithmetic(function, state, insn, step);
        break;
    case BPF_LD:
        load_immediate(state, insn, pc, step);
        break;
    case BPF_LDX:
        load(function, state, insn, step);
        break;
    case BPF_ST:
    case BPF_STX:
        store(function, state, insn, step);
        break;
    default:
        if (insn.code == (BPF_JMP | BPF_CALL))
            call(function, state, insn, pc, step);
        else if (insn.code != (BPF_JMP | BPF_EXIT))
            jump(state, insn, pc, step);
        else {
            step.fails = !readable(state, 0);
            step.falls = false;
        }
    }
    return step;
}

// ---- arithmetic

void Proof::arithmetic(FunctionProof& function, State& state, const bpf_insn& insn, Step& step)
{
    const uint8_t op = BPF_OP(insn.code);
    const bool wide = BPF_CLASS(insn.code) == BPF_ALU64,
               by_register = BPF_SRC(insn.code) == BPF_X && op != BPF_NEG && op != BPF_END;
    const bool swap = op == BPF_END;
    bool good = insn.dst_reg < kFrameRegister && (op == BPF_MOV || readable(state, insn.dst_reg)) &&
                (!by_register || readable(state, insn.src_reg));
    if (swap)
        good = good && (insn.imm == 16 || insn.imm == 32 || insn.imm == 64);
    else
        good = good && (op == BPF_NEG || !never_valid(insn)) &&
               (wide ? operator64(op, insn.off) : operator32(op, insn.off));
    step.fails = !good;
    if (!good)
        return;
    Value& target = state.registers[insn.dst_reg];
    const Value left = target, right = by_register ? state.registers[insn.src_reg] : Value::constant(insn.imm);
    target = swap ? Value::unsigned_bits(static_cast<uint32_t>(insn.imm)) : compute(op, insn.off, wide, left, right);
    const bool lost = (op != BPF_MOV && left.kind == ValueKind::Stack) || right.kind == ValueKind::Stack;
    if (lost && target.kind != ValueKind::Stack)
        function.tracked = true; // from here on, the proof does not know where the pointer points
}

void Proof::load_immediate(State& state, const bpf_insn& insn, uint32_t pc, Step& step)
{
    step.next = pc + 2;
    step.fails =
        insn.code != (BPF_LD | BPF_IMM | BPF_DW) || pc + 1 >= image_.code.size() || insn.dst_reg >= kFrameRegister;
    if (step.fails)
        return;
    const int32_t high = image_.code[pc + 1].imm;
    const auto index = static_cast<uint32_t>(insn.imm);
    Value& target = state.registers[insn.dst_reg];
    switch (insn.src_reg) {
    case 0:
        target =
            Value::constant(static_cast<int64_t>(index | static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32));
        return;
    case BPF_PSEUDO_MAP_FD:
        target = Value::pointer(ValueKind::Map, index);
        return;
    case BPF_PSEUDO_FUNC:
        target = Value::pointer(ValueKind::Function, index);
        return;
    case BPF_PSEUDO_MAP_VALUE:
        step.fails = index >= image_.sections.size();
        target = Value::pointer(ValueKind::Section, index, high);
        return;
    default:
        step.fails = true;
    }
}

// ---- memory

/// Returns the size of the map value or section that the pointer points into, or -1 for all other values.
int64_t Proof::size_of(const Value& pointer) const
{
    if (pointer.kind == ValueKind::MapValue)
        return image_.maps[pointer.which].value_size;
    return pointer.kind == ValueKind::Section ? static_cast<int64_t>(image_.sections[pointer.which].bytes.size()) : -1;
}

/// Determines which checks a memory access through the register value `base` needs at run time. The register must have
/// been set.
void Proof::access(FunctionProof& function, const State& state, const Value& base, const bpf_insn& insn, bool write,
                   Step& step)
{
    if (!base.is_pointer())
        return; // the access is checked at run time instead
    const int64_t width = width_of(insn.code), low = base.low + insn.off, end = base.high + insn.off + width;
    const bool exact = base.low == base.high;
    const auto inside = [&](int64_t size) { return low >= 0 && end <= size; };
    switch (base.kind) {
    case ValueKind::Stack:
        if (!exact) {
            function.tracked = true;
            return;
        }
        step.fails = low % width || low < -static_cast<int64_t>(kStackSize) || end > 0;
        if (step.fails)
            return;
        step.proven = step.on_stack = true;
        step.stack_byte = static_cast<uint32_t>(low + kStackSize);
        step.written = true;
        for (uint32_t i = 0; i < width; ++i)
            step.written = step.written && state.written[step.stack_byte + i];
        function.depth = std::max(function.depth, static_cast<uint32_t>(-low));
        if (!write && !step.written)
            function.tracked = true;
        return;
    case ValueKind::Context:
        step.fails = write || (exact && (low % width || low < 0));
        step.proven = !write && exact && inside(kLargestContext);
        if (step.proven && !step.fails)
            function.context = std::max(function.context, static_cast<uint32_t>(end));
        return;
    case ValueKind::MapValue:
        step.proven = inside(size_of(base));
        return;
    case ValueKind::Section:
        step.proven = inside(size_of(base)) && (!write || image_.sections[base.which].writable);
        return;
    default:
        return;
    }
}

void Proof::load(FunctionProof& function, State& state, const bpf_insn& insn, Step& step)
{
    const uint8_t mode = BPF_MODE(insn.code);
    step.fails =
        (mode != BPF_MEM && mode != kModeMemSx) || insn.dst_reg >= kFrameRegister || !readable(state, insn.src_reg);
    if (step.fails)
        return;
    const Value base = state.registers[insn.src_reg];
    access(function, state, base, insn, false, step);
    Value& target = state.registers[insn.dst_reg];
    target = loaded(insn);
    if (step.on_stack && is_slot(step, width_of(insn.code)))
        target = state.slots[step.stack_byte / 8];
}

void Proof::store(FunctionProof& function, State& state, const bpf_insn& insn, Step& step)
{
    if (is_atomic(insn))
        return atomic(function, state, insn, step);
    const bool from_register = BPF_CLASS(insn.code) == BPF_STX;
    step.fails = BPF_MODE(insn.code) != BPF_MEM || !readable(state, insn.dst_reg) ||
                 (from_register && !readable(state, insn.src_reg));
    if (step.fails)
        return;
    const Value base = state.registers[insn.dst_reg];
    const Value value = from_register ? state.registers[insn.src_reg] : Value::constant(insn.imm);
    if (value.kind == ValueKind::Stack)
        function.tracked = true;
    access(function, state, base, insn, true, step);
    put(state, value, width_of(insn.code), step);
}

/// Updates the facts about stack words after a store.
void Proof::put(State& state, const Value& value, uint32_t width, const Step& step)
{
    if (step.fails)
        return;
    if (!step.proven)
        return forget_slots(state);
    if (!step.on_stack)
        return;
    // the access is aligned, so it cannot cross the border between two slots
    state.slots[step.stack_byte / 8] = is_slot(step, width) ? value : Value::any();
    for (uint32_t i = 0; i < width; ++i)
        state.written.set(step.stack_byte + i);
}

void Proof::atomic(FunctionProof& function, State& state, const bpf_insn& insn, Step& step)
{
    const bool exchange = insn.imm == BPF_XCHG, compare = insn.imm == BPF_CMPXCHG;
    const uint32_t width = width_of(insn.code);
    step.fails = !readable(state, insn.dst_reg) || !readable(state, insn.src_reg) || width < 4 ||
                 (compare && !readable(state, 0)) ||
                 (!exchange && !compare && !atomic_operator(insn.imm & ~BPF_FETCH)) ||
                 (!compare && fetches(insn) && insn.src_reg == kFrameRegister);
    if (step.fails)
        return;
    const Value base = state.registers[insn.dst_reg];
    if (state.registers[insn.src_reg].kind == ValueKind::Stack)
        function.tracked = true;
    access(function, state, base, insn, true, step);
    // An atomic instruction also reads, and requires alignment.
    if (step.on_stack && !step.written)
        function.tracked = true;
    step.proven = step.proven && base.low == base.high && (base.low + insn.off) % static_cast<int64_t>(width) == 0 &&
                  (!step.on_stack || step.written);
    step.on_stack = step.on_stack && step.proven;
    put(state, Value::any(), width, step);
    if (compare)
        state.registers[0] = Value::unsigned_bits(width * 8);
    else if (fetches(insn))
        state.registers[insn.src_reg] = Value::unsigned_bits(width * 8);
}

// ---- control

void Proof::jump(State& state, const bpf_insn& insn, uint32_t pc, Step& step)
{
    const uint8_t op = BPF_OP(insn.code);
    step.target = jump_target(insn, pc);
    step.jumps = true;
    if (op == BPF_JA) {
        step.falls = false;
        return;
    }
    const bool wide = BPF_CLASS(insn.code) == BPF_JMP;
    step.fails = !(wide ? comparison64(op) : comparison32(op)) || !readable(state, insn.dst_reg) ||
                 (BPF_SRC(insn.code) == BPF_X && !readable(state, insn.src_reg));
}

State Proof::after_jump(const State& state, uint32_t pc, bool taken) const
{
    const bpf_insn& insn = image_.code[pc];
    const uint8_t op = BPF_OP(insn.code);
    State after = state;
    if (op == BPF_JA)
        return after;
    Value& left = after.registers[insn.dst_reg];
    const Value right = BPF_SRC(insn.code) == BPF_X ? state.registers[insn.src_reg] : Value::constant(insn.imm);
    if (!right.is_constant())
        return after;
    // Comparing the low halves gives the same result as comparing whole registers if the high halves are zero.
    constexpr int64_t kPositive32 = 0x7fffffff;
    if (BPF_CLASS(insn.code) == BPF_JMP32 && (left.kind != ValueKind::Number || left.low < 0 ||
                                              left.high > kPositive32 || right.low < 0 || right.low > kPositive32))
        return after;
    if (left.kind != ValueKind::MapValueOrNull) {
        left = refine(op, left, right.low, taken);
        return after;
    }
    if (right.low != 0 || (op != BPF_JEQ && op != BPF_JNE))
        return after;
    if (taken == (op == BPF_JEQ)) {
        left = Value::constant(0);
    } else {
        const Value pointer = left;
        left = Value::pointer(ValueKind::MapValue, pointer.which);
        found(after, pointer);
    }
    return after;
}

/// Returns the facts about an argument that a callee or helper may rely on. There are none for a pointer into this
/// function's frame.
Value Proof::handed_over(FunctionProof& function, const Value& value)
{
    if (value.kind != ValueKind::Stack)
        return value;
    function.tracked = true;
    return Value::any();
}

void Proof::call(FunctionProof& function, State& state, const bpf_insn& insn, uint32_t pc, Step& step)
{
    if (insn.src_reg == 0)
        return call_helper(function, state, insn, pc, step);
    step.fails = insn.src_reg != BPF_PSEUDO_CALL;
    if (step.fails)
        return;
    step.target = jump_target(insn, pc);
    State entry;
    for (std::size_t i = 1; i <= 5; ++i) {
        entry.registers[i] = handed_over(function, state.registers[i]);
        state.registers[i] = {};
    }
    entry.registers[kFrameRegister] = Value::pointer(ValueKind::Stack);
    enter(function, step.target, entry);
    state.registers[0] = Value::any();
    forget_slots(state);
}

void Proof::call_helper(FunctionProof& function, State& state, const bpf_insn& insn, uint32_t pc, Step& step)
{
    const HelperEntry* helper = find_helper(insn.imm);
    step.fails = !helper;
    for (uint8_t i = 1; helper && i <= helper->arguments; ++i)
        step.fails = step.fails || !readable(state, i);
    if (step.fails || !refusal_.empty())
        return;
    if (insn.imm == BPF_FUNC_loop)
        call_back(function, state, step);
    if (helper->buffer >= 0)
        fill_buffer(function, state, state.registers[static_cast<std::size_t>(helper->buffer) + 1],
                    state.registers[static_cast<std::size_t>(helper->buffer_size) + 1]);
    forget_origin(state, pc);
    const Value map = state.registers[1];
    for (std::size_t i = 1; i <= 5; ++i) {
        (void)handed_over(function, state.registers[i]);
        state.registers[i] = {};
    }
    const bool value = helper->returns_value && map.kind == ValueKind::Map && map.which < image_.maps.size();
    state.registers[0] = value ? Value{ValueKind::MapValueOrNull, map.which, pc, 0, 0} : Value::any();
}

/// Updates the facts about values after a helper wrote `size` bytes.
void Proof::fill_buffer(FunctionProof& function, State& state, const Value& buffer, const Value& size)
{
    const bool bounded = size.kind == ValueKind::Number && size.low >= 0 && size.high <= kHighest / 2;
    const int64_t room = size_of(buffer);
    if (room >= 0 && bounded && buffer.low >= 0 && buffer.high + size.high <= room)
        return; // the helper writes only to a buffer outside of the stack, so no facts about the stack change
    forget_slots(state);
    if (buffer.kind != ValueKind::Stack || buffer.low != buffer.high || !size.is_constant())
        return;
    const int64_t from = buffer.low + kStackSize;
    if (from < 0 || size.low < 0 || size.low > -buffer.low)
        return;
    for (int64_t i = 0; i < size.low; ++i)
        state.written.set(static_cast<std::size_t>(from + i));
    if (size.low)
        function.depth = std::max(function.depth, static_cast<uint32_t>(-buffer.low));
}

/// Checks a call of bpf_loop(count, function, context, 0).
void Proof::call_back(FunctionProof& function, State& state, Step& step)
{
    const Value callback = state.registers[2];
    if (callback.kind != ValueKind::Function || callback.which >= image_.code.size()) {
        refusal_ = "a helper's callback is not known";
        return;
    }
    step.target = callback.which;
    State entry;
    entry.registers[1] = Value::number(0, 1 << 23);
    entry.registers[2] = handed_over(function, state.registers[3]);
    entry.registers[kFrameRegister] = Value::pointer(ValueKind::Stack);
    enter(function, callback.which, entry);
    forget_slots(state);
}

} // namespace dt::vm

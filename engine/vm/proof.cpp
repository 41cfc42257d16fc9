// Analyses blocks, functions, points where paths meet, and the limits of call chains. Also computes facts about values.
// proof_step.cpp handles single instructions.
#include "engine/vm/proof.hpp"

#include <algorithm>
#include <bit>

#include "engine/program/operators.hpp"

namespace dt::vm {

namespace {

constexpr uint32_t kMeetingsToWiden = 6;
constexpr uint64_t kStepsPerInstruction = 400; // limit of analysis steps, per instruction of the program

bool is_jump(const bpf_insn& insn)
{
    const uint8_t kind = BPF_CLASS(insn.code);
    return (kind == BPF_JMP || kind == BPF_JMP32) && insn.code != (BPF_JMP | BPF_CALL) &&
           insn.code != (BPF_JMP | BPF_EXIT);
}

} // namespace

uint16_t State::live() const
{
    uint16_t mask = 0;
    for (std::size_t i = 0; i < registers.size(); ++i)
        if (registers[i].kind != Value::Kind::Nothing)
            mask = static_cast<uint16_t>(mask | 1u << i);
    return mask;
}

Proof::Proof(const Image& image) : image_(image) {}

std::string Proof::run()
{
    find_blocks();
    find_roots();
    if (waiting_.empty())
        return "the program has no function that no other one calls";
    while (!waiting_.empty() && refusal_.empty()) {
        const uint32_t first = *waiting_.begin();
        waiting_.erase(waiting_.begin());
        walk(functions_[first]);
    }
    return refusal_.empty() ? check_calls() : refusal_;
}

void Proof::find_blocks()
{
    leaders_.assign(image_.code.size(), false);
    const auto lead = [&](uint32_t pc) {
        if (pc < leaders_.size())
            leaders_[pc] = true;
    };
    for (uint32_t pc = 0; pc < image_.code.size(); ++pc)
        if (is_jump(image_.code[pc])) {
            lead(jump_target(image_.code[pc], pc));
            lead(pc + 1);
        }
}

/// Finds the functions that no other function calls. Only the virtual machine calls them, and guarantees nothing but
/// their context. All other functions get their arguments from callers.
void Proof::find_roots()
{
    std::set<uint32_t> called;
    for (uint32_t pc = 0; pc < image_.code.size(); ++pc) {
        const bpf_insn& insn = image_.code[pc];
        if (insn.code == (BPF_JMP | BPF_CALL) && insn.src_reg == BPF_PSEUDO_CALL)
            called.insert(jump_target(insn, pc));
        if (insn.code == (BPF_LD | BPF_IMM | BPF_DW) && insn.src_reg == BPF_PSEUDO_FUNC)
            called.insert(static_cast<uint32_t>(insn.imm));
    }
    for (const Function& function : image_.functions)
        if (!called.contains(function.first)) {
            State entry;
            entry.registers[1] = Value::pointer(Value::Kind::Context);
            entry.registers[kFrameRegister] = Value::pointer(Value::Kind::Stack);
            FunctionProof& proof = functions_[function.first];
            proof.first = function.first;
            proof.root = true;
            proof.entry = entry;
            waiting_.insert(function.first);
        }
}

void Proof::walk(FunctionProof& function)
{
    pending_.clear();
    reach(function, function.first, function.entry);
    while (!pending_.empty() && refusal_.empty()) {
        const uint32_t pc = *pending_.begin();
        pending_.erase(pending_.begin());
        walk_block(function, pc);
    }
}

void Proof::walk_block(FunctionProof& function, uint32_t pc)
{
    State state = function.blocks.at(pc);
    while (true) {
        if (++steps_ > kStepsPerInstruction * (image_.code.size() + 16)) {
            refusal_ = "the program has too many paths";
            return;
        }
        const Step done = step(function, state, pc);
        if (done.fails || !refusal_.empty())
            return;
        if (done.jumps)
            reach(function, done.target, after_jump(state, pc, true));
        if (!done.falls)
            return;
        if (done.jumps)
            return reach(function, done.next, after_jump(state, pc, false));
        if (leads(done.next))
            return reach(function, done.next, state);
        pc = done.next;
    }
}

/// Handles a path that reaches the block at `pc`: merges the facts about values on this path with the facts of earlier
/// paths.
void Proof::reach(FunctionProof& function, uint32_t pc, const State& state)
{
    const auto [at, fresh] = function.blocks.try_emplace(pc, state);
    if (fresh || join_into(function, at->second, state, ++function.met[pc] > kMeetingsToWiden))
        pending_.insert(pc);
}

bool Proof::join_into(FunctionProof& function, State& into, const State& from, bool widen)
{
    bool changed = false;
    const auto meet = [&](Value& a, const Value& b) {
        const Value both = join(a, b, widen);
        if ((a.kind == Value::Kind::Stack || b.kind == Value::Kind::Stack) && both.kind != Value::Kind::Stack)
            function.tracked = true;
        changed |= !(both == a);
        a = both;
    };
    for (std::size_t i = 0; i < into.registers.size(); ++i)
        meet(into.registers[i], from.registers[i]);
    for (std::size_t i = 0; i < into.slots.size(); ++i)
        meet(into.slots[i], from.slots[i]);
    const auto written = into.written & from.written;
    changed |= written != into.written;
    into.written = written;
    return changed;
}

/// Records a call of `callee` from `caller`. The facts about values at the call are merged with those at its other
/// calls.
void Proof::enter(FunctionProof& caller, uint32_t callee, const State& entry)
{
    caller.calls.insert(callee);
    const auto [at, fresh] = functions_.try_emplace(callee);
    FunctionProof& function = at->second;
    if (fresh) {
        function.first = callee;
        function.entry = entry;
        waiting_.insert(callee);
    } else if (join_into(function, function.entry, entry, ++function.met[~0u] > kMeetingsToWiden)) {
        waiting_.insert(callee);
    }
}

// ---- chains of calls

std::string Proof::check_calls()
{
    for (auto& [first, function] : functions_) {
        std::set<uint32_t> active, done;
        if (function.root && !chain(first, 0, 0, active))
            return refusal_;
        function.context = context_of(function, done);
    }
    return {};
}

/// Like the kernel, adds up the frames of a chain of calls, each rounded up to 32 bytes.
bool Proof::chain(uint32_t first, uint32_t frames, uint32_t stack, std::set<uint32_t>& active)
{
    const FunctionProof& function = functions_.at(first);
    stack += (std::max<uint32_t>(function.depth, 1) + 31) & ~31u;
    if (++frames > kMaxFrames || stack > kStackSize || !active.insert(first).second) {
        refusal_ = "calls may be nested too deeply";
        return false;
    }
    for (const uint32_t callee : function.calls)
        if (!chain(callee, frames, stack, active))
            return false;
    active.erase(first);
    return true;
}

uint32_t Proof::context_of(FunctionProof& function, std::set<uint32_t>& done)
{
    uint32_t most = function.context;
    if (done.insert(function.first).second)
        for (const uint32_t callee : function.calls)
            most = std::max(most, context_of(functions_.at(callee), done));
    return most;
}

namespace {

// Limit of pointer offsets. Larger offsets are never used, and the sum of two offsets within the limit cannot overflow.
constexpr int64_t kFarthest = int64_t{1} << 31;
constexpr int64_t kHighest32 = 0xffffffff;

Value moved(const Value& pointer, int64_t low, int64_t high)
{
    if (low < -kFarthest || high > kFarthest || low > high)
        return Value::any();
    Value result = pointer;
    result.low += low;
    result.high += high;
    return result.low < -kFarthest || result.high > kFarthest ? Value::any() : result;
}

Value add(const Value& l, const Value& r)
{
    if (l.is_pointer() && r.kind == Value::Kind::Number)
        return moved(l, r.low, r.high);
    if (r.is_pointer() && l.kind == Value::Kind::Number)
        return moved(r, l.low, l.high);
    if (l.kind != Value::Kind::Number || r.kind != Value::Kind::Number)
        return Value::any();
    int64_t low = 0, high = 0;
    if (__builtin_add_overflow(l.low, r.low, &low) || __builtin_add_overflow(l.high, r.high, &high))
        return Value::any();
    return Value::number(low, high);
}

Value subtract(const Value& l, const Value& r)
{
    if (r.kind != Value::Kind::Number || r.low == kLowest)
        return Value::any();
    return add(l, Value::number(-r.high, -r.low));
}

Value multiply(const Value& l, const Value& r)
{
    int64_t high = 0;
    if (l.low < 0 || r.low < 0 || __builtin_mul_overflow(l.high, r.high, &high))
        return Value::any();
    return Value::number(l.low * r.low, high);
}

/// Returns a range for the result of a bitwise operation. The result has at most as many bits as the longer operand.
Value combine(const Value& l, const Value& r)
{
    if (l.low < 0 || r.low < 0)
        return Value::any();
    const int width = std::bit_width(static_cast<uint64_t>(std::max(l.high, r.high)));
    return Value::unsigned_bits(static_cast<uint32_t>(width));
}

Value mask(const Value& l, const Value& r)
{
    if (l.low < 0 && r.low < 0)
        return Value::any();
    const int64_t left = l.low < 0 ? kHighest : l.high, right = r.low < 0 ? kHighest : r.high;
    return Value::number(0, std::min(left, right));
}

Value shift(uint8_t op, const Value& l, int64_t count)
{
    if (count == 0)
        return l;
    if (op == BPF_LSH)
        return l.low >= 0 && l.high <= kHighest >> count ? Value::number(l.low << count, l.high << count)
                                                         : Value::any();
    if (op == BPF_ARSH || l.low >= 0)
        return Value::number(l.low >> count, l.high >> count);
    return Value::unsigned_bits(static_cast<uint32_t>(64 - count));
}

Value divide(uint8_t op, int16_t offset, const Value& l, const Value& r)
{
    if (!r.is_constant() || r.low <= 0)
        return Value::any();
    if (op == BPF_MOD)
        return offset && l.low < 0 ? Value::number(-(r.low - 1), r.low - 1) : Value::number(0, r.low - 1);
    return offset || l.low >= 0 ? Value::number(l.low / r.low, l.high / r.low) : Value::any();
}

Value numbers(uint8_t op, int16_t offset, const Value& l, const Value& r, int64_t bits)
{
    switch (op) {
    case BPF_MUL:
        return multiply(l, r);
    case BPF_AND:
        return mask(l, r);
    case BPF_OR:
    case BPF_XOR:
        return combine(l, r);
    case BPF_LSH:
    case BPF_RSH:
    case BPF_ARSH:
        return r.is_constant() ? shift(op, l, r.low & (bits - 1)) : Value::any();
    case BPF_DIV:
    case BPF_MOD:
        return divide(op, offset, l, r);
    default:
        return Value::any();
    }
}

Value narrowed(const Value& value)
{
    const bool fits = value.kind == Value::Kind::Number && value.low >= 0 && value.high <= kHighest32;
    return fits ? value : Value::unsigned_bits(32);
}

Value compute_narrow(uint8_t op, int16_t offset, const Value& left, const Value& right)
{
    const Value l = narrowed(left), r = narrowed(right);
    if (op == BPF_MOV)
        return offset ? Value::unsigned_bits(32) : r;
    // ARSH, signed division and signed modulo have signed operands
    if ((op == BPF_ARSH || offset) && l.high > kHighest32 / 2)
        return Value::unsigned_bits(32);
    if (offset && r.high > kHighest32 / 2)
        return Value::unsigned_bits(32);
    if (op == BPF_ADD || op == BPF_SUB)
        return narrowed(op == BPF_ADD ? add(l, r) : subtract(l, r));
    return narrowed(numbers(op, offset, l, r, 32));
}

} // namespace

Value join(const Value& a, const Value& b, bool widen)
{
    using ValueKind = Value::Kind;
    if (a == b)
        return a;
    if (a.kind == ValueKind::Nothing || b.kind == ValueKind::Nothing || a.kind == ValueKind::Perhaps ||
        b.kind == ValueKind::Perhaps)
        return {ValueKind::Perhaps};
    const auto from_map = [](const Value& v) {
        return v.kind == ValueKind::MapValueOrNull || (v.kind == ValueKind::MapValue && v.low == 0 && v.high == 0);
    };
    if (a.kind != b.kind || a.origin != b.origin)
        return from_map(a) && from_map(b) && a.which == b.which
                   ? Value{ValueKind::MapValueOrNull, a.which, kNoOrigin, 0, 0}
                   : Value::any();
    Value both = a;
    both.low = std::min(a.low, b.low);
    both.high = std::max(a.high, b.high);
    return a.which != b.which || (widen && both != a) ? Value::any() : both;
}

Value compute(uint8_t op, int16_t offset, bool wide, const Value& left, const Value& right)
{
    if (!wide)
        return compute_narrow(op, offset, left, right);
    if (op == BPF_MOV && !offset)
        return right;
    if (op == BPF_MOV) {
        const Value bits = Value::signed_bits(static_cast<uint32_t>(offset));
        return right.kind == Value::Kind::Number && right.low >= bits.low && right.high <= bits.high ? right : bits;
    }
    if (op == BPF_ADD)
        return add(left, right);
    if (op == BPF_SUB)
        return subtract(left, right);
    if (left.kind != Value::Kind::Number || right.kind != Value::Kind::Number)
        return Value::any();
    return numbers(op, offset, left, right, 64);
}

Value refine(uint8_t op, const Value& left, int64_t right, bool holds)
{
    if (left.kind != Value::Kind::Number)
        return left;
    // if the comparison is false, uses the opposite comparison, which is true
    static constexpr struct {
        uint8_t op, opposite;
    } kPairs[] = {
        {BPF_JEQ, BPF_JNE}, {BPF_JGT, BPF_JLE}, {BPF_JGE, BPF_JLT}, {BPF_JSGT, BPF_JSLE}, {BPF_JSGE, BPF_JSLT}};
    if (!holds)
        for (const auto& pair : kPairs)
            if (op == pair.op || op == pair.opposite) {
                op = op == pair.op ? pair.opposite : pair.op;
                break;
            }
    Value v = left;
    const bool as_signed = op == BPF_JSGT || op == BPF_JSGE || op == BPF_JSLT || op == BPF_JSLE;
    // An unsigned comparison limits a signed range from above only if the constant is not negative, and from below only
    // if the value is not negative.
    const bool below = as_signed || right >= 0, above = as_signed || (right >= 0 && left.low >= 0);
    const bool less = op == BPF_JLT || op == BPF_JSLT || op == BPF_JLE || op == BPF_JSLE;
    const bool greater = op == BPF_JGT || op == BPF_JSGT || op == BPF_JGE || op == BPF_JSGE;
    const bool strict = op == BPF_JLT || op == BPF_JSLT || op == BPF_JGT || op == BPF_JSGT;
    if (op == BPF_JEQ)
        v = Value::constant(right);
    if (less && below && !(strict && right == kLowest)) {
        v.low = as_signed ? v.low : std::max<int64_t>(v.low, 0);
        v.high = std::min(v.high, right - strict);
    }
    if (greater && above && !(strict && right == kHighest))
        v.low = std::max(v.low, right + strict);
    return v.low <= v.high ? v : Value::any(); // an empty range means that the branch is unreachable
}

} // namespace dt::vm

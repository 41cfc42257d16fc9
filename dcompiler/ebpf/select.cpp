// Instruction selection: IR to BPF instructions over virtual registers.
//
// Instruction selection decides three questions:
//
// (1) Which values need no register: constants that fit an instruction, offsets that fit an address, comparisons that a
// branch can make.
//
// (2) Which values are computed again at each use (rematerialized), because keeping them in registers costs more:
// constants and the addresses of stack slots, data and maps. Between two calls, each is computed at most once.
//
// (3) How phis become copies: each phi has its own register, which predecessors write and the start of the block reads,
// so that copies do not interfere. The register allocator coalesces most of them.
#include "dcompiler/ebpf/select.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "dcompiler/ebpf/machine_code.hpp"
#include "dcompiler/ir/analysis.hpp"
#include "dcompiler/ir/bpf.hpp"

namespace dt::ebpf {

// State of instruction selection: properties of IR values, blocks and instructions.

using ir::Function;
using ir::Instr;
using ir::Op;
using ir::Value;

/// Value that is computed again at each use (rematerialized) and does not stay in a register.
struct Rematerializable {
    Op op = Op::Const; // kind of value: Const, StackAddr, DataAddr or MapRef
    uint32_t index = 0;
    int64_t offset = 0; // offset of an address, or the value of a Const
};

struct Address {
    // if the value is an address: the stack slot or data object to which it points
    std::optional<Rematerializable> fixed;
    Value base = ir::kNone; // base address, if the address is not in a stack slot or data object
    int64_t offset = 0;
};

inline bool is_shift(Op op)
{
    return op == Op::Shl || op == Op::LShr || op == Op::AShr;
}

class Selector {
public:
    Selector(const Function& function, bool extends_signs) : f_(function), extends_signs_(extends_signs) {}

    MFunction run();

private:
    // Functions that determine properties of IR values.
    const Instr& at(Value value) const { return f_.instrs[value]; }
    Value strip(Value value) const;
    std::optional<Rematerializable> rematerializable(Value value) const;
    std::optional<int64_t> constant(Value value) const;
    std::optional<int32_t> immediate(Value value) const;
    Address address(Value base, int64_t offset) const;
    ir::Test condition(Op cmp, Value a, Value b) const;
    void mark_needed();
    void find_signed_loads();
    template <typename Fn> void each_operand(const Instr& instr, Fn&& fn) const;

    // Functions that create machine blocks.
    void plan_blocks();
    bool has_phi(ir::BlockId block) const;
    uint32_t edge_target(ir::BlockId from, int edge);
    void connect(uint32_t from, uint32_t to);

    // Functions that emit code.
    MInsn& emit(MInsn insn);
    Reg reg(Value value);
    Reg operand(Value value);
    Reg make(const Rematerializable& what);
    void make_into(Reg dst, const Rematerializable& what);
    void copy_into(Reg dst, Value value);
    void move(Reg dst, Reg src) { emit({.code = kMov, .dst = dst, .src = src}); }
    void prologue();
    void phi_heads(ir::BlockId block);
    void phi_copies(ir::BlockId from, int edge);
    void select_instr(Value value);
    void alu(Value value, const Instr& instr);
    void extend(Value value, const Instr& instr);
    void extend_sign(Value value, const Instr& instr);
    /// Returns the instruction that makes a test, still without targets or result. If one side is a constant, it
    /// becomes the right side. `tested` receives the register of the left side.
    MInsn conditional(MInsn::Kind kind, Reg MInsn::*tested, ir::Test test);
    void compare(Value value, const Instr& instr);
    MInsn memory(uint8_t code, Value base, int64_t offset);
    void store(const Instr& instr);
    void atomic(Value value, const Instr& instr);
    void call(Value value, const Instr& instr);
    void readable(Value value, const Instr& instr);
    void terminator(ir::BlockId block, const Instr& instr);
    void branch(ir::BlockId block, const Instr& instr);

    using Key = std::tuple<Op, uint32_t, int64_t>;
    const Function& f_;
    const bool extends_signs_; // whether the kernel supports sign-extending instructions
    MFunction out_;
    std::vector<ir::BlockId> order_;
    std::vector<uint32_t> mblock_; // for each IR block, the index of its machine block; kNone: never reached
    // For each edge that leaves an IR block: the machine block that was inserted on it for copies, or kNone.
    std::vector<std::array<uint32_t, 2>> edge_;
    std::vector<bool> needed_;         // for each IR value, whether it must be computed
    std::vector<bool> read_;           // for each IR value, whether an instruction reads it
    std::vector<bool> is_signed_load_; // for each IR value, whether all its users sign-extend it
    std::vector<Reg> regs_;            // for each IR value, its virtual register
    std::vector<Reg> phi_regs_;        // for each phi value, a register that only this phi uses
    // rematerialized values that are in a register at this point of the code, and that register
    std::map<Key, Reg> made_;
    uint32_t current_ = 0;
    Value origin_ = ir::kNone;
};

template <typename Fn> void Selector::each_operand(const Instr& instr, Fn&& fn) const
{
    const auto value = [&](Value operand) {
        if (operand != ir::kNone && !rematerializable(operand))
            fn(strip(operand));
    };
    if (instr.op == Op::Branch) {
        const ir::Test test = condition(instr.cmp, instr.a, instr.b);
        value(test.a);
        return value(test.b);
    }
    if (!is(instr.op, ir::OpClass::Access))
        value(instr.a);
    else if (const Address place = address(instr.a, instr.imm); !place.fixed)
        value(place.base);
    value(instr.b);
    for (Value arg : instr.args)
        value(arg);
}

namespace {

// Maximum number of rematerialized values that stay in registers at the same time. With more, computing a value again
// is cheaper than spilling it.
constexpr std::size_t kMaxRematerialized = 8;

} // namespace

MInsn& Selector::emit(MInsn insn)
{
    insn.origin = origin_;
    auto& insns = out_.blocks[current_].insns;
    insns.push_back(insn);
    return insns.back();
}

Reg Selector::reg(Value value)
{
    value = strip(value);
    if (regs_[value] == kNoReg)
        regs_[value] = out_.fresh();
    return regs_[value];
}

/// Returns a register that holds `value` at this point of the code. If necessary, emits code that computes the value.
Reg Selector::operand(Value value)
{
    if (const auto what = rematerializable(value))
        return make(*what);
    return reg(value);
}

Reg Selector::make(const Rematerializable& what)
{
    const Key key{what.op, what.index, what.offset};
    const auto known = made_.find(key);
    if (known != made_.end())
        return known->second;
    if (made_.size() == kMaxRematerialized)
        made_.clear();
    const Reg dst = out_.fresh();
    make_into(dst, what);
    made_[key] = dst;
    return dst;
}

void Selector::make_into(Reg dst, const Rematerializable& what)
{
    switch (what.op) {
    case Op::StackAddr:
        emit(
            {.kind = MInsn::Kind::FrameAddr, .dst = dst, .imm = static_cast<int32_t>(what.offset), .slot = what.index});
        break;
    case Op::DataAddr:
        emit({.kind = MInsn::Kind::LoadData, .dst = dst, .wide = what.offset, .index = what.index});
        break;
    case Op::MapRef:
        emit({.kind = MInsn::Kind::LoadMap, .dst = dst, .index = what.index});
        break;
    default:
        if (fits_imm(what.offset))
            emit({.code = kMovImm, .dst = dst, .imm = static_cast<int32_t>(what.offset)});
        else
            emit({.kind = MInsn::Kind::LoadImm64, .dst = dst, .wide = what.offset});
    }
}

void Selector::copy_into(Reg dst, Value value)
{
    const auto what = rematerializable(value);
    if (!what)
        return move(dst, reg(value));
    const auto known = made_.find(Key{what->op, what->index, what->offset});
    if (known != made_.end() && what->op != Op::Const)
        return move(dst, known->second);
    make_into(dst, *what);
}

void Selector::prologue()
{
    std::array<Reg, kMaxArgs> first;
    first.fill(kNoReg);
    for (ir::BlockId block : order_)
        for (Value value : f_.blocks[block].instrs) {
            const Instr& instr = at(value);
            if (instr.op != Op::Param || !needed_[value] || instr.imm < 0 || instr.imm >= kMaxArgs)
                continue;
            Reg& reg = first[static_cast<std::size_t>(instr.imm)];
            if (reg == kNoReg)
                reg = out_.fresh();
            regs_[value] = reg;
        }
    for (Reg number = 0; number < kMaxArgs; ++number)
        if (first[number] != kNoReg)
            move(first[number], number + 1);
}

void Selector::phi_heads(ir::BlockId block)
{
    const bool single = f_.blocks[block].preds.size() == 1;
    for (Value value : f_.blocks[block].instrs) {
        if (at(value).op != Op::Phi)
            break;
        if (!needed_[value])
            continue;
        origin_ = value;
        if (single)
            copy_into(reg(value), at(value).args[0]);
        else
            move(reg(value), phi_regs_[value]);
    }
}

void Selector::phi_copies(ir::BlockId from, int edge)
{
    const Instr& last = at(f_.blocks[from].instrs.back());
    const ir::Block& to = f_.blocks[last.targets[edge]];
    if (to.preds.size() < 2)
        return;
    std::size_t index = 0;
    int skip = edge == 1 && last.targets[0] == last.targets[1] ? 1 : 0;
    while (to.preds[index] != from || skip-- > 0)
        ++index;
    for (Value value : to.instrs) {
        if (at(value).op != Op::Phi)
            break;
        if (needed_[value])
            copy_into(phi_regs_[value], at(value).args[index]);
    }
}

void Selector::alu(Value value, const Instr& instr)
{
    Value a = instr.a, b = instr.b;
    if (has(instr.op, ir::kCommutes) && immediate(a) && !immediate(b))
        std::swap(a, b);
    const Reg dst = reg(value);
    auto number = immediate(b);
    uint8_t bits = alu_bits(instr.op);
    const int16_t off = instr.op == Op::SDiv || instr.op == Op::SMod ? kSigned : 0;
    // The BPF verifier refuses a constant divisor of 0 and constant shift counts that are too large. For such
    // constants, the generated code computes what BPF defines for operands in registers: x / 0 is 0, x % 0 is x, and
    // shift counts are mod 64.
    if (number == 0 && instr.op == Op::UDiv)
        return make_into(dst, {Op::Const, 0, 0});
    if (number == 0 && instr.op == Op::UMod)
        return copy_into(dst, a);
    if (number && is_shift(instr.op))
        number = *number & 63;
    // A constant is added as the subtraction of its negative, and subtracted as the addition of its negative. The
    // reason is Linux 6.12: after `b = a; b += 8`, its verifier derives bounds of a from tests of b, and these are
    // wrong after a test that b equals 8. Other operations do not have this problem.
    if (number && (instr.op == Op::Add || instr.op == Op::Sub) && *number != INT32_MIN) {
        const int32_t up = instr.op == Op::Add ? *number : -*number;
        const bool subtracts = up > 0 && instr.mem == ir::Mem::None;
        bits = subtracts ? BPF_SUB : BPF_ADD;
        number = subtracts ? -up : up;
    }
    if (number) {
        copy_into(dst, a);
        emit({.code = static_cast<uint8_t>(BPF_ALU64 | bits | BPF_K), .dst = dst, .off = off, .imm = *number});
        return;
    }
    const Reg right = operand(b);
    copy_into(dst, a);
    emit({.code = static_cast<uint8_t>(BPF_ALU64 | bits | BPF_X), .dst = dst, .src = right, .off = off});
}

void Selector::extend_sign(Value value, const Instr& instr)
{
    const Reg dst = reg(value);
    const Value from = strip(instr.a);
    if (instr.width >= 8 || is_signed_load_[from])
        return copy_into(dst, instr.a);
    if (extends_signs_ && !rematerializable(from)) {
        emit({.code = kMov, .dst = dst, .src = reg(from), .off = static_cast<int16_t>(8 * instr.width)});
        return;
    }
    copy_into(dst, instr.a);
    const int32_t shift = 64 - 8 * instr.width;
    emit({.code = BPF_ALU64 | BPF_LSH | BPF_K, .dst = dst, .imm = shift});
    emit({.code = BPF_ALU64 | BPF_ARSH | BPF_K, .dst = dst, .imm = shift});
}

void Selector::extend(Value value, const Instr& instr)
{
    if (instr.op == Op::SExt)
        return extend_sign(value, instr);
    const Reg dst = reg(value);
    if (instr.op == Op::ZExt && instr.width == 4) {
        emit({.code = kMov32, .dst = dst, .src = operand(instr.a)});
        return;
    }
    copy_into(dst, instr.a);
    if (instr.width >= 8 && instr.op != Op::BSwap)
        return;
    if (instr.op == Op::BSwap) {
        if (instr.width > 1)
            emit({.code = BPF_ALU | BPF_END | BPF_TO_BE, .dst = dst, .imm = 8 * instr.width});
        else
            emit({.code = BPF_ALU64 | BPF_AND | BPF_K, .dst = dst, .imm = 0xff});
    } else {
        emit({.code = BPF_ALU64 | BPF_AND | BPF_K, .dst = dst, .imm = instr.width == 1 ? 0xff : 0xffff});
    }
}

MInsn Selector::conditional(MInsn::Kind kind, Reg MInsn::*tested, ir::Test test)
{
    const bool swapped = immediate(test.a) && !immediate(test.b);
    if (swapped)
        std::swap(test.a, test.b);
    const uint8_t bits = jump_bits(test.cmp, swapped);
    MInsn insn{.kind = kind};
    insn.*tested = operand(test.a);
    if (const auto number = immediate(test.b)) {
        insn.code = BPF_JMP | BPF_K | bits;
        insn.imm = *number;
    } else {
        insn.code = BPF_JMP | BPF_X | bits;
        insn.src = operand(test.b);
    }
    return insn;
}

void Selector::compare(Value value, const Instr& instr)
{
    MInsn insn = conditional(MInsn::Kind::SetCond, &MInsn::lhs, condition(instr.op, instr.a, instr.b));
    insn.dst = reg(value);
    emit(insn);
}

// Returns a load or store with its memory operand. The caller adds the other register: for loads dst; in stores, dst is
// the base address.
MInsn Selector::memory(uint8_t code, Value base, int64_t offset)
{
    const Address place = address(base, offset);
    MInsn insn{.code = code};
    Reg from = kFrame;
    int64_t rest = place.offset;
    if (place.fixed && place.fixed->op == Op::StackAddr) {
        insn.slot = place.fixed->index;
    } else if (place.fixed) {
        // Accesses to one data object share a register with the object's address if their offsets fit the instruction.
        const bool near = fits_offset(rest);
        from = make({Op::DataAddr, place.fixed->index, near ? 0 : rest});
        rest = near ? rest : 0;
    } else {
        from = reg(place.base);
    }
    if (!fits_offset(rest)) {
        const Reg moved = out_.fresh();
        move(moved, from);
        emit({.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst = moved, .imm = static_cast<int32_t>(rest)});
        from = moved;
        rest = 0;
    }
    insn.off = static_cast<int16_t>(rest);
    (BPF_CLASS(code) == BPF_LDX ? insn.src : insn.dst) = from;
    return insn;
}

void Selector::store(const Instr& instr)
{
    if (const auto number = immediate(instr.b)) {
        MInsn insn = memory(store_imm_code(instr.width), instr.a, instr.imm);
        insn.imm = *number;
        emit(insn);
        return;
    }
    const Reg value = operand(instr.b);
    MInsn insn = memory(store_code(instr.width), instr.a, instr.imm);
    insn.src = value;
    emit(insn);
}

void Selector::atomic(Value value, const Instr& instr)
{
    if (instr.op == Op::AtomicAdd) {
        const Reg addend = operand(instr.b);
        MInsn insn = memory(atomic_code(instr.width), instr.a, instr.imm);
        insn.src = addend;
        insn.imm = BPF_ADD;
        emit(insn);
    } else if (instr.op == Op::AtomicXchg || instr.op == Op::AtomicFetchAdd) {
        MInsn insn = memory(atomic_code(instr.width), instr.a, instr.imm);
        copy_into(reg(value), instr.b);
        insn.src = reg(value);
        insn.imm = instr.op == Op::AtomicXchg ? BPF_XCHG : BPF_ADD | BPF_FETCH;
        emit(insn);
    } else {
        const Reg desired = operand(instr.args[0]);
        MInsn insn = memory(atomic_code(instr.width), instr.a, instr.imm);
        copy_into(0, instr.b);
        insn.src = desired;
        insn.imm = BPF_CMPXCHG;
        emit(insn);
        move(reg(value), 0);
    }
}

// Emits a call. Arguments are moved to R1 to R5, or computed there. Rematerialized values do not stay in registers
// across the call.
void Selector::call(Value value, const Instr& instr)
{
    for (std::size_t i = 0; i < instr.args.size() && i < kMaxArgs; ++i)
        copy_into(static_cast<Reg>(i + 1), instr.args[i]);
    MInsn insn{.code = kCall, .args = static_cast<uint8_t>(instr.args.size())};
    if (instr.op == Op::CallHelper) {
        insn.kind = MInsn::Kind::CallHelper;
        insn.imm = static_cast<int32_t>(instr.imm);
    } else if (instr.op == Op::CallLocal) {
        insn.kind = MInsn::Kind::CallLocal;
        insn.index = static_cast<uint32_t>(instr.imm);
    } else {
        insn.kind = MInsn::Kind::CallRuntime;
    }
    emit(insn);
    made_.clear();
    if (read_[value])
        move(reg(value), 0);
}

// Emits a call of bpf_rdonly_cast(address, 0), which the kernel replaces by a move.
void Selector::readable(Value value, const Instr& instr)
{
    copy_into(1, instr.a);
    make_into(2, {Op::Const, 0, 0});
    emit({.kind = MInsn::Kind::CallKernel, .code = kCall, .args = 2, .imm = static_cast<int32_t>(instr.imm)});
    made_.clear();
    move(reg(value), 0);
}

void Selector::select_instr(Value value)
{
    const Instr& instr = at(value);
    if (is_comparison(instr.op))
        return compare(value, instr);
    if (is_binary(instr.op))
        return alu(value, instr);
    if (is(instr.op, ir::OpClass::Call))
        return call(value, instr);
    switch (instr.op) {
    case Op::Neg:
        copy_into(reg(value), instr.a);
        emit({.code = BPF_ALU64 | BPF_NEG, .dst = reg(value)});
        return;
    case Op::SExt:
    case Op::ZExt:
    case Op::BSwap:
        return extend(value, instr);
    case Op::Readable:
        return readable(value, instr);
    case Op::PcConst:
        emit({.kind = MInsn::Kind::Pc, .code = kMovImm, .dst = reg(value)});
        return;
    case Op::Load: {
        MInsn insn =
            memory(is_signed_load_[value] ? signed_load_code(instr.width) : load_code(instr.width), instr.a, instr.imm);
        insn.dst = reg(value);
        emit(insn);
        return;
    }
    case Op::Store:
        return store(instr);
    default: // these values need no code here: aliases, values computed at each use, and phis and terminators
        if (is(instr.op, ir::OpClass::Access))
            atomic(value, instr);
    }
}

void Selector::branch(ir::BlockId block, const Instr& instr)
{
    MInsn insn = conditional(MInsn::Kind::Branch, &MInsn::dst, condition(instr.cmp, instr.a, instr.b));
    insn.targets[0] = edge_target(block, 0);
    insn.targets[1] = edge_target(block, 1);
    emit(insn);
    connect(current_, insn.targets[0]);
    connect(current_, insn.targets[1]);
}

void Selector::terminator(ir::BlockId block, const Instr& instr)
{
    if (instr.op == Op::Branch)
        return branch(block, instr);
    if (instr.op == Op::Jump) {
        phi_copies(block, 0);
        emit({.kind = MInsn::Kind::Jump, .targets = {mblock_[instr.targets[0]], 0}});
        connect(current_, mblock_[instr.targets[0]]);
        return;
    }
    if (instr.a == ir::kNone)
        make_into(0, {Op::Const, 0, 0});
    else
        copy_into(0, instr.a);
    emit({.code = kExit});
}

MFunction Selector::run()
{
    out_.ir = &f_;
    plan_blocks();
    mark_needed();
    find_signed_loads();
    regs_.assign(f_.instrs.size(), kNoReg);
    phi_regs_.assign(f_.instrs.size(), kNoReg);
    for (ir::BlockId block : order_)
        for (Value value : f_.blocks[block].instrs)
            if (at(value).op == Op::Phi && needed_[value])
                phi_regs_[value] = out_.fresh();
    for (ir::BlockId block : order_) {
        current_ = mblock_[block];
        made_.clear();
        origin_ = f_.blocks[block].instrs.front();
        if (block == order_.front())
            prologue();
        phi_heads(block);
        for (Value value : f_.blocks[block].instrs)
            if (needed_[value] && at(value).op != Op::Phi) {
                origin_ = value;
                select_instr(value);
            }
        terminator(block, at(f_.blocks[block].instrs.back()));
    }
    return std::move(out_);
}

MFunction select(const ir::Function& function, bool extends_signs)
{
    return Selector(function, extends_signs).run();
}

// Creates a machine block for each IR block, and for each edge on which phis need copies.

bool Selector::has_phi(ir::BlockId block) const
{
    const auto& instrs = f_.blocks[block].instrs;
    return !instrs.empty() && at(instrs.front()).op == Op::Phi;
}

// Numbers the machine blocks. An edge from a block with two successors to a block with phis and several predecessors
// gets a block of its own for the copies.
void Selector::plan_blocks()
{
    order_ = ir::reverse_post_order(f_);
    mblock_.assign(f_.blocks.size(), ir::kNone);
    edge_.assign(f_.blocks.size(), {ir::kNone, ir::kNone});
    uint32_t next = 0;
    for (ir::BlockId block : order_) {
        mblock_[block] = next++;
        const Instr& last = at(f_.blocks[block].instrs.back());
        if (last.op == Op::Branch)
            for (int edge = 0; edge < 2; ++edge)
                if (has_phi(last.targets[edge]) && f_.blocks[last.targets[edge]].preds.size() > 1)
                    edge_[block][edge] = next++;
    }
    out_.blocks.resize(next);
    const std::vector<bool> cold = cold_blocks(f_, order_);
    for (ir::BlockId block : order_) {
        out_.blocks[mblock_[block]].is_cold = cold[block];
        const Instr& last = at(f_.blocks[block].instrs.back());
        for (int edge = 0; edge < 2; ++edge)
            if (edge_[block][edge] != ir::kNone)
                out_.blocks[edge_[block][edge]].is_cold =
                    cold[block] || cold[last.targets[edge]] || cold_edge(f_, last) == edge;
    }
}

void Selector::connect(uint32_t from, uint32_t to)
{
    out_.blocks[from].succs.push_back(to);
    out_.blocks[to].preds.push_back(from);
}

// Returns the machine block to which an edge leads. If a block was inserted on the edge, emits its code.
uint32_t Selector::edge_target(ir::BlockId from, int edge)
{
    const ir::BlockId to = at(f_.blocks[from].instrs.back()).targets[edge];
    const uint32_t split = edge_[from][edge];
    if (split == ir::kNone)
        return mblock_[to];
    const uint32_t back = current_;
    current_ = split;
    const auto kept = std::move(made_);
    made_.clear();
    phi_copies(from, edge);
    emit({.kind = MInsn::Kind::Jump, .targets = {mblock_[to], 0}});
    connect(split, mblock_[to]);
    current_ = back;
    made_ = kept;
    return split;
}

// Determines properties of IR values: whether a value is constant, is computed again at each use, becomes a part of an
// address or condition, or is needed at all.

// The result of NonNull uses the register of its operand, so this function returns the operand. The facts that the
// verifier knows about the operand then also applies to the result.
Value Selector::strip(Value value) const
{
    while (at(value).op == Op::NonNull)
        value = at(value).a;
    return value;
}

std::optional<Rematerializable> Selector::rematerializable(Value value) const
{
    int64_t offset = 0;
    for (;;) {
        value = strip(value);
        const Instr& instr = at(value);
        switch (instr.op) {
        case Op::Const:
            return Rematerializable{
                Op::Const, 0, static_cast<int64_t>(static_cast<uint64_t>(instr.imm) + static_cast<uint64_t>(offset))};
        case Op::StackAddr:
            return Rematerializable{Op::StackAddr, static_cast<uint32_t>(instr.imm), offset};
        case Op::DataAddr:
            return Rematerializable{Op::DataAddr, static_cast<uint32_t>(instr.imm), instr.imm2 + offset};
        case Op::MapRef:
            if (offset != 0)
                return std::nullopt;
            return Rematerializable{Op::MapRef, static_cast<uint32_t>(instr.imm), 0};
        case Op::Add:
            if (at(instr.b).op != Op::Const || !fits_imm(offset + at(instr.b).imm))
                return std::nullopt;
            offset += at(instr.b).imm;
            value = instr.a;
            break;
        default:
            return std::nullopt;
        }
    }
}

std::optional<int64_t> Selector::constant(Value value) const
{
    const auto what = rematerializable(value);
    return what && what->op == Op::Const ? std::optional(what->offset) : std::nullopt;
}

std::optional<int32_t> Selector::immediate(Value value) const
{
    const auto number = constant(value);
    return number && fits_imm(*number) ? std::optional(static_cast<int32_t>(*number)) : std::nullopt;
}

// Moves constants that are added to or subtracted from an address into the offset, as long as it fits the instruction.
Address Selector::address(Value base, int64_t offset) const
{
    for (;;) {
        base = strip(base);
        if (const auto what = rematerializable(base); what && (what->op == Op::StackAddr || what->op == Op::DataAddr))
            return {Rematerializable{what->op, what->index, 0}, ir::kNone, what->offset + offset};
        const Instr& instr = at(base);
        if (instr.op != Op::Add && instr.op != Op::Sub)
            return {std::nullopt, base, offset};
        const auto number = constant(instr.b);
        if (!number || !fits_imm(*number))
            return {std::nullopt, base, offset};
        const int64_t sum = instr.op == Op::Add ? offset + *number : offset - *number;
        if (!fits_offset(sum))
            return {std::nullopt, base, offset};
        offset = sum;
        base = instr.a;
    }
}

// Simplifies a condition: `(x < y) != 0` is x < y, and `(x < y) == 0` is y <= x.
ir::Test Selector::condition(Op cmp, Value a, Value b) const
{
    ir::Test test{cmp, a, b};
    while ((test.cmp == Op::Eq || test.cmp == Op::Ne) && constant(test.b) == 0 && is_comparison(at(strip(test.a)).op)) {
        const Instr& inner = at(strip(test.a));
        const ir::Test asked{inner.op, inner.a, inner.b};
        test = test.cmp == Op::Eq ? negated(asked) : asked;
    }
    return test;
}

void Selector::mark_needed()
{
    needed_.assign(f_.instrs.size(), false);
    std::vector<Value> work;
    read_.assign(f_.instrs.size(), false);
    const auto need = [&](Value value) {
        if (!needed_[value]) {
            needed_[value] = true;
            work.push_back(value);
        }
    };
    for (ir::BlockId block : order_)
        for (Value value : f_.blocks[block].instrs)
            if (has(at(value).op, ir::kEffect))
                need(value);
    while (!work.empty()) {
        const Value value = work.back();
        work.pop_back();
        each_operand(at(value), [&](Value operand) {
            read_[operand] = true;
            need(operand);
        });
    }
}

// Finds loads whose users all sign-extend the value from its width, so that a sign-extending load can replace them.
// Excludes loads from the context, because the kernel rewrites these.
void Selector::find_signed_loads()
{
    std::vector<bool> extended(f_.instrs.size(), false), other(f_.instrs.size(), false);
    for (ir::BlockId block : order_)
        for (Value value : f_.blocks[block].instrs)
            if (needed_[value])
                each_operand(at(value), [&](Value operand) {
                    const Instr& user = at(value);
                    const bool extends = user.op == Op::SExt && user.width == at(operand).width;
                    (extends ? extended : other)[operand] = true;
                });
    is_signed_load_.assign(f_.instrs.size(), false);
    for (Value value = 0; value < f_.instrs.size(); ++value)
        is_signed_load_[value] = extends_signs_ && at(value).op == Op::Load && at(value).width < 8 && extended[value] &&
                                 !other[value] && at(strip(at(value).a)).mem != ir::Mem::Context;
}

// Finds cold blocks. Most code of a program handles failed reads (a retry, the fault report) and hardly ever runs. That
// code is placed at the end, so that it does not share cache lines with the code that always runs or make it jump.
// Cache lines matter, because a probe's code is usually not in the cache when an event occurs.

namespace {

bool is_probe_read(const Instr& instr)
{
    constexpr int64_t kReads[] = {ir::bpf::kProbeReadUser, ir::bpf::kProbeReadKernel, ir::bpf::kProbeReadUserStr,
                                  ir::bpf::kProbeReadKernelStr};
    return instr.op == Op::CallHelper && std::find(std::begin(kReads), std::end(kReads), instr.imm) != std::end(kReads);
}

} // namespace

int cold_edge(const ir::Function& function, const Instr& branch)
{
    if (branch.op != Op::Branch || branch.targets[0] == branch.targets[1])
        return -1;
    const Instr &a = function.instrs[branch.a], &b = function.instrs[branch.b];
    if (b.op != Op::Const || b.imm != 0)
        return -1;
    // A Load through the result of Op::Readable yields 0 if the address is not readable.
    const bool is_anywhere = a.op == Op::Load && function.instrs[a.a].op == Op::Readable;
    if (branch.cmp == Op::Eq && (is_anywhere || is_probe_read(a)))
        return is_anywhere ? 0 : 1;
    if (branch.cmp == Op::Ne && (is_anywhere || is_probe_read(a)))
        return is_anywhere ? 1 : 0;
    return branch.cmp == Op::SLt && is_probe_read(a) ? 0 : -1;
}

std::vector<bool> cold_blocks(const ir::Function& function, const std::vector<ir::BlockId>& order)
{
    std::vector<bool> cold(function.blocks.size(), false);
    const auto is_seldom_from = [&](ir::BlockId from, ir::BlockId to) {
        const Instr& last = function.instrs[function.blocks[from].instrs.back()];
        const int edge = cold_edge(function, last);
        return cold[from] || (edge >= 0 && last.targets[edge] == to);
    };
    for (const ir::BlockId block : order) {
        // In a loop, a predecessor that comes later in the order counts as hot, because it is not classified yet.
        const auto& preds = function.blocks[block].preds;
        cold[block] = function.blocks[block].is_cold ||
                      (!preds.empty() && std::all_of(preds.begin(), preds.end(),
                                                     [&](ir::BlockId from) { return is_seldom_from(from, block); }));
    }
    return cold;
}

} // namespace dt::ebpf

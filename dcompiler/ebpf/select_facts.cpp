// Determines properties of IR values: whether a value is constant, can be rematerialised, folds into an address or a
// condition, or is needed.
#include "dcompiler/ebpf/select.hpp"

namespace dt::ebpf {

// Strips NonNull, which shares the register of its operand, so that the verifier's knowledge of it applies.
Value Selector::strip(Value value) const
{
    while (at(value).op == Op::NonNull)
        value = at(value).a;
    return value;
}

std::optional<Remade> Selector::remade(Value value) const
{
    int64_t offset = 0;
    for (;;) {
        value = strip(value);
        const Instr& instr = at(value);
        switch (instr.op) {
        case Op::Const:
            return Remade{Op::Const, 0,
                          static_cast<int64_t>(static_cast<uint64_t>(instr.imm) + static_cast<uint64_t>(offset))};
        case Op::StackAddr:
            return Remade{Op::StackAddr, static_cast<uint32_t>(instr.imm), offset};
        case Op::DataAddr:
            return Remade{Op::DataAddr, static_cast<uint32_t>(instr.imm), instr.imm2 + offset};
        case Op::MapRef:
            if (offset != 0)
                return std::nullopt;
            return Remade{Op::MapRef, static_cast<uint32_t>(instr.imm), 0};
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
    const auto what = remade(value);
    return what && what->op == Op::Const ? std::optional(what->offset) : std::nullopt;
}

std::optional<int32_t> Selector::immediate(Value value) const
{
    const auto number = constant(value);
    return number && fits_imm(*number) ? std::optional(static_cast<int32_t>(*number)) : std::nullopt;
}

// Folds constant additions and subtractions into the offset while it fits the instruction.
Address Selector::address(Value base, int64_t offset) const
{
    for (;;) {
        base = strip(base);
        if (const auto what = remade(base); what && (what->op == Op::StackAddr || what->op == Op::DataAddr))
            return {Remade{what->op, what->index, 0}, ir::kNone, what->offset + offset};
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

// Finds loads whose readers all sign-extend from the load's width, so that the load can do it. Loads from the context
// are excluded, because the kernel rewrites them.
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

} // namespace dt::ebpf

// Folds constants. One sweep in reverse post-order: every operand is folded before the instruction that uses it, so a
// chain of operations on constants needs only one pass.
#include "dcompiler/ir/analysis.hpp"
#include "dcompiler/opt/passes.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace dt::opt {

using ir::Instr;
using ir::kNone;
using ir::Op;
using ir::Value;

std::optional<int64_t> evaluate(Op op, int64_t a, int64_t b)
{
    const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
    switch (op) {
    case Op::Add:
        return static_cast<int64_t>(ua + ub);
    case Op::Sub:
        return static_cast<int64_t>(ua - ub);
    case Op::Mul:
        return static_cast<int64_t>(ua * ub);
    case Op::UDiv:
        return ub ? std::optional(static_cast<int64_t>(ua / ub)) : std::nullopt;
    case Op::UMod:
        return ub ? std::optional(static_cast<int64_t>(ua % ub)) : std::nullopt;
    case Op::SDiv:
        return b != 0 && b != -1 ? std::optional(a / b) : std::nullopt;
    case Op::SMod:
        return b != 0 && b != -1 ? std::optional(a % b) : std::nullopt;
    case Op::And:
        return a & b;
    case Op::Or:
        return a | b;
    case Op::Xor:
        return a ^ b;
    case Op::Shl:
        return static_cast<int64_t>(ua << (ub & 63));
    case Op::LShr:
        return static_cast<int64_t>(ua >> (ub & 63));
    case Op::AShr:
        return a >> (ub & 63);
    case Op::Eq:
        return a == b;
    case Op::Ne:
        return a != b;
    case Op::ULt:
        return ua < ub;
    case Op::ULe:
        return ua <= ub;
    case Op::SLt:
        return a < b;
    case Op::SLe:
        return a <= b;
    default:
        return std::nullopt;
    }
}

namespace {

int64_t extend(int64_t v, uint8_t width, bool sign)
{
    if (width >= 8)
        return v;
    const int shift = 64 - width * 8;
    const auto up = static_cast<int64_t>(static_cast<uint64_t>(v) << shift);
    return sign ? up >> shift : static_cast<int64_t>(static_cast<uint64_t>(up) >> shift);
}

uint64_t byte_swap(uint64_t v, uint8_t width)
{
    uint64_t swapped = 0;
    for (int i = 0; i < width; ++i)
        swapped |= ((v >> (8 * i)) & 0xff) << (8 * (width - 1 - i));
    return swapped;
}

constexpr int kMaxPhis = 3; // maximum depth of phis of phis that are examined

class Folder {
public:
    explicit Folder(ir::Function& f) : f_(f), alias_(f) {}

    void run()
    {
        for (const ir::BlockId block : ir::reverse_post_order(f_))
            for (const Value v : f_.blocks[block].instrs) {
                Instr& i = f_.instrs[v];
                alias_.rename(i);
                visit(v, i);
            }
    }

private:
    std::optional<int64_t> constant(Value v) const
    {
        const Instr& i = f_.instrs[v];
        return i.op == Op::Const ? std::optional(i.imm) : std::nullopt;
    }

    static void replace_by_constant(Instr& i, int64_t value)
    {
        i = {.op = Op::Const, .range = {value, value}, .imm = value, .at = i.at};
    }

    void visit(Value v, Instr& i)
    {
        switch (i.op) {
        case Op::Phi:
            return phi(v, i);
        case Op::SExt:
        case Op::ZExt:
            return extension(v, i);
        case Op::Neg:
            if (const auto a = constant(i.a))
                replace_by_constant(i, static_cast<int64_t>(0 - static_cast<uint64_t>(*a)));
            return;
        case Op::BSwap:
            if (const auto a = constant(i.a))
                replace_by_constant(i, static_cast<int64_t>(byte_swap(static_cast<uint64_t>(*a), i.width)));
            return;
        default:
            if (ir::is_binary(i.op))
                binary(v, i);
        }
    }

    /// Replaces a phi by its argument if all arguments are equal.
    void phi(Value v, const Instr& i)
    {
        if (i.args.empty() || i.mem != f_.instrs[i.args[0]].mem)
            return;
        for (const Value arg : i.args)
            if (arg != i.args[0])
                return;
        alias_[v] = i.args[0];
    }

    void extension(Value v, Instr& i)
    {
        const bool sign = i.op == Op::SExt;
        if (const auto a = constant(i.a))
            return replace_by_constant(i, extend(*a, i.width, sign));
        const Instr& from = f_.instrs[i.a];
        const bool again = from.op == i.op && from.width <= i.width;
        if (i.width >= 8 || again || fits(i.a, i.width * 8 - (sign ? 1 : 0), kMaxPhis))
            alias_[v] = i.a;
    }

    /// Returns whether the number is certainly at least 0 and less than 2^bits, because of the operations that compute
    /// it.
    bool fits(Value v, int bits, int phis) const
    {
        const Instr& i = f_.instrs[v];
        switch (i.op) {
        case Op::Load:
        case Op::ZExt:
            return i.width < 8 && i.width * 8 <= bits;
        case Op::Const:
            return i.imm >= 0 && (bits >= 63 || i.imm < int64_t{1} << bits);
        // a phi may join a value that was loaded directly and one that was copied because the load had failed
        case Op::Phi:
            return phis > 0 && !i.args.empty() && i.mem == ir::Mem::None &&
                   std::all_of(i.args.begin(), i.args.end(),
                               [&](Value arg) { return fits(alias_.of(arg), bits, phis - 1); });
        default:
            return ir::is_comparison(i.op);
        }
    }

    void binary(Value v, Instr& i)
    {
        auto a = constant(i.a), b = constant(i.b);
        if (a && b) {
            if (const auto value = evaluate(i.op, *a, *b))
                replace_by_constant(i, *value);
            return;
        }
        if (a && !b && ir::has(i.op, ir::kCommutes)) {
            std::swap(i.a, i.b);
            std::swap(a, b);
        }
        if (b)
            with_constant(v, i, *b);
    }

    void with_constant(Value v, Instr& i, int64_t c)
    {
        const bool power = c > 0 && std::has_single_bit(static_cast<uint64_t>(c));
        const int log = power ? std::countr_zero(static_cast<uint64_t>(c)) : 0;
        switch (i.op) {
        case Op::Add:
        case Op::Sub:
        case Op::Or:
        case Op::Xor:
        case Op::Shl:
        case Op::LShr:
        case Op::AShr:
            if (c == 0 && i.mem == f_.instrs[i.a].mem)
                alias_[v] = i.a;
            return;
        case Op::And:
            if (c == 0)
                replace_by_constant(i, 0);
            else if (c == -1)
                alias_[v] = i.a;
            return;
        case Op::Mul:
            if (c == 0)
                replace_by_constant(i, 0);
            else if (c == 1)
                alias_[v] = i.a;
            else if (power)
                shift(i, Op::Shl, log);
            return;
        case Op::UDiv:
            if (c == 1)
                alias_[v] = i.a;
            else if (power)
                shift(i, Op::LShr, log);
            return;
        case Op::UMod:
            if (power)
                replace_operand(i, Op::And, c - 1);
            return;
        default:
            return;
        }
    }

    void shift(Instr& i, Op op, int log) { replace_operand(i, op, log); }

    /// Changes the operator of an instruction, and its second operand to a new constant. The new constant is placed
    /// where the old one was, so that it dominates the instruction.
    void replace_operand(Instr& i, Op op, int64_t value)
    {
        const Value old = i.b;
        Value fresh = kNone;
        const auto key = std::pair(old, value);
        for (const auto& [known, made] : made_)
            if (known == key)
                fresh = made;
        if (fresh == kNone) {
            f_.instrs.push_back({.op = Op::Const, .range = {value, value}, .imm = value});
            fresh = static_cast<Value>(f_.instrs.size() - 1);
            insert_after_.emplace_back(old, fresh);
            made_.emplace_back(key, fresh);
        }
        i.op = op;
        i.b = fresh;
    }

public:
    /// Inserts the constants that this pass has created into blocks.
    void place()
    {
        if (insert_after_.empty())
            return;
        std::vector<std::vector<Value>> after(f_.instrs.size());
        for (const auto& [old, fresh] : insert_after_)
            after[old].push_back(fresh);
        for (ir::Block& block : f_.blocks) {
            std::vector<Value> list;
            for (const Value v : block.instrs) {
                list.push_back(v);
                list.insert(list.end(), after[v].begin(), after[v].end());
            }
            block.instrs = std::move(list);
        }
    }

private:
    ir::Function& f_;
    Aliases alias_;
    std::vector<std::pair<Value, Value>> insert_after_;
    std::vector<std::pair<std::pair<Value, int64_t>, Value>> made_;
};

} // namespace

void fold(ir::Function& f)
{
    Folder folder(f);
    folder.run();
    folder.place();
}

} // namespace dt::opt

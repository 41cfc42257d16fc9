// Replaces comparisons by arithmetic if code uses their result as a number.
//
// BPF has no instruction that sets a register by a comparison, so code generation uses a branch around `mov 1`. The
// verifier follows both ways, and may then check all following code for 0 and for 1 separately. So n comparisons whose
// results are recorded cause up to 2^n states: 2^n on Linux 6.1 in any program with subprograms, 2^(n/2) on 6.18.
// Sixteen comparisons may exceed the verifier's limit of a million instructions.
//
// Arithmetic on the sign bit computes the same results without a branch. Comparisons that only decide a branch are not
// changed.
#include "dcompiler/opt/passes.hpp"

#include "dcompiler/ir/analysis.hpp"

namespace dt::opt {

using ir::Op;
using ir::Value;

namespace {

constexpr ir::Range kBool{0, 1};

bool within(ir::Range inner, ir::Range outer)
{
    return inner.low >= outer.low && inner.high <= outer.high;
}

class Rewriter {
public:
    explicit Rewriter(ir::Function& f) : f_(f), ranges_(f), number_(f.instrs.size(), false) {}

    void run()
    {
        find_numbers();
        for (ir::Block& block : f_.blocks) {
            std::vector<Value> before;
            before.swap(block.instrs);
            for (const Value v : before) {
                if (v < number_.size() && number_[v])
                    rewrite(v, {f_, block.instrs, f_.instrs[v].at});
                block.instrs.push_back(v);
            }
        }
    }

private:
    // Finds comparisons of numbers whose result is used as a number and not only by a branch.
    void find_numbers()
    {
        for (const ir::Block& block : f_.blocks)
            for (const Value v : block.instrs) {
                ir::Instr& user = f_.instrs[v];
                const bool asks =
                    user.op == Op::Branch && (user.cmp == Op::Eq || user.cmp == Op::Ne) && is_zero(user.b);
                if (!asks)
                    for_each_operand(user,
                                     [&](Value& operand) { number_[operand] = compares_numbers(f_.instrs[operand]); });
            }
    }

    bool is_zero(Value v) const { return v != ir::kNone && f_.instrs[v].op == Op::Const && f_.instrs[v].imm == 0; }

    bool compares_numbers(const ir::Instr& i) const
    {
        return ir::is_comparison(i.op) && f_.instrs[i.a].mem == ir::Mem::None && f_.instrs[i.b].mem == ir::Mem::None;
    }

    void become(Value v, Op op, Value a, Value b)
    {
        ir::Instr& i = f_.instrs[v];
        i.op = op;
        i.a = a;
        i.b = b;
        i.range = kBool;
    }

    void rewrite(Value v, const Appender& code)
    {
        const ir::Instr i = f_.instrs[v];
        if (i.op == Op::Eq || i.op == Op::Ne)
            return equality(v, i, code);
        // `a <= b` is computed as `!(b < a)`, so the operands are exchanged.
        const bool swap = i.op == Op::ULe || i.op == Op::SLe;
        const Value a = swap ? i.b : i.a, b = swap ? i.a : i.b;
        const Value sign = difference_sign(code, a, b, i.op == Op::SLt || i.op == Op::SLe);
        if (swap)
            become(v, Op::Xor, code.binary(Op::LShr, sign, code.constant(63)), code.constant(1));
        else
            become(v, Op::LShr, sign, code.constant(63));
    }

    void equality(Value v, const ir::Instr& i, const Appender& code)
    {
        Value differs = code.binary(Op::Xor, i.a, i.b);
        if (within(ranges_.of(i.a), kBool) && within(ranges_.of(i.b), kBool))
            return become(v, Op::Xor, differs, code.constant(i.op == Op::Eq ? 1 : 0));
        // x | -x is negative unless x is 0, so for x = a ^ b its top bit tells whether a and b differ.
        const Value sign = code.binary(Op::Or, differs, code.make({.op = Op::Neg, .a = differs}));
        if (i.op == Op::Eq)
            become(v, Op::Xor, code.binary(Op::LShr, sign, code.constant(63)), code.constant(1));
        else
            become(v, Op::LShr, sign, code.constant(63));
    }

    // Returns a number that is negative if a < b, and not negative otherwise.
    Value difference_sign(const Appender& code, Value a, Value b, bool is_signed)
    {
        constexpr ir::Range kSigned{-(int64_t{1} << 62), int64_t{1} << 62}, kUnsigned{0, int64_t{1} << 62};
        const ir::Range room = is_signed ? kSigned : kUnsigned;
        const Value difference = code.binary(Op::Sub, a, b);
        if (within(ranges_.of(a), room) && within(ranges_.of(b), room))
            return difference; // the difference of two numbers that have fewer than 64 bits cannot overflow
        const Value unlike = code.binary(Op::Xor, a, b);
        if (is_signed) // sign of the difference, inverted if the subtraction overflows
            return code.binary(Op::Xor, difference, code.binary(Op::And, unlike, code.binary(Op::Xor, difference, a)));
        // If a and b have equal top bits, their difference decides. Otherwise the one whose top bit is set is greater.
        const Value other = code.binary(Op::And, unlike, code.binary(Op::Xor, difference, b));
        return code.binary(Op::Xor, difference, other);
    }

    ir::Function& f_;
    ir::Ranges ranges_;
    std::vector<bool> number_;
};

} // namespace

void canonicalize_compares(ir::Function& f)
{
    Rewriter(f).run();
}

} // namespace dt::opt

// Replaces division by a constant by multiplication.
//
// The quotient x / d equals (x * m) >> s for m = ceil(2^s / d) as long as x * (m * d - 2^s) is below 2^s. BPF provides
// only 64 bits of a product, so the dividend must have at most 32 bits or slightly more.
//
// A division takes 7 ns, including saving registers around it; a multiplication with a shift takes 2 to 3 ns. For
// 64-bit dividends the upper half of a product needs four multiplications and takes as long as the division, so these
// divisions are not changed.
#include "dcompiler/ir/analysis.hpp"
#include "dcompiler/opt/passes.hpp"

namespace dt::opt {

using ir::Op;
using ir::Value;

std::optional<Reciprocal> reciprocal(uint64_t divisor, uint64_t most)
{
    using Wide = unsigned __int128;
    if (divisor < 2 || most >= uint64_t{1} << 40)
        return std::nullopt;
    for (unsigned shift = 1; shift < 64; ++shift) {
        const Wide power = Wide{1} << shift, factor = (power + divisor - 1) / divisor;
        if (factor * most >> 64 != 0)
            return std::nullopt; // the factor grows with the shift, so it does not fit for larger shifts either
        if ((factor * divisor - power) * most < power)
            return Reciprocal{static_cast<uint64_t>(factor), shift};
    }
    return std::nullopt;
}

namespace {

class Divisions {
public:
    explicit Divisions(ir::Function& f) : f_(f), ranges_(f) {}

    void run()
    {
        for (ir::BlockId block = 0; block < f_.blocks.size(); ++block) {
            std::vector<Value> before;
            before.swap(f_.blocks[block].instrs);
            auto& out = f_.blocks[block].instrs;
            for (const Value v : before) {
                rewrite(v, block, {f_, out, f_.instrs[v].at});
                out.push_back(v);
            }
        }
    }

private:
    void rewrite(Value v, ir::BlockId block, const Appender& code)
    {
        ir::Instr& i = f_.instrs[v];
        const bool divides = i.op == Op::UDiv || i.op == Op::SDiv;
        if ((!divides && i.op != Op::UMod && i.op != Op::SMod) || f_.instrs[i.b].op != Op::Const)
            return;
        const ir::Range dividend = ranges_.at(i.a, block);
        const int64_t divisor = f_.instrs[i.b].imm;
        if (dividend.low < 0 || divisor < 0)
            return;
        const auto by = reciprocal(static_cast<uint64_t>(divisor), static_cast<uint64_t>(dividend.high));
        if (!by)
            return;
        const Value factor = code.constant(static_cast<int64_t>(by->factor)),
                    product = code.binary(Op::Mul, i.a, factor), shift = code.constant(by->shift);
        i.range = ranges_.of(v);
        if (divides)
            become(i, Op::LShr, product, shift);
        else
            become(i, Op::Sub, i.a, code.binary(Op::Mul, code.binary(Op::LShr, product, shift), i.b));
    }

    static void become(ir::Instr& i, Op op, Value a, Value b)
    {
        i.op = op;
        i.a = a;
        i.b = b;
    }

    ir::Function& f_;
    ir::Ranges ranges_;
};

} // namespace

void reduce_divisions(ir::Function& f)
{
    Divisions(f).run();
}

} // namespace dt::opt

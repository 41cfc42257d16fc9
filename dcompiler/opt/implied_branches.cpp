// Removes branches whose outcome follows from an earlier branch, if only one edge of the earlier one leads to the
// later.
#include "dcompiler/ir/order.hpp"
#include "dcompiler/opt/passes.hpp"

#include <optional>

namespace dt::opt {

using ir::BlockId;
using ir::Instr;
using ir::Op;
using ir::Value;

namespace {

constexpr int kFarthest = 64; // limit of dominators examined

/// Bits for the possible results of comparing two numbers.
constexpr unsigned kLess = 1, kEqual = 2, kGreater = 4, kAll = 7;

unsigned outcomes(Op cmp)
{
    switch (cmp) {
    case Op::Eq:
        return kEqual;
    case Op::Ne:
        return kLess | kGreater;
    case Op::ULt:
    case Op::SLt:
        return kLess;
    default:
        return kLess | kEqual;
    }
}

unsigned mirrored(unsigned outcomes)
{
    return (outcomes & kEqual) | (outcomes & kLess ? kGreater : 0u) | (outcomes & kGreater ? kLess : 0u);
}

bool is_signed(Op cmp)
{
    return cmp == Op::SLt || cmp == Op::SLe;
}

bool tells_order(Op cmp)
{
    return cmp != Op::Eq && cmp != Op::Ne;
}

class Implied {
public:
    explicit Implied(ir::Function& f)
        : f_(f), order_(ir::reverse_post_order(f)), idom_(ir::immediate_dominators(f, order_))
    {
    }

    void run()
    {
        for (const BlockId block : order_) {
            const Instr& last = f_.instrs[f_.blocks[block].instrs.back()];
            if (last.op != Op::Branch || last.targets[0] == last.targets[1])
                continue;
            if (const auto holds = answer(block, last))
                become_jump(f_, block, *holds ? 0 : 1);
        }
        remove_unreachable(f_);
    }

private:
    bool same(Value a, Value b) const
    {
        return a == b ||
               (f_.instrs[a].op == Op::Const && f_.instrs[b].op == Op::Const && f_.instrs[a].imm == f_.instrs[b].imm);
    }

    std::optional<bool> answer(BlockId block, const Instr& asked) const
    {
        BlockId at = block;
        for (int steps = 0; steps < kFarthest && idom_[at] != at; ++steps, at = idom_[at]) {
            if (f_.blocks[at].preds.size() != 1)
                continue;
            const Instr& before = f_.instrs[f_.blocks[f_.blocks[at].preds[0]].instrs.back()];
            if (before.op != Op::Branch || before.targets[0] == before.targets[1])
                continue;
            if (tells_order(before.cmp) && tells_order(asked.cmp) && is_signed(before.cmp) != is_signed(asked.cmp))
                continue;
            const bool straight = same(before.a, asked.a) && same(before.b, asked.b);
            if (!straight && !(same(before.a, asked.b) && same(before.b, asked.a)))
                continue;
            const unsigned held = before.targets[0] == at ? outcomes(before.cmp) : kAll & ~outcomes(before.cmp);
            const unsigned known = straight ? held : mirrored(held), wanted = outcomes(asked.cmp);
            if ((known & ~wanted) == 0)
                return true;
            if ((known & wanted) == 0)
                return false;
        }
        return std::nullopt;
    }

    ir::Function& f_;
    std::vector<BlockId> order_, idom_;
};

} // namespace

void drop_implied_branches(ir::Function& f)
{
    Implied(f).run();
}

} // namespace dt::opt

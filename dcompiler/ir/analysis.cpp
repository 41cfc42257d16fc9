// Analyses of a function's blocks and values that several passes share. Orders of blocks are computed without
// recursion, because a clause may have thousands of blocks.
#include "dcompiler/ir/analysis.hpp"

#include <algorithm>
#include <bit>

namespace dt::ir {

std::vector<BlockId> reverse_post_order(const Function& function)
{
    struct Visit {
        BlockId block;
        int next;
        // The block's last instruction is cached: looking it up repeatedly took a fifth of the compile time.
        const Instr* last;
    };
    std::vector<BlockId> order;
    if (function.blocks.empty())
        return order;
    std::vector<uint8_t> seen(function.blocks.size(), 0);
    std::vector<Visit> stack;
    const auto visit = [&](BlockId block) {
        seen[block] = 1;
        stack.push_back({block, 0, &function.instrs[function.blocks[block].instrs.back()]});
    };
    stack.reserve(function.blocks.size());
    order.reserve(function.blocks.size());
    visit(0);
    while (!stack.empty()) {
        Visit& top = stack.back();
        if (top.next == successors(*top.last)) {
            order.push_back(top.block);
            stack.pop_back();
            continue;
        }
        const BlockId to = top.last->targets[top.next++];
        if (seen[to] == 0)
            visit(to);
    }
    std::reverse(order.begin(), order.end());
    return order;
}

// Uses the algorithm by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm": two pointers walk up the tree
// until they meet. In practice it needs one or two rounds.
std::vector<BlockId> immediate_dominators(const Function& function, const std::vector<BlockId>& order)
{
    std::vector<BlockId> idom(function.blocks.size(), kNone);
    std::vector<uint32_t> place(function.blocks.size(), 0);
    for (uint32_t i = 0; i < order.size(); ++i)
        place[order[i]] = i;
    if (order.empty())
        return idom;
    idom[order.front()] = order.front();
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 1; i < order.size(); ++i) {
            BlockId best = kNone;
            for (BlockId pred : function.blocks[order[i]].preds) {
                if (idom[pred] == kNone)
                    continue;
                if (best == kNone) {
                    best = pred;
                    continue;
                }
                BlockId other = pred;
                while (best != other) {
                    while (place[best] > place[other])
                        best = idom[best];
                    while (place[other] > place[best])
                        other = idom[other];
                }
            }
            if (idom[order[i]] != best) {
                idom[order[i]] = best;
                changed = true;
            }
        }
    }
    return idom;
}

// Range analysis: finds the interval of possible values of each number in the IR.
//
// The kernel verifier refuses an access whose offset it cannot bound, and the authors of clauses do not see offsets. So
// this analysis finds, for each value, the smallest interval that follows from its computation. For a given block it
// also uses the comparisons on the path to that block. It is one forward sweep in reverse postorder and takes linear
// time. Intervals are signed. A value that may wrap has no bounds, like for the verifier.

namespace {

using Wide = __int128;
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

Range fit(Wide low, Wide high)
{
    if (low < kMin || high > kMax)
        return {};
    return {static_cast<int64_t>(low), static_cast<int64_t>(high)};
}

/// Returns 2^n - 1, where n is the number of significant bits of `high`: an upper bound for results of | and ^.
int64_t all_ones(int64_t high)
{
    return high <= 0 ? 0
                     : static_cast<int64_t>((uint64_t{1} << (64 - std::countl_zero(static_cast<uint64_t>(high)))) - 1);
}

Range product(Range a, Range b)
{
    const Wide corners[] = {Wide{a.low} * b.low, Wide{a.low} * b.high, Wide{a.high} * b.low, Wide{a.high} * b.high};
    return fit(*std::min_element(std::begin(corners), std::end(corners)),
               *std::max_element(std::begin(corners), std::end(corners)));
}

bool is_constant(Range r)
{
    return r.low == r.high;
}

Range shifted(const Instr& instr, Range a, Range b)
{
    if (!is_constant(b))
        return instr.op == Op::LShr && a.low >= 0 ? Range{0, a.high} : Range{};
    const int count = static_cast<int>(b.low & 63);
    if (instr.op == Op::Shl)
        return fit(Wide{a.low} << count, Wide{a.high} << count);
    if (instr.op == Op::AShr || a.low >= 0)
        return {a.low >> count, a.high >> count};
    return count == 0 ? a : Range{0, static_cast<int64_t>(~uint64_t{0} >> count)};
}

/// Returns the range that the left side has if `left cmp right` is true.
Range when_true(Op cmp, Range right)
{
    switch (cmp) {
    case Op::Eq:
        return right;
    case Op::SLt:
        return right.high == kMin ? Range{} : Range{kMin, right.high - 1};
    case Op::SLe:
        return {kMin, right.high};
    case Op::ULt:
        return right.low >= 0 && right.high > 0 ? Range{0, right.high - 1} : Range{};
    case Op::ULe:
        return right.low >= 0 ? Range{0, right.high} : Range{};
    default:
        return {};
    }
}

/// Returns the range that the right side has if `left cmp right` is true.
Range right_when_true(Op cmp, Range left)
{
    switch (cmp) {
    case Op::Eq:
        return left;
    case Op::SLt:
        return left.low == kMax ? Range{} : Range{left.low + 1, kMax};
    case Op::SLe:
        return {left.low, kMax};
    default:
        // large unsigned numbers are negative as signed ones, so an unsigned lower bound does not limit the signed
        // range
        return {};
    }
}

/// Returns whether `left cmp right` is possible for numbers in these ranges. Returns true if the ranges do not decide
/// it, and always for Ne.
bool can_hold(Op cmp, Range left, Range right)
{
    const auto as_unsigned = [](int64_t v) { return static_cast<uint64_t>(v); };
    const bool one_sign = (left.low < 0) == (left.high < 0) && (right.low < 0) == (right.high < 0);
    switch (cmp) {
    case Op::Eq:
        return left.low <= right.high && right.low <= left.high;
    case Op::SLt:
        return left.low < right.high;
    case Op::SLe:
        return left.low <= right.high;
    case Op::ULt:
        return !one_sign || as_unsigned(left.low) < as_unsigned(right.high);
    case Op::ULe:
        return !one_sign || as_unsigned(left.low) <= as_unsigned(right.high);
    default:
        return true;
    }
}

} // namespace

Test negated(Test test)
{
    constexpr std::pair<Op, Op> kOpposites[] = {{Op::Eq, Op::Ne}, {Op::ULt, Op::ULe}, {Op::SLt, Op::SLe}};
    if (!has(test.cmp, kCommutes))
        std::swap(test.a, test.b);
    for (const auto& [one, other] : kOpposites)
        if (test.cmp == one || test.cmp == other)
            return {test.cmp == one ? other : one, test.a, test.b};
    return test;
}

static Range intersect(Range a, Range b)
{
    const Range both{std::max(a.low, b.low), std::min(a.high, b.high)};
    // If the ranges exclude each other, the code with this value never runs, and any result is right.
    return both.low <= both.high ? both : a;
}

static Range hull(Range a, Range b)
{
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Ranges::Ranges(const Function& function) : f_(function), ranges_(function.instrs.size())
{
    const auto order = reverse_post_order(f_);
    idom_ = immediate_dominators(f_, order);
    std::vector<bool> known(f_.instrs.size(), false);
    for (const BlockId block : order)
        for (const Value value : f_.blocks[block].instrs) {
            const Instr& instr = f_.instrs[value];
            Range range;
            if (instr.op == Op::Phi) {
                bool all = !instr.args.empty();
                for (const Value arg : instr.args)
                    all &= known[arg];
                if (all) {
                    range = ranges_[instr.args[0]];
                    for (const Value arg : instr.args)
                        range = hull(range, ranges_[arg]);
                }
            } else {
                range = compute(instr, instr.a == kNone ? Range{} : ranges_[instr.a],
                                instr.b == kNone ? Range{} : ranges_[instr.b]);
            }
            ranges_[value] = intersect(range, instr.range);
            known[value] = true;
        }
}

Range Ranges::compute(const Instr& instr, Range a, Range b) const
{
    switch (instr.op) {
    case Op::Const:
        return {instr.imm, instr.imm};
    case Op::Add:
        return fit(Wide{a.low} + b.low, Wide{a.high} + b.high);
    case Op::Sub:
        return fit(Wide{a.low} - b.high, Wide{a.high} - b.low);
    case Op::Mul:
        return product(a, b);
    case Op::Neg:
        return fit(-Wide{a.high}, -Wide{a.low});
    case Op::UDiv:
        if (a.low < 0)
            return {};
        return b.low > 0 ? Range{a.low / b.high, a.high / b.low} : Range{0, a.high};
    case Op::UMod:
        if (b.low > 0)
            return {0, a.low >= 0 ? std::min(a.high, b.high - 1) : b.high - 1};
        return a.low >= 0 ? Range{0, a.high} : Range{};
    case Op::SDiv:
        return b.low > 0 ? Range{a.low / (a.low < 0 ? b.low : b.high), a.high / (a.high < 0 ? b.high : b.low)}
                         : Range{};
    case Op::SMod:
        return b.low > 0 ? Range{a.low < 0 ? -(b.high - 1) : 0, a.high < 0 ? 0 : b.high - 1} : Range{};
    case Op::And:
        if (a.low >= 0 && b.low >= 0)
            return {0, std::min(a.high, b.high)};
        return a.low >= 0 ? Range{0, a.high} : b.low >= 0 ? Range{0, b.high} : Range{};
    case Op::Or:
    case Op::Xor:
        return a.low >= 0 && b.low >= 0 ? Range{0, all_ones(std::max(a.high, b.high))} : Range{};
    case Op::Shl:
    case Op::LShr:
    case Op::AShr:
        return shifted(instr, a, b);
    case Op::ZExt:
    case Op::SExt: {
        const Range fits = range_of_width(instr.width, instr.op == Op::SExt);
        return a.low >= fits.low && a.high <= fits.high ? a : fits;
    }
    case Op::NonNull:
        return a;
    default:
        return is_comparison(instr.op) ? Range{0, 1}
               : has(instr.op, kWidth) ? range_of_width(instr.width, false)
                                       : Range{};
    }
}

// If only one edge leads to a block, returns the condition under which it is taken.
std::optional<Test> Ranges::test_before(BlockId block) const
{
    if (f_.blocks[block].preds.size() != 1)
        return {};
    const Instr& branch = f_.instrs[f_.blocks[f_.blocks[block].preds[0]].instrs.back()];
    if (branch.op != Op::Branch || branch.targets[0] == branch.targets[1])
        return {};
    const Test test{branch.cmp, branch.a, branch.b};
    return branch.targets[0] == block ? test : negated(test);
}

// Narrows a range by all conditions on the path from the function's entry to the block.
Range Ranges::refine(Value value, BlockId block, Range range) const
{
    for (BlockId b = block; idom_[b] != b; b = idom_[b]) {
        const auto test = test_before(b);
        if (!test || (test->a != value && test->b != value))
            continue;
        if (test->a == value)
            range = intersect(range, when_true(test->cmp, ranges_[test->b]));
        else
            range = intersect(range, right_when_true(test->cmp, ranges_[test->a]));
    }
    return range;
}

bool Ranges::never_reached(BlockId block) const
{
    for (BlockId b = block; idom_[b] != b; b = idom_[b])
        if (const auto test = test_before(b); test && !can_hold(test->cmp, ranges_[test->a], ranges_[test->b]))
            return true;
    return false;
}

Range Ranges::at(Value value, BlockId block, int depth) const
{
    const Instr& instr = f_.instrs[value];
    Range range = of(value);
    if (depth > 0 && instr.op != Op::Phi && instr.op != Op::Load && instr.a != kNone)
        range = intersect(range, compute(instr, at(instr.a, block, depth - 1),
                                         instr.b == kNone ? Range{} : at(instr.b, block, depth - 1)));
    return refine(value, block, range);
}

} // namespace dt::ir

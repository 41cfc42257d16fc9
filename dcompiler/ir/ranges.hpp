// Range analysis: the smallest interval that can be proved for each number.
#pragma once

#include <optional>
#include <vector>

#include "dcompiler/ir/ir.hpp"

namespace dt::ir {

/// A comparison that holds or is asked for.
struct Test {
    Op cmp = Op::Eq;
    Value a = kNone, b = kNone;
};
/// What holds when this does not.
Test negated(Test test);

class Ranges {
public:
    /// One sweep in reverse post order. The function must be structurally sound and outlive the object.
    explicit Ranges(const Function& function);

    /// What holds wherever the value exists; of what a pass has made since, only what it says itself.
    Range of(Value value) const { return value < ranges_.size() ? ranges_[value] : f_.instrs[value].range; }

    /// What holds in `block`, given the branches that lead there. Cost: the depth of the dominator tree, for each
    /// operand looked through.
    Range at(Value value, BlockId block) const { return at(value, block, kDepth); }

    /// Whether control certainly never comes to `block`: a test on the way there cannot have that outcome.
    bool never_reached(BlockId block) const;

private:
    static constexpr int kDepth = 6; // operands looked through
    Range at(Value value, BlockId block, int depth) const;
    Range refine(Value value, BlockId block, Range range) const;
    Range compute(const Instr& instr, Range a, Range b) const;
    std::optional<Test> test_before(BlockId block) const;
    const Function& f_;
    std::vector<Range> ranges_;
    std::vector<BlockId> idom_;
};

Range intersect(Range a, Range b);
Range hull(Range a, Range b);

} // namespace dt::ir

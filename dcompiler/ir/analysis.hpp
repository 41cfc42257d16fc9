// Range analysis: computes the smallest provable interval of each number.
#pragma once

#include <optional>
#include <vector>

#include "dcompiler/ir/ir.hpp"

namespace dt::ir {

/// A comparison of two values.
struct Test {
    Op cmp = Op::Eq;
    Value a = kNone, b = kNone;
};
/// Returns the opposite of a comparison.
Test negated(Test test);

class Ranges {
public:
    /// Runs one sweep in reverse post order. The function must have a valid structure and outlive the object.
    explicit Ranges(const Function& function);

    /// Returns the range that holds everywhere. Values created later by passes have only their own stored range.
    Range of(Value value) const { return value < ranges_.size() ? ranges_[value] : f_.instrs[value].range; }

    /// Returns the range that holds in `block`, given the branches on the path to it. Costs the depth of the dominator
    /// tree for each operand that is followed.
    Range at(Value value, BlockId block) const { return at(value, block, kDepth); }

    /// Returns whether `block` is certainly never reached, because a test on the path cannot have the required outcome.
    bool never_reached(BlockId block) const;

private:
    static constexpr int kDepth = 6; // depth to which operands are followed
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

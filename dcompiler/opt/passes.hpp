// The passes over the IR, each linear in the function: run in the order passes.cpp lists.
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "dcompiler/ir/ir.hpp"
#include "dcompiler/opt/report.hpp"

namespace dt {

/// Over how many instructions the result of arithmetic is kept to be used again.
inline constexpr uint32_t kUsualReach = 48, kShortReach = 8;

/// How much is done: what the kernel needs, what is cheap and looks at few instructions at once, all.
inline constexpr int kNoOptimising = 0, kCheapOptimising = 1, kAllOptimising = 2;

/// Rewrites every function of the module in place; what it does stays the same at every level. With a report: what each
/// pass did.
void optimise(ir::Module& module, int level = kAllOptimising, uint32_t reach = kUsualReach,
              PassReport* report = nullptr);

namespace opt {

/// Constants, identities, strength reduction, extensions that change nothing.
void fold(ir::Function& f);
/// Branches whose outcome is known, jumps through blocks that only decide again, blocks that only follow one another.
void simplify_branches(ir::Function& f);
/// One computation for equal pure values where the first dominates the second.
void common_subexpressions(ir::Function& f, uint32_t reach);
/// Loads from the stack of what is known to be there, stores of what is there already.
void forward_stack_values(const ir::Module& module, ir::Function& f, uint32_t reach);
/// Stores into the stack that nobody reads.
void remove_dead_stores(const ir::Module& module, ir::Function& f);
/// One look-up for the same element of a map.
void find_elements_once(const ir::Module& module, ir::Function& f);
/// One read for members of one structure.
void merge_reads(const ir::Module& module, ir::Function& f);
/// Branches whose outcome an earlier one tells.
void drop_implied_branches(ir::Function& f);
/// Divisions of small numbers by constants.
void multiply_for_divisions(ir::Function& f);
/// Comparisons used as numbers, as arithmetic without branches.
void straighten_comparisons(ir::Function& f);
/// What nobody uses and has no effect.
void remove_dead_code(ir::Function& f);
/// In a large program: one function for all equal calls that the kernel replaces by code.
void share_replaced_calls(ir::Module& module);
/// Blocks no path reaches, and their share of phis.
void remove_unreachable(ir::Function& f);

// ---- for the passes --------------------------------------------------------------------------------------------

/// Removes the edge from -> to, with the phi arguments that came along it.
void remove_edge(ir::Function& f, ir::BlockId from, ir::BlockId to);
/// A branch becomes a jump to one of its targets.
void become_jump(ir::Function& f, ir::BlockId block, int target);
/// The machine's answer to an operation on two constants: shifts take six bits; none for a division by zero or what is
/// not of two operands.
std::optional<int64_t> evaluate(ir::Op op, int64_t a, int64_t b);
/// What a division by `divisor` is for numbers up to `most`: (x * factor) >> shift, in 64 bits; none where these are
/// too few.
struct Reciprocal {
    uint64_t factor;
    unsigned shift;
};
std::optional<Reciprocal> reciprocal(uint64_t divisor, uint64_t most);
/// Of all functions, terminators included.
std::size_t instructions(const ir::Module& module);
/// Is there any of this operation, in what is not reached as well?
bool uses(const ir::Module& module, ir::Op op);
/// By value: how many operands it is.
std::vector<uint32_t> count_uses(ir::Function& f);
/// A result that depends on nothing but the operands (and on what does not change during one firing).
bool is_pure(const ir::Instr& i);
/// Calls `use` with a reference to every operand.
template <typename Use> void for_each_operand(ir::Instr& i, Use use)
{
    if (i.a != ir::kNone)
        use(i.a);
    if (i.b != ir::kNone)
        use(i.b);
    for (ir::Value& v : i.args)
        use(v);
}

/// Appends to a list of instructions.
struct Appender {
    ir::Function& f;
    std::vector<ir::Value>& out;
    Span at;
    ir::Value make(ir::Instr i) const
    {
        i.at = at;
        f.instrs.push_back(std::move(i));
        out.push_back(static_cast<ir::Value>(f.instrs.size() - 1));
        return out.back();
    }
    ir::Value constant(int64_t number) const
    {
        return make({.op = ir::Op::Const, .range = {number, number}, .imm = number});
    }
    ir::Value binary(ir::Op op, ir::Value a, ir::Value b) const { return make({.op = op, .a = a, .b = b}); }
};

/// Values that turned out to be others, of those that a function had when this was made.
class Aliases {
public:
    explicit Aliases(ir::Function& f) : f_(f), is_(f.instrs.size()) { std::iota(is_.begin(), is_.end(), 0); }
    ir::Value& operator[](ir::Value v) { return is_[v]; }
    ir::Value of(ir::Value v) const { return v < is_.size() ? is_[v] : v; }
    void rename(ir::Instr& i)
    {
        for_each_operand(i, [this](ir::Value& operand) { operand = of(operand); });
    }
    void rename_all() ///< phis may name values of blocks that were walked after them
    {
        for (const ir::Block& block : f_.blocks)
            for (const ir::Value v : block.instrs)
                rename(f_.instrs[v]);
    }

private:
    ir::Function& f_;
    std::vector<ir::Value> is_;
};

} // namespace opt
} // namespace dt

// Optimisation passes over the IR, each of which takes time linear in the size of the function. They run in the order
// of the list in passes.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dcompiler/ir/ir.hpp"

namespace dt {

// Report of the passes' effects for -x passtiming. The compiler fills in the report; the compiler's caller prints it.

struct PassResult {
    const char* name;
    std::chrono::nanoseconds time{};
    std::size_t before = 0, after = 0; ///< number of instructions in the module
    std::vector<std::string> changed;  ///< printed IR of the functions that the pass has changed, after the pass
};

struct PassReport {
    bool with_code = false;          ///< set by the caller: whether the report also contains the IR between passes
    int level = 0;                   ///< optimisation level of the run
    std::vector<std::string> before; ///< printed IR of the functions before the first pass
    std::vector<PassResult> passes;
    /// time of instruction selection, register allocation, layout and writing the object
    std::chrono::nanoseconds emitting{};
    std::size_t emitted = 0; ///< number of generated BPF instructions, without the instructions of bpf-runtime
};

/// Number of instructions over which the result of arithmetic stays available for reuse. kShortReach is for programs
/// whose stack use is too large.
inline constexpr uint32_t kUsualReach = 48, kShortReach = 8;

/// Optimisation levels. At level 0 only passes that the kernel requires run, at level 1 also cheap local passes, at
/// level 2 all passes.
inline constexpr int kNoOptimising = 0, kCheapOptimising = 1, kAllOptimising = 2;

/// Rewrites every function of the module in place. The level does not change the behaviour of the functions. A report
/// receives the effect of each pass.
void optimise(ir::Module& module, int level = kAllOptimising, uint32_t reach = kUsualReach,
              PassReport* report = nullptr);

namespace opt {

/// Folds constants and identities, replaces operations by cheaper ones, and removes extensions without effect.
void fold(ir::Function& f);
/// Simplifies branches with known outcomes, bypasses blocks that repeat a test, and merges consecutive blocks.
void simplify_branches(ir::Function& f);
/// Reuses equal pure values if the first computation dominates the second.
void common_subexpressions(ir::Function& f, uint32_t reach);
/// Replaces loads from the stack by the values that were stored there, and removes stores of values that are already
/// there.
void forward_stores(const ir::Module& module, ir::Function& f, uint32_t reach);
/// Removes stores to the stack that are never read.
void remove_dead_stores(const ir::Module& module, ir::Function& f);
/// Removes repeated map lookups of the same element.
void reuse_lookups(const ir::Module& module, ir::Function& f);
/// Merges reads of members of one structure.
void combine_loads(const ir::Module& module, ir::Function& f);
/// Removes branches whose outcome follows from an earlier branch.
void drop_implied_branches(ir::Function& f);
/// Replaces divisions by a constant, if the dividend is a small number, by multiplications.
void reduce_divisions(ir::Function& f);
/// Replaces comparisons used as numbers by arithmetic without branches.
void canonicalize_compares(ir::Function& f);
/// Removes unused instructions without effects.
void remove_dead_code(ir::Function& f);
/// In large programs, moves equal calls that the kernel inlines into one shared function.
void outline_inlined_calls(ir::Module& module);
/// Replaces bpf_get_current_task_btf() and the loads through its result, for kernels without this helper.
void copy_task_reads(ir::Module& module);
/// Removes unreachable blocks and their phi arguments.
void remove_unreachable(ir::Function& f);

// ---- functions that several passes use -------------------------------------------------------------------------

/// Removes the edge `from` -> `to`, and the phi arguments that belong to it.
void remove_edge(ir::Function& f, ir::BlockId from, ir::BlockId to);
/// Replaces a branch by a jump to one of its targets.
void replace_by_jump(ir::Function& f, ir::BlockId block, int target);
/// Computes an operation on two constants like the machine: shift counts use six bits. Returns nothing for division by
/// zero and for operations that are not binary.
std::optional<int64_t> evaluate(ir::Op op, int64_t a, int64_t b);
/// Division by a constant as (x * factor) >> shift in 64 bits, for numbers up to `most`. reciprocal() returns nothing
/// if 64 bits do not suffice.
struct Reciprocal {
    uint64_t factor;
    unsigned shift;
};
std::optional<Reciprocal> reciprocal(uint64_t divisor, uint64_t most);
/// Returns the number of instructions in all functions, terminators included.
std::size_t instructions(const ir::Module& module);
/// Returns whether any instruction, reachable or not, has this operation.
bool uses(const ir::Module& module, ir::Op op);
/// Returns for each value the number of operands that refer to it.
std::vector<uint32_t> count_uses(ir::Function& f);
/// Returns whether the result depends only on the operands and on data that is constant during a firing.
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

/// Helper that creates instructions and appends them to a list.
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

/// Replacements of values by other values. Only values that the function already had when this object was created can
/// be replaced.
class Aliases {
public:
    explicit Aliases(ir::Function& f) : f_(f), is_(f.instrs.size()) { std::iota(is_.begin(), is_.end(), 0); }
    ir::Value& operator[](ir::Value v) { return is_[v]; }
    ir::Value of(ir::Value v) const { return v < is_.size() ? is_[v] : v; }
    void rename(ir::Instr& i)
    {
        for_each_operand(i, [this](ir::Value& operand) { operand = of(operand); });
    }
    /// replaces operands in all blocks; phis need this, because they may refer to blocks that are visited later
    void rename_all()
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

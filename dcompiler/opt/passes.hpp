// Optimization passes over the IR, each of which takes time linear in the size of the function. They run in the order
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

// Report on the effects of the passes, for -x passtiming. The compiler fills it in, and its caller prints it.

struct PassResult {
    const char* name;
    std::chrono::nanoseconds time{};
    std::size_t before = 0, after = 0; ///< number of instructions in the module
    std::vector<std::string> changed;  ///< printed IR, after the pass, of the functions that it has changed
};

struct PassReport {
    bool with_code = false;          ///< set by the caller: whether the report also contains the IR between passes
    int level = 0;                   ///< optimization level of the compilation
    std::vector<std::string> before; ///< printed IR of all functions before the first pass
    std::vector<PassResult> passes;
    /// time of instruction selection, register allocation, code layout and writing of the object
    std::chrono::nanoseconds emitting{};
    std::size_t emitted = 0; ///< number of generated BPF instructions, without the instructions of bpf-runtime
};

/// Number of instructions over which the result of arithmetic is kept for reuse. kShortReach is for programs that use
/// too much stack.
inline constexpr uint32_t kUsualReach = 48, kShortReach = 8;

/// Optimization levels. At level 0 only passes that the kernel requires run, at level 1 also cheap local passes, at
/// level 2 all passes.
inline constexpr int kNoOptimising = 0, kCheapOptimising = 1, kAllOptimising = 2;

/// Rewrites every function of the module in place. The level does not change what the functions do. If a report is
/// given, it receives the effect of each pass.
void optimise(ir::Module& module, int level = kAllOptimising, uint32_t reach = kUsualReach,
              PassReport* report = nullptr);

namespace opt {

/// Folds constants and identities, replaces operations by cheaper ones, and removes extensions without effect.
void fold(ir::Function& f);
/// Simplifies branches with known outcomes, bypasses blocks that repeat a test, and merges consecutive blocks.
void simplify_branches(ir::Function& f);
/// Replaces a computation without effects by an equal one that dominates it.
void common_subexpressions(ir::Function& f, uint32_t reach);
/// Replaces loads from the stack by the values that were stored there, and removes stores of values that are already
/// there.
void forward_stores(const ir::Module& module, ir::Function& f, uint32_t reach);
/// Removes stores to the stack that are never read.
void remove_dead_stores(const ir::Module& module, ir::Function& f);
/// Removes lookups of a map element that was already looked up.
void reuse_lookups(const ir::Module& module, ir::Function& f);
/// Merges reads of several members of one structure.
void combine_loads(const ir::Module& module, ir::Function& f);
/// Removes branches whose outcome follows from an earlier branch.
void drop_implied_branches(ir::Function& f);
/// Replaces divisions of a small number by a constant by multiplications.
void reduce_divisions(ir::Function& f);
/// Replaces comparisons whose result is used as a number by arithmetic without branches.
void canonicalize_compares(ir::Function& f);
/// Removes instructions without effects whose result is not used.
void remove_dead_code(ir::Function& f);
/// In large programs, moves equal calls that the kernel inlines into one shared function.
void outline_inlined_calls(ir::Module& module);
/// Replaces bpf_get_current_task_btf(), and loads through its result, on kernels without this helper.
void copy_task_reads(ir::Module& module);
/// Removes unreachable blocks and their phi arguments.
void remove_unreachable(ir::Function& f);

// ---- functions that several passes use -------------------------------------------------------------------------

/// Removes the edge from block `from` to block `to`, and the arguments of phis that belong to it.
void remove_edge(ir::Function& f, ir::BlockId from, ir::BlockId to);
/// Replaces a branch by a jump to one of its targets.
void replace_by_jump(ir::Function& f, ir::BlockId block, int target);
/// Computes an operation on two constants as BPF does: shift counts use six bits. Returns nothing for a division by
/// zero, and for operations that do not have two operands.
std::optional<int64_t> evaluate(ir::Op op, int64_t a, int64_t b);
/// Factor and shift that replace a division by a constant with (x * factor) >> shift, for numbers x up to `most`.
/// reciprocal() returns nothing if 64 bits do not suffice.
struct Reciprocal {
    uint64_t factor;
    unsigned shift;
};
std::optional<Reciprocal> reciprocal(uint64_t divisor, uint64_t most);
/// Returns the number of instructions in all functions, including terminators.
std::size_t instructions(const ir::Module& module);
/// Returns whether any instruction, even in unreachable code, has this operation.
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

/// Creates instructions and appends them to a list.
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

/// A set of replacements of values by other values. The replaced values must have existed when this object was created.
class Aliases {
public:
    explicit Aliases(ir::Function& f) : f_(f), is_(f.instrs.size()) { std::iota(is_.begin(), is_.end(), 0); }
    ir::Value& operator[](ir::Value v) { return is_[v]; }
    ir::Value of(ir::Value v) const { return v < is_.size() ? is_[v] : v; }
    void rename(ir::Instr& i)
    {
        for_each_operand(i, [this](ir::Value& operand) { operand = of(operand); });
    }
    /// replaces operands in all blocks; necessary for phis, whose arguments may be in blocks visited later
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

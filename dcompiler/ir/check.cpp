// Checks the structure of the IR.
#include "dcompiler/ir/check.hpp"

#include <algorithm>

#include "dcompiler/ir/order.hpp"

namespace dt::ir {
namespace {

constexpr std::size_t kMostArguments = 5; // R1..R5

class Structure {
public:
    Structure(const Module& module, const Function& function, std::vector<Refusal>& out)
        : module_(module), f_(function), out_(out)
    {
    }

    void run()
    {
        if (f_.blocks.empty())
            return refuse({}, "has no code");
        if (!blocks_end_well())
            return; // without valid blocks, later checks are not possible
        order_ = reverse_post_order(f_);
        idom_ = immediate_dominators(f_, order_);
        edges();
        places();
        for (const BlockId block : order_)
            for (std::size_t i = 0; i < f_.blocks[block].instrs.size(); ++i)
                one(block, i);
    }

private:
    void refuse(const Span& at, std::string message) { out_.push_back({f_.name, at, std::move(message)}); }

    // Checks that every reachable block ends with its only terminator, and that targets exist. Empty blocks are allowed
    // if they are not targets.
    bool blocks_end_well()
    {
        const std::size_t before = out_.size();
        std::vector<bool> wanted(f_.blocks.size(), false);
        wanted[0] = true;
        for (const Block& block : f_.blocks)
            for (std::size_t i = 0; i < block.instrs.size(); ++i) {
                if (block.instrs[i] >= f_.instrs.size()) {
                    refuse({}, "a block lists an instruction that does not exist");
                    continue;
                }
                const Instr& instr = f_.instrs[block.instrs[i]];
                const bool last = i + 1 == block.instrs.size();
                if (is(instr.op, OpClass::End) != last)
                    refuse(instr.at,
                           last ? "a block does not end with a terminator" : "a terminator stands inside a block");
                for (int t = 0; last && t < successors(instr); ++t) {
                    if (instr.targets[t] < f_.blocks.size())
                        wanted[instr.targets[t]] = true;
                    else
                        refuse(instr.at, "a branch leads to a block that does not exist");
                }
            }
        for (std::size_t i = 0; i < f_.blocks.size(); ++i)
            if (wanted[i] && f_.blocks[i].instrs.empty())
                refuse({}, "block " + std::to_string(i) + " is empty");
        return out_.size() == before;
    }

    void edges()
    {
        std::vector<std::vector<BlockId>> from(f_.blocks.size());
        for (std::size_t block = 0; block < f_.blocks.size(); ++block) {
            if (f_.blocks[block].instrs.empty())
                continue;
            const Instr& last = f_.instrs[f_.blocks[block].instrs.back()];
            for (int t = 0; t < successors(last); ++t)
                from[last.targets[t]].push_back(static_cast<BlockId>(block));
        }
        for (const BlockId block : order_) {
            auto preds = f_.blocks[block].preds;
            std::sort(preds.begin(), preds.end());
            if (preds != from[block])
                refuse({}, "block " + std::to_string(block) + " does not know its predecessors");
        }
        if (!f_.blocks[0].preds.empty())
            refuse({}, "the entry block is jumped to");
    }

    void places()
    {
        block_of_.assign(f_.instrs.size(), kNone);
        index_of_.assign(f_.instrs.size(), 0);
        for (std::size_t block = 0; block < f_.blocks.size(); ++block)
            for (std::size_t i = 0; i < f_.blocks[block].instrs.size(); ++i) {
                const Value value = f_.blocks[block].instrs[i];
                if (block_of_[value] != kNone)
                    refuse(f_.instrs[value].at, "an instruction stands in two places");
                block_of_[value] = static_cast<BlockId>(block);
                index_of_[value] = static_cast<uint32_t>(i);
            }
    }

    bool dominates(BlockId a, BlockId b) const
    {
        while (b != a && idom_[b] != b)
            b = idom_[b];
        return a == b;
    }

    /// Checks that `value` is computed on every path to instruction `index` of `block`.
    void reads(const Instr& user, Value value, BlockId block, std::size_t index)
    {
        if (value == kNone || value >= f_.instrs.size() || block_of_[value] == kNone)
            return refuse(user.at, "an operand does not exist");
        if (has(f_.instrs[value].op, kNoResult))
            return refuse(user.at, "an operand has no value");
        const BlockId home = block_of_[value];
        const bool before = home == block ? index_of_[value] < index : idom_[home] != kNone && dominates(home, block);
        if (!before)
            refuse(user.at,
                   "a value is used where it may not have been computed (value " + std::to_string(value) + ")");
    }

    void phi(const Instr& instr, BlockId block, std::size_t index)
    {
        const Block& b = f_.blocks[block];
        if (index > 0 && f_.instrs[b.instrs[index - 1]].op != Op::Phi)
            refuse(instr.at, "a phi stands behind other instructions");
        if (instr.args.size() != b.preds.size())
            return refuse(instr.at, "a phi has " + std::to_string(instr.args.size()) + " values for " +
                                        std::to_string(b.preds.size()) + " ways in");
        for (std::size_t i = 0; i < b.preds.size(); ++i)
            if (idom_[b.preds[i]] != kNone)
                reads(instr, instr.args[i], b.preds[i], f_.blocks[b.preds[i]].instrs.size());
    }

    void index(const Instr& instr, std::size_t limit, const char* what)
    {
        if (instr.imm < 0 || static_cast<std::size_t>(instr.imm) >= limit)
            refuse(instr.at, std::string("there is no ") + what + " " + std::to_string(instr.imm));
    }

    void references(const Instr& instr)
    {
        switch (instr.op) {
        case Op::Param:
            return index(instr, f_.params, "parameter");
        case Op::StackAddr:
            return index(instr, f_.slots.size(), "stack slot");
        case Op::MapRef:
            return index(instr, module_.maps.size(), "map");
        case Op::DataAddr:
            return index(instr, module_.data.size(), "data object");
        case Op::CallLocal:
            index(instr, module_.functions.size(), "function");
            if (static_cast<std::size_t>(instr.imm) < module_.functions.size() &&
                module_.functions[static_cast<std::size_t>(instr.imm)].params != instr.args.size())
                refuse(instr.at, "a call passes " + std::to_string(instr.args.size()) + " arguments to " +
                                     module_.functions[static_cast<std::size_t>(instr.imm)].name);
            return;
        default:
            return;
        }
    }

    void one(BlockId block, std::size_t i)
    {
        const Instr& instr = f_.instrs[f_.blocks[block].instrs[i]];
        if (instr.op == Op::Phi)
            return phi(instr, block, i);
        const std::size_t wants = facts(instr.op).operands;
        if (wants >= 1 || (instr.op == Op::Return && instr.a != kNone))
            reads(instr, instr.a, block, i);
        if (wants >= 2)
            reads(instr, instr.b, block, i);
        for (const Value arg : instr.args)
            reads(instr, arg, block, i);
        if (is(instr.op, OpClass::Call) ? instr.args.size() > kMostArguments
                                        : instr.args.size() != std::max<std::size_t>(wants, 2) - 2)
            refuse(instr.at, std::string("a ") + facts(instr.op).text + " has " + std::to_string(instr.args.size()) +
                                 " arguments");
        if (instr.width != 1 && instr.width != 2 && instr.width != 4 && instr.width != 8)
            refuse(instr.at, "an access is " + std::to_string(instr.width) + " bytes wide");
        if (instr.op == Op::Branch && !is_comparison(instr.cmp))
            refuse(instr.at, "a branch does not compare");
        references(instr);
    }

    const Module& module_;
    const Function& f_;
    std::vector<Refusal>& out_;
    std::vector<BlockId> order_, idom_, block_of_;
    std::vector<uint32_t> index_of_;
};

} // namespace

std::vector<Refusal> check_structure(const Module& module)
{
    std::vector<Refusal> out;
    for (const Function& function : module.functions)
        Structure(module, function, out).run();
    return out;
}

std::vector<Refusal> check(const Module& module)
{
    std::vector<Refusal> out = check_structure(module);
    return out.empty() ? check_memory(module) : out;
}

Result<void> verdict(const std::vector<Refusal>& refusals)
{
    if (refusals.empty())
        return {};
    const Refusal& first = refusals.front();
    const std::string place = first.at.line != 0 ? "line " + std::to_string(first.at.line) + ": " : std::string{};
    return Error{"internal error: " + place + first.message + " (in " + first.function +
                 "); this is a mistake in dtrace, not in the program: please report it together with the program"};
}

} // namespace dt::ir

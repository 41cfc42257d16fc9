// Eliminates common subexpressions within the scope of dominance: a value computed on every path to an instruction is
// reused.
//
// Memory may change between two loads, so only loads of data that is constant during a firing (the context, trusted
// kernel objects such as the saved user registers) take part. An address at a fixed distance from another costs one
// addition, and keeping it would occupy the stack from first to last use. So addresses are shared only within a block.
// Results of arithmetic are also cheap to recompute. They are shared over a short distance, which bounds the number of
// live values and thereby the stack.
#include "dcompiler/opt/passes.hpp"
#include "dcompiler/ir/order.hpp"

#include <map>
#include <tuple>
#include <utility>

namespace dt::opt {

using ir::Instr;
using ir::Op;
using ir::Value;

namespace {

using Key = std::tuple<Op, uint8_t, Value, Value, int64_t, int64_t, std::vector<Value>>;

bool is_near_address(const ir::Function& f, const Instr& i)
{
    return i.op == Op::Add && f.instrs[i.b].op == Op::Const && (i.mem == ir::Mem::MapValue || i.mem == ir::Mem::Stack);
}

Key key_of(const ir::Function& f, const Instr& i, ir::BlockId block)
{
    if (is_near_address(f, i))
        return {i.op, i.width, i.a, i.b, i.imm, i.imm2, {block}};
    return {i.op, i.width, i.a, i.b, i.imm, i.imm2, i.args};
}

bool takes_part(const ir::Function& f, const Instr& i)
{
    if (i.op == Op::Load) {
        const ir::Mem mem = f.instrs[i.a].mem;
        return mem == ir::Mem::Context || mem == ir::Mem::Btf;
    }
    return is_pure(i);
}

bool is_arithmetic(const Instr& i)
{
    return ir::is(i.op, ir::OpClass::Arithmetic) || ir::is_comparison(i.op);
}

/// A known value, and the previous value with its key.
struct KnownExpression {
    Key key;
    Value before = ir::kNone;
};

} // namespace

void common_subexpressions(ir::Function& f, uint32_t reach)
{
    const auto order = ir::reverse_post_order(f);
    const auto idom = ir::immediate_dominators(f, order);
    std::vector<std::vector<ir::BlockId>> children(f.blocks.size());
    for (const ir::BlockId block : order)
        if (block != 0)
            children[idom[block]].push_back(block);

    Aliases alias(f);
    std::map<Key, Value> known;
    // Steps of a walk over the dominator tree. Leaving a block removes its entries.
    struct Step {
        ir::BlockId block;
        bool leave;
    };
    std::vector<Step> work{{0, false}};
    std::vector<std::vector<KnownExpression>> added(f.blocks.size());
    std::vector<uint32_t> place(f.instrs.size(), 0);
    uint32_t walked = 0;
    while (!work.empty()) {
        const Step step = work.back();
        work.pop_back();
        if (step.leave) {
            for (auto one = added[step.block].rbegin(); one != added[step.block].rend(); ++one)
                one->before == ir::kNone ? static_cast<void>(known.erase(one->key))
                                         : static_cast<void>(known[one->key] = one->before);
            continue;
        }
        work.push_back({step.block, true});
        std::vector<Value> kept;
        for (const Value v : f.blocks[step.block].instrs) {
            Instr& i = f.instrs[v];
            alias.rename(i);
            place[v] = ++walked;
            if (takes_part(f, i)) {
                const auto [found, fresh] = known.try_emplace(key_of(f, i, step.block), v);
                const Instr& first = f.instrs[found->second];
                const bool near = !is_arithmetic(i) || walked - place[found->second] <= reach;
                if (!fresh && near && first.mem == i.mem && first.region >= i.region) {
                    alias[v] = found->second;
                    continue;
                }
                if (fresh || !near)
                    added[step.block].push_back({found->first, fresh ? ir::kNone : std::exchange(found->second, v)});
            }
            kept.push_back(v);
        }
        f.blocks[step.block].instrs = std::move(kept);
        for (const ir::BlockId child : children[step.block])
            work.push_back({child, false});
    }
    alias.rename_all();
}

} // namespace dt::opt

// Removes dead code: marks instructions with effects and, backwards, their operands; the rest is removed.
#include "dcompiler/opt/passes.hpp"

#include <algorithm>

#include "dcompiler/ir/helper_effects.hpp"

namespace dt::opt {

using ir::Value;

namespace {

bool has_effect(const ir::Instr& i)
{
    const ir::HelperEffects* helper = ir::effects(i);
    return helper ? !helper->removable : ir::has(i.op, ir::kEffect);
}

} // namespace

void remove_dead_code(ir::Function& f)
{
    std::vector<bool> live(f.instrs.size(), false);
    std::vector<Value> work;
    const auto mark = [&](Value v) {
        if (!live[v]) {
            live[v] = true;
            work.push_back(v);
        }
    };
    for (const ir::Block& block : f.blocks)
        for (const Value v : block.instrs)
            if (has_effect(f.instrs[v]))
                mark(v);
    while (!work.empty()) {
        const Value v = work.back();
        work.pop_back();
        for_each_operand(f.instrs[v], [&](Value& operand) { mark(operand); });
    }
    for (ir::Block& block : f.blocks)
        block.instrs.erase(std::remove_if(block.instrs.begin(), block.instrs.end(), [&](Value v) { return !live[v]; }),
                           block.instrs.end());
}

} // namespace dt::opt

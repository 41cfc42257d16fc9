// Removes dead code and stores to the stack that are never read. Dead code is found by marking instructions with
// effects and, recursively, their operands; all others are removed.
#include <algorithm>
#include <bitset>

#include "dcompiler/ir/analysis.hpp"
#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/opt/passes.hpp"
#include "dcompiler/opt/stack_access.hpp"

namespace dt::opt {

using ir::Op;
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

// Removes stores to the stack that are never read. Walks backwards with the set of bytes that may be read later. At the
// return of the function, this set is empty.

namespace {

using Bytes = std::bitset<1024>;

class DeadStores {
public:
    DeadStores(const ir::Module& module, ir::Function& f)
        : f_(f), accesses_(module, f), order_(ir::reverse_post_order(f)), live_(f.blocks.size())
    {
        for (const ir::StackSlot& slot : f.slots) {
            start_.push_back(size_);
            size_ += slot.size;
        }
    }

    void run()
    {
        if (size_ > Bytes().size())
            return; // no store is removed: the frame is too large, so the kernel refuses the program anyway
        for (bool changed = true; changed;) {
            changed = false;
            for (auto block = order_.rbegin(); block != order_.rend(); ++block) {
                const Bytes before = walk(*block, false);
                changed |= before != live_[*block];
                live_[*block] = before;
            }
        }
        for (const ir::BlockId block : order_)
            walk(block, true);
    }

private:
    /// Computes which stack bytes may be read after the start of the block. The second walk, with `remove`, also
    /// removes stores that are never read.
    Bytes walk(ir::BlockId block, bool remove)
    {
        auto& instrs = f_.blocks[block].instrs;
        const ir::Instr& last = f_.instrs[instrs.back()];
        Bytes live;
        for (int t = 0; t < ir::successors(last); ++t)
            live |= live_[last.targets[t]];
        std::vector<bool> dead(instrs.size(), false);
        for (std::size_t n = instrs.size(); n-- > 0;) {
            const auto accesses = accesses_.of(f_.instrs[instrs[n]]);
            if (f_.instrs[instrs[n]].op == Op::Store && accesses.size() == 1 &&
                accesses[0].kind == StackAccess::Kind::Writes && none(live, accesses[0].bytes)) {
                dead[n] = true;
                continue;
            }
            for (auto access = accesses.rbegin(); access != accesses.rend(); ++access)
                step(live, *access);
        }
        if (remove) {
            std::size_t n = 0;
            std::erase_if(instrs, [&](Value) { return dead[n++]; });
        }
        return live;
    }

    void step(Bytes& live, const StackAccess& access) const
    {
        const bool writes = access.kind == StackAccess::Kind::Writes;
        if (access.kind == StackAccess::Kind::MayWrite)
            return;
        for (int64_t at = access.bytes.low; at < access.bytes.high; ++at)
            live.set(start_[access.bytes.slot] + static_cast<std::size_t>(at), !writes);
    }

    bool none(const Bytes& live, const StackBytes& bytes) const
    {
        for (int64_t at = bytes.low; at < bytes.high; ++at)
            if (live.test(start_[bytes.slot] + static_cast<std::size_t>(at)))
                return false;
        return true;
    }

    ir::Function& f_;
    StackAccesses accesses_;
    std::vector<ir::BlockId> order_;
    std::vector<Bytes> live_;        // for each block, the stack bytes that may be read after its start
    std::vector<std::size_t> start_; // for each stack slot, the index of its first byte
    std::size_t size_ = 0;
};

} // namespace

void remove_dead_stores(const ir::Module& module, ir::Function& f)
{
    if (!f.slots.empty())
        DeadStores(module, f).run();
}

} // namespace dt::opt

// Removes repeated lookups of the same map element.
//
// `if (a[k]) a[k] = …`, `a[k]++` and a thread-local variable that is read and then written look up the same element
// twice or more. A pointer to an element stays valid until the end of the firing. So a second lookup with the same key
// bytes at the same stack position gives the first result if nothing between the two changed the map. If a concurrent
// firing inserts or removes the element in that time, this is equivalent to its change happening slightly later. Thread
// storage is found by the thread; a lookup that would create missing storage uses the earlier result only if that is
// known not to be NULL.
//
// A called function changes no map if neither it nor its callees do; functions that send a record or count a loss are
// examples.
#include <algorithm>
#include <map>

#include "dcompiler/ir/order.hpp"
#include "dcompiler/opt/passes.hpp"
#include "dcompiler/opt/stack_access.hpp"

namespace dt::opt {

using ir::Instr;
using ir::kNone;
using ir::Op;
using ir::Value;

namespace {

constexpr std::size_t kMostElements = 16;

/// A lookup that was made on every path to this point.
struct LookedUp {
    Value call = kNone;
    int64_t map = 0;
    StackBytes key;     // bytes of the key, for a map with keys
    Value task = kNone; // the task, for thread storage
    bool not_null = false;
    bool operator==(const LookedUp& other) const { return call == other.call; }
};

using KnownElements = std::vector<LookedUp>;

/// Returns whether a thread storage lookup creates a missing element.
bool makes_storage(const ir::Function& f, const Instr& storage)
{
    const Instr& flags = f.instrs[storage.args[3]];
    return flags.op != Op::Const || flags.imm != 0;
}

/// Finds functions that do not change elements of any map. Examines each function once.
class HarmlessFunctions {
public:
    explicit HarmlessFunctions(const ir::Module& module) : module_(module) {}

    bool has(int64_t function)
    {
        const auto [known, fresh] = known_.try_emplace(function, false); // recursive functions count as harmful
        if (fresh)
            known->second = is_harmless(module_.functions[static_cast<std::size_t>(function)]);
        return known->second;
    }

private:
    bool is_harmless(const ir::Function& f)
    {
        if (f.blocks.empty())
            return false; // a function of another object
        for (const ir::Block& block : f.blocks)
            for (const Value v : block.instrs) {
                const Instr& i = f.instrs[v];
                if (i.op == Op::CallRuntime || (i.op == Op::CallLocal && !has(i.imm)))
                    return false;
                if (const ir::HelperEffects* row = ir::effects(i);
                    row && row->map == ir::MapUse::Changes &&
                    (i.imm != ir::bpf::kTaskStorageGet || makes_storage(f, i)))
                    return false;
            }
        return true;
    }

    const ir::Module& module_;
    std::map<int64_t, bool> known_;
};

class Elements {
public:
    Elements(const ir::Module& module, ir::Function& f) : f_(f), accesses_(module, f), alias_(f), harmless_(module)
    {
        for (const ir::Block& block : f.blocks)
            for (const Value v : block.instrs)
                any_ += look_up(v).has_value();
    }

    void run()
    {
        if (any_ < 2)
            return;
        ir::flow_forward(f_, KnownElements{}, meet, [this](ir::BlockId block, KnownElements& known) {
            if (f_.blocks[block].preds.size() == 1)
                learn(block, known);
            std::vector<Value> kept;
            for (const Value v : f_.blocks[block].instrs) {
                alias_.rename(f_.instrs[v]);
                if (!gone(v, known))
                    kept.push_back(v);
            }
            f_.blocks[block].instrs = std::move(kept);
        });
        alias_.rename_all();
    }

private:
    /// Returns the lookup made by a call if its key has a known position.
    std::optional<LookedUp> look_up(Value v) const
    {
        const Instr& i = f_.instrs[v];
        if (i.op != Op::CallHelper || i.args.empty() || f_.instrs[i.args[0]].op != Op::MapRef)
            return std::nullopt;
        LookedUp found;
        found.call = v;
        found.map = f_.instrs[i.args[0]].imm;
        if (i.imm == ir::bpf::kTaskStorageGet) {
            found.task = i.args[1];
            return found;
        }
        if (i.imm != ir::bpf::kMapLookup)
            return std::nullopt;
        const auto accesses = accesses_.of(i);
        if (accesses.size() != 1 || accesses[0].kind != StackAccess::Kind::Reads || !accesses_.place(i.args[1]))
            return std::nullopt;
        found.key = accesses[0].bytes;
        return found;
    }

    static bool same(const LookedUp& a, const LookedUp& b)
    {
        return a.map == b.map && a.task == b.task && a.key.slot == b.key.slot && a.key.low == b.key.low &&
               a.key.high == b.key.high;
    }

    static void meet(KnownElements& known, const KnownElements& other)
    {
        for (LookedUp& one : known) {
            const auto found = std::find(other.begin(), other.end(), one);
            one.call = found == other.end() ? kNone : one.call;
            one.not_null = one.not_null && found != other.end() && found->not_null;
        }
        std::erase_if(known, [](const LookedUp& one) { return one.call == kNone; });
    }

    /// Applies the outcome of the test at the end of the only predecessor.
    void learn(ir::BlockId block, KnownElements& known) const
    {
        const Instr& test = f_.instrs[f_.blocks[f_.blocks[block].preds[0]].instrs.back()];
        if (test.op != Op::Branch || test.targets[0] == test.targets[1] || f_.instrs[test.b].op != Op::Const ||
            f_.instrs[test.b].imm != 0)
            return;
        const bool differs =
            (test.cmp == Op::Ne && test.targets[0] == block) || (test.cmp == Op::Eq && test.targets[1] == block);
        for (LookedUp& one : known)
            one.not_null = one.not_null || (differs && one.call == test.a);
    }

    bool gone(Value v, KnownElements& known)
    {
        const Instr& i = f_.instrs[v];
        if (const auto wanted = look_up(v)) {
            const auto found =
                std::find_if(known.begin(), known.end(), [&](const LookedUp& one) { return same(one, *wanted); });
            const bool may_make = wanted->task != kNone && makes_storage(f_, i);
            if (found != known.end() && (!may_make || found->not_null) && f_.instrs[found->call].region >= i.region) {
                alias_[v] = found->call;
                return true;
            }
            std::erase_if(known,
                          [&](const LookedUp& one) { return may_make ? one.map == wanted->map : same(one, *wanted); });
            if (known.size() < kMostElements)
                known.push_back(*wanted);
            return false;
        }
        forget(i, known);
        return false;
    }

    void forget(const Instr& i, KnownElements& known)
    {
        if (i.op == Op::CallRuntime || (i.op == Op::CallLocal && !harmless_.has(i.imm)))
            return known.clear();
        if (const ir::HelperEffects* row = ir::effects(i); row && row->map == ir::MapUse::Changes) {
            const bool told = !i.args.empty() && f_.instrs[i.args[0]].op == Op::MapRef;
            std::erase_if(known, [&](const LookedUp& one) { return !told || one.map == f_.instrs[i.args[0]].imm; });
        }
        for (const StackAccess& access : accesses_.of(i))
            if (access.kind != StackAccess::Kind::Reads)
                std::erase_if(known, [&](const LookedUp& one) {
                    return one.task == kNone && one.key.slot == access.bytes.slot && access.bytes.low < one.key.high &&
                           one.key.low < access.bytes.high;
                });
    }

    ir::Function& f_;
    StackAccesses accesses_;
    Aliases alias_;
    HarmlessFunctions harmless_;
    std::size_t any_ = 0;
};

} // namespace

void find_elements_once(const ir::Module& module, ir::Function& f)
{
    Elements(module, f).run();
}

} // namespace dt::opt

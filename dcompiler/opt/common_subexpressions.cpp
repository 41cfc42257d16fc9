// Computes values once: common subexpressions as far as the first computation dominates the others, calls that the
// kernel inlines, and lookups of the same map element.
//
// A value that is computed on every path to an instruction is reused. Memory may change between two loads. So loads are
// reused only from data that is constant during a firing: the context, and trusted kernel objects such as the saved
// user registers. Some values are cheap to compute again, and keeping them would occupy the stack from the first to the
// last use. So addresses at a fixed distance from another address are shared only within a block, and results of
// arithmetic only over a short distance.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "dcompiler/ir/analysis.hpp"
#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/opt/passes.hpp"
#include "dcompiler/opt/stack_access.hpp"

namespace dt::opt {

using ir::Instr;
using ir::kNone;
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

/// Entry for a value that was computed in the current block. `before` is the previous entry for the same expression. It
/// becomes valid again when the walk leaves the block.
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
    // A step of the walk over the dominator tree: entering a block, or leaving it and removing its entries.
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

// Shares calls that the kernel replaces by instructions (inlines) when it loads a program.
//
// When the kernel loads a program, it replaces some calls (map lookups, task storage, the CPU number) by several
// instructions, and each time moves the rest of the program. That takes quadratic time: 600 clauses took 12 seconds to
// load. So in a large program, equal calls become calls of a shared function, and only the function contains the
// original call.

namespace {

// Limit for the number of such calls times the number of instructions. Each unit of this product takes the kernel about
// 20 ns to load, so above the limit the calls move into shared functions.
constexpr std::size_t kMaxMoved = 2'500'000;

bool is_replaced(const Instr& i)
{
    const ir::HelperEffects* effects = ir::effects(i);
    return effects && effects->replaced;
}

bool is_fixed(const Instr& i)
{
    return i.op == Op::Const || i.op == Op::MapRef;
}

class Sharing {
public:
    explicit Sharing(ir::Module& module) : module_(module) {}

    void run()
    {
        const std::size_t functions = module_.functions.size();
        for (std::size_t n = 0; n < functions; ++n)
            for (const ir::Block& block : module_.functions[n].blocks)
                for (const Value v : block.instrs)
                    if (is_replaced(module_.functions[n].instrs[v]))
                        replace(module_.functions[n], v);
        for (ir::Function& made : made_)
            module_.functions.push_back(std::move(made));
    }

private:
    // operation and constant of an argument; Op::Param if the shared function has a parameter for it
    using Argument = std::pair<Op, int64_t>;
    using Key = std::tuple<int64_t, std::vector<Argument>>;

    void replace(ir::Function& f, Value v)
    {
        Instr& call = f.instrs[v];
        std::vector<Argument> arguments;
        std::vector<Value> given;
        for (const Value a : call.args) {
            const Instr& argument = f.instrs[a];
            arguments.push_back(is_fixed(argument) ? Argument{argument.op, argument.imm}
                                                   : Argument{Op::Param, static_cast<int64_t>(given.size())});
            if (!is_fixed(argument))
                given.push_back(a);
        }
        const auto [found, fresh] = known_.try_emplace(Key{call.imm, arguments},
                                                       static_cast<uint32_t>(module_.functions.size() + made_.size()));
        if (fresh)
            made_.push_back(function(f, call, arguments, given));
        call.op = Op::CallLocal;
        call.imm = found->second;
        call.args = std::move(given);
    }

    ir::Function function(const ir::Function& f, const Instr& call, const std::vector<Argument>& arguments,
                          const std::vector<Value>& given) const
    {
        ir::Function made;
        made.name = "dt_call_" + std::to_string(made_.size());
        made.params = static_cast<uint32_t>(given.size());
        for (const Value v : given) {
            made.param_mem.push_back(f.instrs[v].mem);
            made.param_region.push_back(f.instrs[v].region);
        }
        ir::Builder b(made);
        std::vector<Value> args;
        for (const auto& [op, imm] : arguments)
            args.push_back(op == Op::MapRef  ? b.map_ref(static_cast<uint32_t>(imm))
                           : op == Op::Const ? b.constant(imm)
                                             : b.param(static_cast<uint32_t>(imm)));
        b.ret(b.call_helper(static_cast<int32_t>(call.imm), std::move(args), call.mem, call.region));
        return made;
    }

    ir::Module& module_;
    std::vector<ir::Function> made_;
    std::map<Key, uint32_t> known_;
};

} // namespace

void outline_inlined_calls(ir::Module& module)
{
    std::size_t calls = 0, instructions = 0;
    for (const ir::Function& f : module.functions)
        for (const ir::Block& block : f.blocks) {
            instructions += block.instrs.size();
            for (const Value v : block.instrs)
                calls += is_replaced(f.instrs[v]);
        }
    if (calls * instructions > kMaxMoved)
        Sharing(module).run();
}

// Removes repeated lookups of the same map element.
//
// `if (a[k]) a[k] = …`, `a[k]++` and a thread-local variable that is read and then written look up the same element
// twice or more. A pointer to an element stays valid until the end of the firing. So a second lookup with the same key,
// at the same stack position, gives the first result if no code between the two changes the map. If a concurrent firing
// inserts or removes the element between the two lookups, the effect is the same as if that happened slightly later.
//
// Task storage has no key: the kernel finds it by the thread. If the second lookup would create missing storage, it is
// replaced only if the first result is certainly not NULL.
//
// A call changes a map only if the called function or its callees do. Functions that send a record or count a loss do
// not.

namespace {

constexpr std::size_t kMaxElements = 16;

/// A lookup that every path to the current instruction has made.
struct Lookup {
    Value call = kNone;
    int64_t map = 0;
    StackBytes key;     // for a map with keys: position of the key on the stack
    Value task = kNone; // for task storage: the task
    bool not_null = false;
    bool operator==(const Lookup& other) const { return call == other.call; }
};

using KnownLookups = std::vector<Lookup>;

/// Returns whether the call looks up task storage and creates it if it is missing.
bool makes_storage(const ir::Function& f, const Instr& storage)
{
    const Instr& flags = f.instrs[storage.args[3]];
    return flags.op != Op::Const || flags.imm != 0;
}

/// Finds the functions that do not change elements of any map; examines each once.
class ReadOnlyFunctions {
public:
    explicit ReadOnlyFunctions(const ir::Module& module) : module_(module) {}

    bool has(int64_t function)
    {
        // While a function is being examined, it counts as one that changes maps, and so recursive functions always do.
        const auto [known, fresh] = known_.try_emplace(function, false);
        if (fresh)
            known->second = is_read_only(module_.functions[static_cast<std::size_t>(function)]);
        return known->second;
    }

private:
    bool is_read_only(const ir::Function& f)
    {
        if (f.blocks.empty())
            return false; // the code of the function is in another object, so its effects are unknown
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

class LookupReuse {
public:
    LookupReuse(const ir::Module& module, ir::Function& f) : f_(f), accesses_(module, f), alias_(f), harmless_(module)
    {
        for (const ir::Block& block : f.blocks)
            for (const Value v : block.instrs)
                any_ += look_up(v).has_value();
    }

    void run()
    {
        if (any_ < 2)
            return;
        ir::flow_forward(f_, KnownLookups{}, meet, [this](ir::BlockId block, KnownLookups& known) {
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
    /// Describes the lookup that a call makes, or returns nothing if the stack position of the key is unknown.
    std::optional<Lookup> look_up(Value v) const
    {
        const Instr& i = f_.instrs[v];
        if (i.op != Op::CallHelper || i.args.empty() || f_.instrs[i.args[0]].op != Op::MapRef)
            return std::nullopt;
        Lookup found;
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

    static bool same(const Lookup& a, const Lookup& b)
    {
        return a.map == b.map && a.task == b.task && a.key.slot == b.key.slot && a.key.low == b.key.low &&
               a.key.high == b.key.high;
    }

    static void meet(KnownLookups& known, const KnownLookups& other)
    {
        for (Lookup& one : known) {
            const auto found = std::find(other.begin(), other.end(), one);
            one.call = found == other.end() ? kNone : one.call;
            one.not_null = one.not_null && found != other.end() && found->not_null;
        }
        std::erase_if(known, [](const Lookup& one) { return one.call == kNone; });
    }

    /// Marks the lookups whose result is certainly not null in the block, because its only predecessor ends with a test
    /// of the result.
    void learn(ir::BlockId block, KnownLookups& known) const
    {
        const Instr& test = f_.instrs[f_.blocks[f_.blocks[block].preds[0]].instrs.back()];
        if (test.op != Op::Branch || test.targets[0] == test.targets[1] || f_.instrs[test.b].op != Op::Const ||
            f_.instrs[test.b].imm != 0)
            return;
        const bool differs =
            (test.cmp == Op::Ne && test.targets[0] == block) || (test.cmp == Op::Eq && test.targets[1] == block);
        for (Lookup& one : known)
            one.not_null = one.not_null || (differs && one.call == test.a);
    }

    bool gone(Value v, KnownLookups& known)
    {
        const Instr& i = f_.instrs[v];
        if (const auto wanted = look_up(v)) {
            const auto found =
                std::find_if(known.begin(), known.end(), [&](const Lookup& one) { return same(one, *wanted); });
            const bool may_make = wanted->task != kNone && makes_storage(f_, i);
            if (found != known.end() && (!may_make || found->not_null) && f_.instrs[found->call].region >= i.region) {
                alias_[v] = found->call;
                return true;
            }
            std::erase_if(known,
                          [&](const Lookup& one) { return may_make ? one.map == wanted->map : same(one, *wanted); });
            if (known.size() < kMaxElements)
                known.push_back(*wanted);
            return false;
        }
        forget(i, known);
        return false;
    }

    void forget(const Instr& i, KnownLookups& known)
    {
        if (i.op == Op::CallRuntime || (i.op == Op::CallLocal && !harmless_.has(i.imm)))
            return known.clear();
        if (const ir::HelperEffects* row = ir::effects(i); row && row->map == ir::MapUse::Changes) {
            const bool names_map = !i.args.empty() && f_.instrs[i.args[0]].op == Op::MapRef;
            std::erase_if(known, [&](const Lookup& one) { return !names_map || one.map == f_.instrs[i.args[0]].imm; });
        }
        for (const StackAccess& access : accesses_.of(i))
            if (access.kind != StackAccess::Kind::Reads)
                std::erase_if(known, [&](const Lookup& one) {
                    return one.task == kNone && one.key.slot == access.bytes.slot && access.bytes.low < one.key.high &&
                           one.key.low < access.bytes.high;
                });
    }

    ir::Function& f_;
    StackAccesses accesses_;
    Aliases alias_;
    ReadOnlyFunctions harmless_;
    std::size_t any_ = 0;
};

} // namespace

void reuse_lookups(const ir::Module& module, ir::Function& f)
{
    LookupReuse(module, f).run();
}

} // namespace dt::opt

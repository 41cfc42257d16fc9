// Shares calls that the kernel inlines.
//
// A map lookup, thread storage access or read of the CPU number is one call in the program that is loaded, but several
// instructions after the kernel's inlining. For each such call the kernel moves the rest of the program, which is
// quadratic: 600 clauses took 12 seconds to load. So in a large program each different call moves into a function that
// all users call.
#include "dcompiler/opt/passes.hpp"

#include <map>
#include <tuple>
#include <utility>

#include "dcompiler/ir/helper_effects.hpp"

namespace dt::opt {

using ir::Instr;
using ir::Op;
using ir::Value;

namespace {

// Limit of calls times instructions, at about 20 ns each.
constexpr std::size_t kMostMoved = 2'500'000;

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
    using Argument = std::pair<Op, int64_t>; // Param means a parameter of the caller
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

void share_replaced_calls(ir::Module& module)
{
    std::size_t calls = 0, instructions = 0;
    for (const ir::Function& f : module.functions)
        for (const ir::Block& block : f.blocks) {
            instructions += block.instrs.size();
            for (const Value v : block.instrs)
                calls += is_replaced(f.instrs[v]);
        }
    if (calls * instructions > kMostMoved)
        Sharing(module).run();
}

} // namespace dt::opt

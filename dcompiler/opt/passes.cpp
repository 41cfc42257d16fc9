// List of passes, and changes to a function's control-flow graph that several passes make.
#include "dcompiler/opt/passes.hpp"

#include <algorithm>
#include <functional>

#include "dcompiler/ir/analysis.hpp"
#include "dcompiler/ir/bpf.hpp"

namespace dt {

namespace {

struct Setting {
    uint32_t reach;
};

using FunctionPass = void (*)(const ir::Module&, ir::Function&, Setting);

template <void (*run)(ir::Function&)> void alone(const ir::Module&, ir::Function& f, Setting)
{
    run(f);
}

template <void (*run)(ir::Function&, uint32_t)> void within_reach(const ir::Module&, ir::Function& f, Setting setting)
{
    run(f, setting.reach);
}

template <void (*run)(const ir::Module&, ir::Function&)>
void with_maps(const ir::Module& module, ir::Function& f, Setting)
{
    run(module, f);
}

void combine_loads(const ir::Module& module, ir::Function& f, Setting setting)
{
    // a shorter reach means that the code used too much stack; then this pass, which needs stack, does not run
    if (setting.reach == kUsualReach)
        opt::combine_loads(module, f);
}

void forward_stores(const ir::Module& module, ir::Function& f, Setting setting)
{
    opt::forward_stores(module, f, setting.reach);
}

struct Pass {
    const char* name;
    int level; // lowest optimization level that runs the pass
    FunctionPass run;
};

// The passes, each with the lowest level that runs it. Level 0 has only passes without which the kernel would refuse
// programs. The kernel refuses unreachable code, and its verifier follows both ways of each branch.
constexpr Pass kPasses[] = {
    {"unreachable blocks", 0, alone<opt::remove_unreachable>},
    {"constants", 1, alone<opt::fold>},
    {"branches", 1, alone<opt::simplify_branches>},
    {"common subexpressions", 2, within_reach<opt::common_subexpressions>},
    {"store forwarding", 2, forward_stores},
    {"known elements", 2, with_maps<opt::reuse_lookups>},
    {"implied branches", 2, alone<opt::drop_implied_branches>},
    {"constants again", 2, alone<opt::fold>},
    {"subexpressions again", 2, within_reach<opt::common_subexpressions>},
    {"branches again", 2, alone<opt::simplify_branches>},
    {"merged reads", 2, combine_loads},
    {"divisions", 2, alone<opt::reduce_divisions>},
    {"comparisons", 0, alone<opt::canonicalize_compares>},
    {"dead stores", 2, with_maps<opt::remove_dead_stores>},
    {"dead code", 1, alone<opt::remove_dead_code>},
};

/// Returns the printed IR of each function. Comparing the text before and after a pass shows which functions it has
/// changed.
std::vector<std::string> code_of(const ir::Module& module)
{
    std::vector<std::string> code;
    for (const ir::Function& f : module.functions)
        code.push_back(ir::to_string(f));
    return code;
}

class Recorder {
public:
    Recorder(const ir::Module& module, PassReport& report) : module_(module), report_(report)
    {
        report.passes.clear();
        if (report.with_code)
            report.before = code_ = code_of(module);
    }

    void run(const char* name, const std::function<void()>& pass)
    {
        PassResult result{name, {}, opt::instructions(module_), 0, {}};
        const auto start = std::chrono::steady_clock::now();
        pass();
        result.time = std::chrono::steady_clock::now() - start;
        result.after = opt::instructions(module_);
        if (report_.with_code)
            result.changed = changes();
        report_.passes.push_back(std::move(result));
    }

private:
    std::vector<std::string> changes()
    {
        const std::vector<std::string> before = std::exchange(code_, code_of(module_));
        std::vector<std::string> changed;
        for (std::size_t i = 0; i < code_.size(); ++i)
            if (i >= before.size() || before[i] != code_[i])
                changed.push_back(code_[i]);
        return changed;
    }

    const ir::Module& module_;
    PassReport& report_;
    std::vector<std::string> code_;
};

} // namespace

void optimise(ir::Module& module, int level, uint32_t reach, PassReport* report)
{
    std::optional<Recorder> recorder;
    if (report)
        recorder.emplace(module, *report);
    const auto run = [&](const Pass& pass, ir::Function& f) {
        if (level >= pass.level)
            pass.run(module, f, {reach});
    };
    // if no effects are reported, one function goes through all passes before the next one, while it is in the
    // processor's cache
    if (!recorder)
        for (ir::Function& f : module.functions)
            for (const Pass& pass : kPasses)
                run(pass, f);
    else
        for (const Pass& pass : kPasses)
            if (level >= pass.level)
                recorder->run(pass.name, [&] {
                    for (ir::Function& f : module.functions)
                        run(pass, f);
                });
    const auto share = [&] { opt::outline_inlined_calls(module); };
    recorder ? recorder->run("shared calls", share) : share();
}

namespace opt {

using ir::BlockId;
using ir::Op;

bool is_pure(const ir::Instr& i)
{
    const ir::HelperEffects* helper = ir::effects(i);
    return helper ? helper->steady : ir::has(i.op, ir::kPure);
}

std::size_t instructions(const ir::Module& module)
{
    std::size_t count = 0;
    for (const ir::Function& f : module.functions)
        for (const ir::Block& block : f.blocks)
            count += block.instrs.size();
    return count;
}

bool uses(const ir::Module& module, ir::Op op)
{
    return std::any_of(module.functions.begin(), module.functions.end(), [op](const ir::Function& f) {
        return std::any_of(f.instrs.begin(), f.instrs.end(), [op](const ir::Instr& i) { return i.op == op; });
    });
}

void remove_edge(ir::Function& f, BlockId from, BlockId to)
{
    ir::Block& target = f.blocks[to];
    const auto found = std::find(target.preds.begin(), target.preds.end(), from);
    if (found == target.preds.end())
        return;
    const auto index = found - target.preds.begin();
    target.preds.erase(found);
    for (const ir::Value v : target.instrs) {
        ir::Instr& i = f.instrs[v];
        if (i.op == Op::Phi && index < static_cast<std::ptrdiff_t>(i.args.size()))
            i.args.erase(i.args.begin() + index);
    }
}

void replace_by_jump(ir::Function& f, BlockId block, int target)
{
    ir::Instr& last = f.instrs[f.blocks[block].instrs.back()];
    remove_edge(f, block, last.targets[1 - target]);
    last = {.op = Op::Jump, .targets = {last.targets[target], 0}, .at = last.at};
}

std::vector<uint32_t> count_uses(ir::Function& f)
{
    std::vector<uint32_t> uses(f.instrs.size(), 0);
    for (const ir::Block& block : f.blocks)
        for (const ir::Value v : block.instrs)
            for_each_operand(f.instrs[v], [&](ir::Value& operand) { ++uses[operand]; });
    return uses;
}

void remove_unreachable(ir::Function& f)
{
    std::vector<bool> reached(f.blocks.size(), false);
    for (const BlockId block : ir::reverse_post_order(f))
        reached[block] = true;
    for (BlockId block = 0; block < f.blocks.size(); ++block) {
        if (reached[block])
            continue;
        ir::Block& b = f.blocks[block];
        if (!b.instrs.empty()) {
            const ir::Instr& last = f.instrs[b.instrs.back()];
            for (int t = 0; t < ir::successors(last); ++t)
                remove_edge(f, block, last.targets[t]);
        }
        b.instrs.clear();
        b.preds.clear();
    }
}

} // namespace opt
} // namespace dt

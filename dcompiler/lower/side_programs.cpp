// Adds programs that contain no clauses.
#include "dcompiler/lower/side_programs.hpp"

#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/lower/followed.hpp"

namespace dt::lower {

using ir::Mem;
using ir::Value;

void add_side_program(ModuleLowering& module, ir::Function function, std::shared_ptr<const AttachPlan> plan,
                      const std::vector<PlannedProbe>& probes)
{
    ProgramPlan made{function.name, std::move(plan), {}};
    made.is_beside = !probes.empty();
    for (const PlannedProbe& planned : probes)
        made.probes.push_back(planned.probe->id);
    made.first_function = static_cast<uint32_t>(module.out.module.functions.size());
    module.out.module.functions.push_back(std::move(function));
    made.end_function = static_cast<uint32_t>(module.out.module.functions.size());
    module.out.schema.programs.push_back(std::move(made));
}

void add_tracepoint_program(ModuleLowering& module, const std::string& prefix, const std::string& tracepoint,
                            ProgramKind kind, const std::function<void(ir::Builder&)>& fill)
{
    TypeSource* const types = module.world.running_types();
    const std::string name = prefix + tracepoint;
    if (module.parts.programs.contains(name) || !types ||
        !types->find(*module.program.types, TypeNamespace::Ordinary, "btf_trace_" + tracepoint, ""))
        return;
    AttachPlan plan;
    plan.kind = kind;
    plan.targets = {{tracepoint, 0, 0, nullptr}};
    ir::Function f;
    f.name = name;
    f.section = plan.section();
    f.param_mem = {Mem::Context};
    f.param_region = {0};
    ir::Builder b(f);
    fill(b);
    b.ret(b.constant(0));
    add_side_program(module, std::move(f), std::make_shared<const AttachPlan>(std::move(plan)), {});
}

void add_asking_program(ModuleLowering& module, const AttachPlan& plan)
{
    ir::Function f;
    f.name = "dt_asking_" + std::to_string(module.out.schema.programs.size());
    f.section = plan.asking->kind_info().section;
    f.param_mem = {Mem::Context};
    f.param_region = {0};
    ir::Builder b(f);
    const ir::BlockId leave = b.block();
    if (plan.asking->fires_in == FiresIn::Tree)
        origin_of(module, b, b.binary(ir::Op::LShr, b.call_helper(kGetCurrentPidTgid, {}), b.constant(32)), leave);
    const Value one = b.stack_addr(b.slot(8));
    b.store(8, one, 0, b.constant(1));
    const Value flag = b.load(8, b.param(0), plan.asking->arguments[0].index * 8);
    b.call_helper(kProbeWriteUser,
                  {flag, one, b.constant(4)}); // uint32_t; if it cannot be written, the process sees a disabled probe
    b.jump(leave);
    b.enter(leave);
    b.ret(b.constant(0));
    add_side_program(module, std::move(f), plan.asking, plan.probes);
}

} // namespace dt::lower

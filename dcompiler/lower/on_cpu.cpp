// Generates the program at sched_switch that vtimestamp needs. It exists only if a script reads vtimestamp.
#include "dcompiler/lower/on_cpu.hpp"

#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/lower/hooks.hpp"
#include "dcompiler/lower/side_programs.hpp"

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

void add_on_cpu_program(ModuleLowering& module)
{
    // include/trace/events/sched.h: sched_switch(bool preempt, struct task_struct *prev, struct task_struct *next, …).
    // It is called after the scheduler has accounted prev's time and before next runs.
    constexpr int64_t kNext = 2 * 8;
    constexpr int64_t kTask = 0, kHad = 8, kSince = 16;
    AttachPlan plan;
    plan.kind = ProgramKind::RawTracepoint;
    plan.targets = {{"sched_switch", 0, 0, nullptr}};

    ir::Function f;
    f.name = kOnCpuProgram;
    f.section = plan.section();
    f.param_mem = {Mem::Context};
    f.param_region = {0};
    ir::Builder b(f);
    const Value key = b.stack_addr(b.slot(8));
    b.store(8, key, 0, b.constant(0));
    const uint32_t map = module.maps.per_cpu(kOnCpuMap, kOnCpuSize);
    const Value next = b.load(8, b.param(0), kNext);
    const Value found = b.call_helper(kMapLookup, {b.map_ref(map), key}, Mem::MapOrNull, kOnCpuSize);
    b.if_then(Op::Ne, found, b.constant(0), [&] {
        const Value cpu = b.not_null(found);
        const Value had = b.binary(Op::Add, cpu, b.constant(kHad));
        b.instr(had).mem = Mem::MapValue;
        b.instr(had).region = 8;
        const Value runtime =
            b.constant(static_cast<int64_t>(kernel_offset(module, "task_struct", kRuntimeMember).value_or(0)));
        b.call_helper(kProbeReadKernel, {had, b.constant(8), b.binary(Op::Add, next, runtime)});
        b.store(8, cpu, kSince, b.call_helper(kKtimeGetNs, {}));
        b.store(8, cpu, kTask, next);
    });
    b.ret(b.constant(0));

    add_side_program(module, std::move(f), std::make_shared<const AttachPlan>(std::move(plan)), {});
}

} // namespace dt::lower

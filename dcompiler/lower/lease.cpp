#include "dcompiler/lower/lease.hpp"

#include <cstddef>
#include <memory>
#include <utility>

#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/lower/side_programs.hpp"

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

void add_lease_program(ModuleLowering& module)
{
    AttachPlan plan;
    plan.kind = ProgramKind::PerfEvent;
    plan.has_link = true;
    plan.targets = {{"1000000000:one", 0, 0, nullptr}};

    ir::Function f;
    f.name = "dt_lease";
    f.section = plan.section();
    f.param_mem = {Mem::Context};
    f.param_region = {0};
    ir::Builder b(f);
    const Value state = b.data_addr(module.data.state(), sizeof(dt_state));
    const Value lease = b.load(8, state, offsetof(dt_state, lease));
    b.if_then(Op::Ne, lease, b.constant(0), [&] {
        b.if_then(Op::ULt, lease, b.call_helper(kKtimeGetNs, {}),
                  [&] { b.store(4, state, offsetof(dt_state, activity), b.constant(DT_DRAINING)); });
    });
    b.ret(b.constant(0));
    add_side_program(module, std::move(f), std::make_shared<const AttachPlan>(std::move(plan)), {});
}

} // namespace dt::lower

// Speculations: samples of a speculating clause carry its id and the consumer puts them aside. The state of each id is in a data section
// that the consumer maps (abi.h); the kernel side only moves it forward: inactive, active, draining.
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/hooks.hpp"

#include <algorithm>
#include <cstddef>

namespace dt::lower {

using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

Value ClauseLowering::speculation_state(Value id, ir::BlockId none)
{
    const uint32_t specs = module().spec_data();
    const uint32_t size = module().out.module.data[specs].size;
    const Value index = b().binary(Op::Sub, id, b().constant(1));
    const ir::BlockId good = b().block();
    const uint64_t ids = std::min<uint64_t>(size / sizeof(dt_spec), module().options.nspec); // of none there is still one to lay out
    b().branch(Op::ULt, index, b().constant(static_cast<int64_t>(ids)), good, none); // also refuses 0 and negative ids
    b().enter(good);
    const Value address = b().binary(Op::Add, b().data_addr(specs, size), b().binary(Op::Mul, index, b().constant(sizeof(dt_spec))));
    b().instr(address).mem = Mem::MapValue;
    b().instr(address).region = sizeof(dt_spec);
    return address;
}

/// Counted before the sample is written, so that the consumer never frees an id while one is on its way.
void ClauseLowering::count_speculated(Value by)
{
    const ir::BlockId done = b().block();
    b().atomic_add(8, speculation_state(speculation, done), offsetof(dt_spec, written), by);
    b().jump(done);
    b().enter(done);
}

Operand lower_speculation(ClauseLowering& l, const TExpr&)
{
    auto& b = l.b();
    if (l.module().options.nspec == 0) {
        l.lose(Loss::SpecUnavailable);
        return number(b.constant(0));
    }
    const uint32_t specs = l.module().spec_data();
    const uint32_t size = l.module().out.module.data[specs].size;
    // Positive: the id. 0: none is free; -1: none is free but some are being drained.
    const Value found = b.call_runtime("dt_speculation", {b.data_addr(specs, size), b.constant(size / sizeof(dt_spec))});
    const ir::BlockId got = b.block(), none = b.block(), busy = b.block(), full = b.block(), join = b.block();
    b.branch(Op::SLt, b.constant(0), found, got, none);
    b.enter(got);
    b.jump(join);
    b.enter(none);
    b.branch(Op::SLt, found, b.constant(0), busy, full);
    b.enter(busy);
    l.lose(Loss::SpecBusy);
    const Value zero = b.constant(0);
    b.jump(join);
    b.enter(full);
    l.lose(Loss::SpecUnavailable);
    const Value nothing = b.constant(0);
    b.jump(join);
    b.enter(join);
    return number(b.phi({found, zero, nothing}));
}

void lower_speculate(ClauseLowering& l, const TStmt& s)
{
    auto& b = l.b();
    const Value id = l.value(*s.args[0]);
    const ir::BlockId dead = b.block(), live = b.block();
    const Value state = l.speculation_state(id, dead);
    b.branch(Op::Eq, b.load(8, state, offsetof(dt_spec, state)), b.constant(DT_SPEC_ACTIVE), live, dead);
    b.enter(dead);
    l.abandon();
    b.enter(live);
    l.speculation = id;
}

/// commit() and discard(): an active id starts to drain; the record carries the id, or 0 when there is nothing to do.
void lower_commit(ClauseLowering& l, const TStmt& s)
{
    auto& b = l.b();
    l.add_record(s.action);
    const std::size_t index = l.schema().records.size() - 1;
    const Datum datum = l.reserve(Datum::Kind::Signed, 4, 4);
    const Value id = l.value(*s.args[0]);
    const ir::BlockId bad = b.block(), nothing = b.block(), started = b.block(), join = b.block(), named = b.block();
    b.branch(Op::Eq, id, b.constant(0), nothing, named);
    b.enter(named);
    const Value state = l.speculation_state(id, bad);
    const Value old = b.atomic_cas(8, state, offsetof(dt_spec, state), b.constant(DT_SPEC_ACTIVE), b.constant(DT_SPEC_DRAINING));
    b.branch(Op::Eq, old, b.constant(DT_SPEC_ACTIVE), started, nothing);
    b.enter(bad);
    l.fault(kFaultIllegalOperation, b.constant(0));
    b.enter(started);
    b.jump(join);
    b.enter(nothing);
    const Value zero = b.constant(0);
    b.jump(join);
    b.enter(join);
    b.store(4, l.sample(), ClauseLowering::sample_offset(datum), b.phi({id, zero}));
    l.schema().records[index].data.push_back(datum);
}

} // namespace dt::lower

// Speculations: samples of a speculating clause carry its serial number and the consumer puts them aside. Which id has which serial is in a
// data section that the consumer maps (abi.h): speculation() puts one there, commit() and discard() take it off, and the id is free again.
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/hooks.hpp"

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
    b().branch(Op::ULt, index, b().constant(size / sizeof(dt_spec) - 1), good, none); // also refuses 0 and negative ids
    b().enter(good);
    const Value first = b().binary(Op::Add, b().data_addr(specs, size), b().constant(sizeof(dt_spec)));
    const Value address = b().binary(Op::Add, first, b().binary(Op::Mul, index, b().constant(sizeof(dt_spec))));
    b().instr(address).mem = Mem::MapValue;
    b().instr(address).region = sizeof(dt_spec);
    return address;
}

Operand lower_speculation(ClauseLowering& l, const TExpr&)
{
    auto& b = l.b();
    const uint32_t specs = l.module().spec_data();
    const uint32_t size = l.module().out.module.data[specs].size;
    const Value found = b.call_runtime("dt_speculation", {b.data_addr(specs, size), b.constant(size / sizeof(dt_spec) - 1)});
    const ir::BlockId none = b.block(), join = b.block();
    b.branch(Op::Eq, found, b.constant(0), none, join);
    b.enter(none);
    l.lose(Loss::SpecUnavailable);
    b.jump(join);
    b.enter(join);
    return number(found);
}

void lower_speculate(ClauseLowering& l, const TStmt& s)
{
    auto& b = l.b();
    const Value id = l.value(*s.args[0]);
    const ir::BlockId dead = b.block(), live = b.block();
    const Value state = l.speculation_state(id, dead);
    const Value serial = b.load(8, state, offsetof(dt_spec, serial));
    b.branch(Op::Ne, serial, b.constant(0), live, dead);
    b.enter(dead);
    l.abandon();
    b.enter(live);
    l.speculation = serial;
}

/// commit() and discard(): the serial number is taken off the id and recorded, or 0 when there is nothing to do.
void lower_commit(ClauseLowering& l, const TStmt& s)
{
    auto& b = l.b();
    l.add_record(s.action);
    const std::size_t index = l.schema().records.size() - 1;
    const Datum datum = l.reserve(Datum::Kind::Unsigned, 4, 4);
    const Value id = l.value(*s.args[0]);
    const ir::BlockId bad = b.block(), nothing = b.block(), ended = b.block(), join = b.block(), named = b.block();
    b.branch(Op::Eq, id, b.constant(0), nothing, named);
    b.enter(named);
    const Value state = l.speculation_state(id, bad);
    const Value serial = b.load(8, state, offsetof(dt_spec, serial));
    const Value old = b.atomic_cas(8, state, offsetof(dt_spec, serial), serial, b.constant(0));
    b.branch(Op::Eq, old, serial, ended, nothing); // else another CPU was faster
    b.enter(bad);
    l.fault(kFaultIllegalOperation, b.constant(0));
    b.enter(ended);
    b.jump(join);
    b.enter(nothing);
    const Value zero = b.constant(0);
    b.jump(join);
    b.enter(join);
    b.store(4, l.sample(), ClauseLowering::sample_offset(datum), b.phi({serial, zero}));
    l.schema().records[index].data.push_back(datum);
}

} // namespace dt::lower

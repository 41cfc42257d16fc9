// Lowers speculations. Samples of a speculating clause contain its serial number, and the consumer holds them back. A
// data section that the consumer maps (abi.h) assigns serials to ids: speculation() stores one, commit() and discard()
// remove it, and the id is free again.
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
    const uint32_t specs = module().data.speculations();
    const uint32_t size = module().out.module.data[specs].size;
    const Value index = b().binary(Op::Sub, id, b().constant(1));
    const ir::BlockId good = b().block();
    b().branch(Op::ULt, index, b().constant(size / sizeof(dt_spec) - 1), good, none); // also rejects 0 and negative ids
    b().enter(good);
    const Value first = b().binary(Op::Add, b().data_addr(specs, size), b().constant(sizeof(dt_spec)));
    const Value address = b().binary(Op::Add, first, b().binary(Op::Mul, index, b().constant(sizeof(dt_spec))));
    b().instr(address).mem = Mem::MapValue;
    b().instr(address).region = sizeof(dt_spec);
    return address;
}

/// Stores the serial number in the sample's header at speculate(), because only the header shows which arms of the
/// clause ran. Until the sample is sent, the field for its size contains the id.
void ClauseLowering::begin_speculation(Value id, Value serial)
{
    b().store(4, sample_, offsetof(dt_sample, spec), serial);
    b().store(4, sample_, offsetof(dt_sample, size), id);
    if (speculating_ == Speculating::No)
        speculating_ = arms_ == 0 ? Speculating::Yes : Speculating::Perhaps;
}

Value ClauseLowering::speculation()
{
    return b().load(4, sample_, offsetof(dt_sample, spec));
}

Value ClauseLowering::speculation_id()
{
    return b().load(4, sample_, offsetof(dt_sample, size));
}

void ClauseLowering::count_speculated(Value id, int64_t samples, Value time)
{
    if (!speculates())
        return;
    const ir::BlockId done = b().block();
    const Value state = speculation_state(id, done);
    b().atomic_add(8, state, offsetof(dt_spec, bytes), b().constant(samples * needs_.sample));
    if (time != kNone)
        b().store(8, state, offsetof(dt_spec, time), time);
    b().jump(done);
    b().enter(done);
}

/// Yields the sample's time if the clause has read a clock or need not read one. Otherwise it yields kNone, and the
/// clock is read after the sample has its place: reading it is the most expensive part of a record. Speculative samples
/// store their time in the speculation. A sample that only discards gets that time, so that a merge places it directly
/// after the discarded samples.
Value ClauseLowering::time_of_sample()
{
    if (const Value read = known("timestamp"); read != kNone || parts_)
        return read;
    if (speculates())
        return b().call_helper(kKtimeGetNs, {});
    if (ended_at_ == kNone || !schema_.only_discards())
        return kNone;
    return b().select(
        Op::Ne, ended_at_, b().constant(0), [this] { return ended_at_; },
        [this] { return b().call_helper(kKtimeGetNs, {}); });
}

/// Ends the clause at a recording action that would exceed specsize.
void ClauseLowering::end_when_full()
{
    if (!speculates())
        return;
    const ir::BlockId fits = b().block(), full = b().block();
    const Value kept = b().load(8, speculation_state(speculation_id(), fits), offsetof(dt_spec, bytes));
    const auto fresh = static_cast<int64_t>(sizeof(dt_sample) + align_up(data_size_, 8));
    b().branch(Op::ULt, b().constant(static_cast<int64_t>(module().options.specsize)),
               b().binary(Op::Add, kept, b().constant(fresh)), full, fits);
    b().enter(full);
    lose(Loss::Speculation);
    abandon();
    b().enter(fits);
}

/// Counts the loss of a sample for which the buffer has no room.
void ClauseLowering::lose_sample(Value id)
{
    count_speculated(id, -1);
    if (speculating_ != Speculating::Perhaps)
        return lose(speculates() ? Loss::Speculation : Loss::Principal);
    b().if_else(
        Op::Eq, speculation(), b().constant(0), [this] { lose(Loss::Principal); }, [this] { lose(Loss::Speculation); });
}

Operand lower_speculation(ClauseLowering& l, const TExpr&)
{
    auto& b = l.b();
    if (l.module().options.nspec == 0) {
        l.lose(Loss::SpecUnavailable);
        return number(b.constant(0));
    }
    const uint32_t specs = l.module().data.speculations();
    const uint32_t size = l.module().out.module.data[specs].size;
    const Value found =
        b.call_runtime("dt_speculation", {b.data_addr(specs, size), b.constant(size / sizeof(dt_spec) - 1)});
    b.if_then(Op::Eq, found, b.constant(0), [&] { l.lose(Loss::SpecUnavailable); });
    return number(found);
}

void lower_speculate(ClauseLowering& l, const TStmt& s)
{
    auto& b = l.b();
    const Value id = l.expressions.value(*s.args[0]);
    const ir::BlockId dead = b.block(), live = b.block();
    const Value state = l.speculation_state(id, dead);
    const Value serial = b.load(8, state, offsetof(dt_spec, serial));
    b.branch(Op::Ne, serial, b.constant(0), live, dead);
    b.enter(dead);
    l.abandon();
    b.enter(live);
    l.begin_speculation(id, serial);
}

namespace {

/// Decrements the number of used ids (abi.h).
void give_back_speculation(ClauseLowering& l)
{
    if (l.module().options.nspec <= 1)
        return;
    auto& b = l.b();
    const uint32_t specs = l.module().data.speculations();
    const uint32_t size = l.module().out.module.data[specs].size;
    b.atomic_add(8, b.data_addr(specs, size), offsetof(dt_spec, bytes), b.constant(-1));
}

} // namespace

/// Lowers commit() and discard(): removes the serial number from the id and records it, or records 0 if there is
/// nothing to do.
void lower_commit(ClauseLowering& l, const TStmt& s)
{
    auto& b = l.b();
    l.add_record(s.action);
    const std::size_t index = l.schema().records.size() - 1;
    const Datum datum = l.reserve(Datum::Kind::Unsigned, 4, 4);
    const Value id = l.expressions.value(*s.args[0]);
    const ir::BlockId bad = b.block(), nothing = b.block(), taken = b.block(), ended = b.block(), join = b.block(),
                      named = b.block();
    b.branch(Op::Eq, id, b.constant(0), nothing, named);
    b.enter(named);
    const Value state = l.speculation_state(id, bad);
    const Value serial = b.load(8, state, offsetof(dt_spec, serial)), time = b.load(8, state, offsetof(dt_spec, time));
    b.branch(Op::Ne, serial, b.constant(0), taken, nothing);
    b.enter(taken);
    const Value old = b.atomic_cas(8, state, offsetof(dt_spec, serial), serial, b.constant(0));
    b.branch(Op::Eq, old, serial, ended, nothing); // otherwise another CPU was faster
    b.enter(bad);
    l.fault(kFaultIllegalOperation, b.constant(0));
    b.enter(ended);
    give_back_speculation(l);
    b.jump(join);
    b.enter(nothing);
    const Value zero = b.constant(0);
    b.jump(join);
    b.enter(join);
    l.ends_speculation(b.phi({time, zero}));
    b.store(4, l.sample(), ClauseState::sample_offset(datum), b.phi({serial, zero}));
    l.schema().records[index].data.push_back(datum);
}

} // namespace dt::lower

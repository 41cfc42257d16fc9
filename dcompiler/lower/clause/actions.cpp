// Lowers actions. An action's code writes data into the sample, which is the record of a firing, and the schema
// describes the data. The consumer does everything else.
#include <algorithm>
#include <cstddef>

#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/clause/thread_time.hpp"
#include "dcompiler/lower/core/hooks.hpp"

namespace dt::lower {

void Actions::action(const TStmt& s)
{
    hook (*s.action)(clause, s);
    if (s.action->has(kRecords))
        clause.end_when_full();
}

Datum Actions::record(const TExpr& e)
{
    if (const int which = probe_component_index(e); which >= 0) {
        const Operand name = clause.builtins.probe_component(which);
        const Datum datum = clause.reserve(Datum::Kind::Name, 4, 4);
        const Value id =
            name.kind == Operand::Kind::Number ? name.value : b().constant(module().layout.name_id(name.text));
        b().store(4, clause.sample(), ClauseState::sample_offset(datum), id);
        clause.fills(datum);
        return datum;
    }
    if (const RecordedText text = recorded_text(e)) {
        const Value number = clause.expressions.value(e);
        Datum datum = module().layout.recorded_datum(text);
        datum.offset = clause.reserve(datum.kind, datum.size, 8).offset;
        b().store(8, clause.sample(), ClauseState::sample_offset(datum), number);
        clause.fills(datum);
        return datum;
    }
    if (e.type->is_string()) {
        const uint32_t size = align_up(std::max<uint32_t>(clause.values.text_size(e.type), 1), 8);
        const Datum datum = clause.reserve(e.type, size, 8);
        clause.expressions.text_into(e, clause.sample(), ClauseState::sample_offset(datum), size, false);
        if (is_thread_name(e) && size == kThreadName && clause.values.fits_thread_name())
            clause.fills(datum);
        return datum;
    }
    const Operand operand = clause.expressions.expression(e);
    const uint32_t size = module().layout.storage_size(e.type);
    if (operand.kind == Operand::Kind::Number) {
        const uint32_t width = size >= 8 ? 8 : size >= 4 ? 4 : size >= 2 ? 2 : 1;
        const Datum datum = clause.reserve(e.type, width, width);
        b().store(static_cast<uint8_t>(width), clause.sample(), ClauseState::sample_offset(datum), operand.value);
        clause.fills(datum);
        return datum;
    }
    const Datum datum = clause.reserve(e.type, size, 8);
    Place from;
    from.address = from.origin = operand.value;
    from.mem = operand.mem;
    from.type = e.type;
    clause.memory.copy_bytes(from, clause.sample(), ClauseState::sample_offset(datum), size);
    return datum;
}

// ---- functions that lower the actions; the table in hooks.cpp refers to them --------------------------------------

/// Lowers actions that record their values, in order, for the consumer: trace, printf, system, freopen, normalize,
/// trunc, …
void lower_recorded(ClauseLowering& l, const TStmt& s)
{
    Record& record = l.add_record(s.action);
    record.has_format = s.has_format;
    record.format = s.format;
    for (const Aggregation* aggregation : s.aggregations)
        record.aggregations.push_back(aggregation->id);
    // When a value is evaluated, the schema's vector of records may grow and move in memory, but the index of the
    // current record stays valid.
    const std::size_t index = l.schema().records.size() - 1;
    for (const TExpr* e : s.args) {
        const Datum datum = l.actions.record(*e);
        l.schema().records[index].data.push_back(datum);
    }
}

void lower_exit(ClauseLowering& l, const TStmt& s)
{
    lower_recorded(l, s);
    const Datum status = l.schema().records.back().data[0];
    l.stop_tracing(l.b().load(static_cast<uint8_t>(status.size), l.sample(), ClauseState::sample_offset(status)));
}

/// Lowers setopt(). If all its argument strings are constant, the schema contains them; otherwise the sample records
/// every argument.
void lower_setopt(ClauseLowering& l, const TStmt& s)
{
    if (std::any_of(s.args.begin(), s.args.end(), [](const TExpr* e) { return e->op != TOp::String; }))
        return lower_recorded(l, s);
    Record& record = l.add_record(s.action);
    for (const TExpr* e : s.args)
        record.texts.push_back(e->text);
}

void lower_tracemem(ClauseLowering& l, const TStmt& s)
{
    auto& b = l.b();
    l.add_record(s.action);
    const std::size_t index = l.schema().records.size() - 1;
    // Objects in records are far smaller than this limit; it only excludes invalid sizes.
    const uint32_t size = static_cast<uint32_t>(std::clamp<int64_t>(s.args[1]->value, 1, 1 << 24));
    Place from;
    from.address = from.origin = l.expressions.value(*s.args[0]);
    const Type* real = s.args[0]->type->resolve();
    from.mem = real->kind == TypeKind::Pointer && real->space == AddressSpace::User ? Mem::User : Mem::Kernel;
    const Datum bytes = l.reserve(Datum::Kind::Bytes, size, 8);
    l.memory.copy_bytes(from, l.sample(), ClauseState::sample_offset(bytes), size);
    l.schema().records[index].data.push_back(bytes);
    if (s.args.size() > 2) {
        const Datum limit = l.reserve(Datum::Kind::Signed, 8, 8);
        b.store(8, l.sample(), ClauseState::sample_offset(limit), l.expressions.value(*s.args[2]));
        l.schema().records[index].data.push_back(limit);
    }
}

/// Returns the largest value that option printsize can have at run time, when setopt() can change it.
uint64_t largest_printsize(const ModuleLowering& module)
{
    uint64_t largest = module.options.printsize;
    for (const TStmt& s : module.program.stmts) {
        if (s.kind != TStmtKind::Action || !s.action->has(kSetsOption))
            continue;
        const bool known =
            std::all_of(s.args.begin(), s.args.end(), [](const TExpr* e) { return e->op == TOp::String; });
        if (!known)
            return UINT64_MAX;
        if (s.args.size() > 1)
            largest = std::max(largest, printsize_by_setopt(s.args[0]->text, s.args[1]->text).value_or(0));
    }
    return largest;
}

namespace {

/// Emits code that records an object, with room for the largest value that option printsize can have.
Datum printed_object(ClauseLowering& l, const Place& from, const Type* type)
{
    const uint32_t most =
        align_up(static_cast<uint32_t>(std::min<uint64_t>(largest_printsize(l.module()), 1u << 15)), 8);
    const uint32_t size = std::clamp<uint32_t>(static_cast<uint32_t>(type->resolve()->size), 1, most);
    Datum object = l.reserve(Datum::Kind::Bytes, size, 8);
    object.type = type;
    l.memory.copy_bytes(from, l.sample(), ClauseState::sample_offset(object), size);
    return object;
}

/// Emits code that records a value that is not a pointer as one datum.
Datum printed_value(ClauseLowering& l, const TExpr& e)
{
    const Type* real = e.type->resolve();
    if (real->kind != TypeKind::Array && !real->is_record()) {
        Datum datum = l.actions.record(e);
        datum.type = e.type;
        return datum;
    }
    const Operand object = l.expressions.expression(e);
    Place from;
    from.address = from.origin = object.value;
    from.mem = object.mem;
    return printed_object(l, from, e.type);
}

} // namespace

/// Lowers print(): records a value, or a pointer and the object it points to.
void lower_print(ClauseLowering& l, const TStmt& s)
{
    auto& b = l.b();
    l.add_record(s.action);
    const std::size_t index = l.schema().records.size() - 1;
    const Type* pointer = s.args[0]->type->resolve();
    if (pointer->kind != TypeKind::Pointer) {
        const Datum value = printed_value(l, *s.args[0]);
        l.schema().records[index].data.push_back(value);
        return;
    }
    const Operand address = l.expressions.expression(*s.args[0]);
    const Datum where = l.reserve(Datum::Kind::Unsigned, 8, 8);
    b.store(8, l.sample(), ClauseState::sample_offset(where), address.value);
    l.schema().records[index].data.push_back(where);

    Place from;
    from.address = from.origin = address.value;
    from.mem = pointer->space == AddressSpace::User ? Mem::User : Mem::Kernel;
    const Datum object = printed_object(l, from, pointer->target);
    l.schema().records[index].data.push_back(object);
}

/// Lowers stack(), sym() and similar actions that are statements and not values: writes the stack or address directly
/// into the sample.
void lower_address(ClauseLowering& l, const TStmt& s)
{
    l.add_record(s.action);
    const std::size_t index = l.schema().records.size() - 1;
    const Datum form = address_datum(*s.action, frames_of(l.module().options, *s.action, s.args));
    Datum datum = l.reserve(form.kind, form.size, 8);
    datum.address = form.address;
    datum.limit = frame_limit_of(l.module().options, *s.action, s.args);
    l.actions.address_into(*s.action, s.args, datum, l.sample(), ClauseState::sample_offset(datum));
    l.schema().records[index].data.push_back(datum);
}

/// Writes a stack or an address to `dst`, in the form that records have. The space for frames is zeroed first, so that
/// a shorter stack ends with 0. `dst` may have more space than this action needs, if it is a key of an aggregation that
/// also records deeper stacks.
void Actions::address_into(const Action& action, const std::vector<TExpr*>& args, const Datum& datum, Value dst,
                           int64_t offset)
{
    const Datum own = address_datum(action, frames_of(module().options, action, args));
    const bool user = action.has(kOfProcess);
    const uint32_t head = user ? 8 : 0;
    const Value address = action.has(kStack) ? kNone : clause.expressions.value(*args[0]);
    if (action.has(kStack))
        clause.values.zero(dst, offset, datum.size);
    if (action.has(kOfWaker))
        return waker_stack_into(clause, user, (own.size - head) / 8, dst, offset);
    if (user)
        b().store(8, dst, offset, clause.builtins.process_id());
    if (action.has(kStack))
        return clause.stacks.stack_into(action, (own.size - head) / 8, dst, offset + head);
    b().store(8, dst, offset + head, address);
    // If uses of the key have different actions, such as sym() and mod(), the key has one more word, which contains the
    // action of this use.
    if (datum.size > own.size)
        b().store(8, dst, offset + own.size, b().constant(static_cast<int64_t>(own.address)));
}

// Lowers actions that change the observed system: raise, stop, chill, return. Semantic analysis has checked that -w is
// set.

namespace {

constexpr int64_t kSigStop = 19; // number of SIGSTOP on every machine except alpha, mips, parisc and sparc

} // namespace

void lower_raise(ClauseLowering& l, const TStmt& s)
{
    l.add_record(s.action);
    l.b().call_helper(kSendSignal, {l.expressions.value(*s.args[0])});
}

void lower_stop(ClauseLowering& l, const TStmt& s)
{
    l.add_record(s.action);
    l.b().call_helper(kSendSignal, {l.b().constant(kSigStop)});
}

void lower_chill(ClauseLowering& l, const TStmt& s)
{
    constexpr uint32_t kAccountSize = 16; // size of struct account in bpf-runtime/processes/chill.bpf.c
    auto& b = l.b();
    l.add_record(s.action);
    const Value ns = l.expressions.value(*s.args[0]);
    const Value refused =
        b.call_runtime("dt_chill", {cpu_value(l, l.module().maps.per_cpu("chill", kAccountSize)), ns});
    l.fault_if(Op::Ne, refused, b.constant(0), kFaultIllegalOperation, b.constant(0));
}

/// Lowers return(n), which makes the traced function return n without running. n must be 0 or a negative error number;
/// other values cause a fault.
void lower_return(ClauseLowering& l, const TStmt& s)
{
    constexpr int64_t kMaxErrno = 4095; // the kernel's MAX_ERRNO (include/linux/err.h)
    auto& b = l.b();
    const Value n = l.expressions.value(*s.args[0]);
    l.fault_if(Op::ULt, b.constant(kMaxErrno), b.unary(Op::Neg, n), kFaultIllegalOperation, b.constant(0));
    b.call_helper(kOverrideReturn, {l.context().context, n});
}

// Lowers pcap(skb, proto): records the linear part of a network packet with the fields that a capture file needs
// (dtrace-actions(7), pcap).

namespace {

// Maximum size in bytes of a captured packet, and largest value of option pcapsize.
constexpr uint32_t kMaxBytes = 65536;

Value read_field(ClauseLowering& l, Value skb, int64_t offset, uint8_t width)
{
    Place from;
    from.address = from.origin = skb;
    from.offset = offset;
    const Value word = l.stack_temporary(8);
    l.memory.copy_bytes(from, word, 0, width);
    const Value read = l.b().load(width, word);
    l.release_stack(8);
    return read;
}

/// Copies at most the first `room` bytes of the packet to `dst` and yields their number; 0 if `skb` is NULL.
Value capture(ClauseLowering& l, const TStmt& s, Value skb, Value dst, uint32_t room)
{
    auto& b = l.b();
    const auto field = [&](std::string_view member, uint8_t width) {
        return read_field(l, skb, needed_offset(l, s.at, "pcap( )", "sk_buff", member), width);
    };
    const ir::BlockId some = b.block(), none = b.block(), join = b.block();
    b.branch(Op::Ne, skb, b.constant(0), some, none);
    b.enter(none);
    const Value nothing = b.constant(0);
    b.jump(join);
    b.enter(some);
    const Value apart = field("data_len", 4);
    const Value linear = b.unary(Op::ZExt, b.binary(Op::Sub, field("len", 4), apart), 4);
    const Value length = l.values.at_most(linear, room);
    const Value data = field("data", 8);
    const Value failed = b.call_helper(kProbeReadKernel, {dst, length, data});
    l.fault_if(Op::SLt, failed, b.constant(0), kFaultBadAddress, data);
    b.jump(join);
    b.enter(join);
    return b.phi({nothing, length});
}

} // namespace

void lower_pcap(ClauseLowering& l, const TStmt& s)
{
    auto& b = l.b();
    l.add_record(s.action);
    const std::size_t index = l.schema().records.size() - 1;
    const uint32_t room = static_cast<uint32_t>(std::clamp<uint64_t>(l.module().options.pcapsize, 1, kMaxBytes));
    const Value skb = l.expressions.value(*s.args[0]), proto = l.expressions.value(*s.args[1]);
    const Datum time = l.reserve(Datum::Kind::Unsigned, 8, 8), length = l.reserve(Datum::Kind::Unsigned, 4, 4);
    const Datum kind = l.reserve(Datum::Kind::Unsigned, 4, 4),
                bytes = l.reserve(Datum::Kind::Bytes, align_up(room, 8), 8);
    const auto at = [&](const Datum& datum) { return ClauseState::sample_offset(datum); };
    b.store(8, l.sample(), at(time), b.call_helper(kKtimeGetBootNs, {}));
    b.store(4, l.sample(), at(kind), proto);
    const Value captured = capture(l, s, skb, l.values.interior(l.sample(), at(bytes), room), room);
    b.store(4, l.sample(), at(length), captured);
    for (const Datum& datum : {time, length, kind, bytes})
        l.schema().records[index].data.push_back(datum);
}

// Lowers speculations. While a clause speculates, its samples contain the serial number of the speculation, and the
// consumer holds these samples until commit(). The table of struct dt_spec, which the consumer maps too, has the serial
// number for each speculation id. speculation() stores a serial number; commit() and discard() remove it, so that the
// id is free again.

Value ClauseLowering::speculation_state(Value id, ir::BlockId none)
{
    const uint32_t specs = module().data.speculations();
    const uint32_t size = module().out.module.data[specs].size;
    const Value index = b().binary(Op::Sub, id, b().constant(1));
    const ir::BlockId good = b().block();
    // For an id of 0 or less, this unsigned index is very large. So one comparison refuses all invalid ids.
    b().branch(Op::ULt, index, b().constant(size / sizeof(dt_spec) - 1), good, none);
    b().enter(good);
    const Value first = b().binary(Op::Add, b().data_addr(specs, size), b().constant(sizeof(dt_spec)));
    const Value address = b().binary(Op::Add, first, b().binary(Op::Mul, index, b().constant(sizeof(dt_spec))));
    b().instr(address).mem = Mem::MapValue;
    b().instr(address).region = sizeof(dt_spec);
    return address;
}

/// Emits the code of speculate(): stores the serial number in the sample's header. The number is stored at run time,
/// because speculate() may be in a branch of an `if` that is not taken. Until the sample is sent, its field `size`
/// contains the id.
void ClauseLowering::begin_speculation(Value id, Value serial)
{
    b().store(4, sample_, offsetof(dt_sample, spec), serial);
    b().store(4, sample_, offsetof(dt_sample, size), id);
    if (speculating_ == Speculating::No)
        speculating_ = arms_ == 0 ? Speculating::Yes : Speculating::Maybe;
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

/// Yields the sample's time if the clause has read a clock, or must read one now. Otherwise yields kNone: reading a
/// clock is the most expensive part of a record, so it is read only when a buffer has space for the sample. The time of
/// a speculative sample is also stored in struct dt_spec. A sample that only discards a speculation gets the time of
/// the speculation's last sample. So sorting by time places it directly behind the discarded samples.
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

/// Ends the clause if an action's record would exceed the limit of a speculation, option specsize.
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
    count_loss(Loss::Speculation);
    abandon();
    b().enter(fits);
}

/// Emits code that counts the loss of a sample for which the buffer has no room. If the sample is speculative, its
/// bytes are also subtracted from the speculation's size.
void ClauseLowering::drop_sample(Value id)
{
    count_speculated(id, -1);
    if (speculating_ != Speculating::Maybe)
        return count_loss(speculates() ? Loss::Speculation : Loss::Principal);
    b().if_else(
        Op::Eq, speculation(), b().constant(0), [this] { count_loss(Loss::Principal); },
        [this] { count_loss(Loss::Speculation); });
}

Operand lower_speculation(ClauseLowering& l, const TExpr& e)
{
    constexpr uint64_t kMaxWithoutLoops = 2048; // maximum number of speculations on kernels without bpf_loop()
    auto& b = l.b();
    if (!l.module().world.features().bpf_loop && l.module().options.nspec > kMaxWithoutLoops)
        l.module().diagnostics.error("D_UNKNOWN", e.at,
                                     "more than 2048 speculations need bpf_loop( ), which this kernel lacks (Linux "
                                     "5.17 or later); use -x nspec=2048 or less");
    if (l.module().options.nspec == 0) {
        l.count_loss(Loss::SpecUnavailable);
        return number(b.constant(0));
    }
    const uint32_t specs = l.module().data.speculations();
    const uint32_t size = l.module().out.module.data[specs].size;
    const Value found =
        b.call_runtime("dt_speculation", {b.data_addr(specs, size), b.constant(size / sizeof(dt_spec) - 1)});
    b.if_then(Op::Eq, found, b.constant(0), [&] { l.count_loss(Loss::SpecUnavailable); });
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

/// Emits code that decrements the number of speculation ids in use (a counter in abi.h).
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

/// Lowers commit() and discard(): removes the serial number from the speculation's id and records it in the sample.
/// Records 0 if no speculation exists for the id.
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
    const Value old = l.module().functions.end_speculation(b, state, serial);
    // if the serial number had already been removed, another CPU has ended the speculation
    b.branch(Op::Eq, old, serial, ended, nothing);
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

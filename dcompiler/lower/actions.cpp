// Actions: each writes its share of the sample and describes it in the schema; what it does with the data happens in the consumer.
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/helpers.hpp"
#include "dcompiler/lower/hooks.hpp"

#include <algorithm>

namespace dt::lower {

using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

void ClauseLowering::action(const TStmt& s)
{
    if (const LowerAction hook = action_hook(s.action->name))
        return hook(*this, s);
    unsupported(s.at, std::string(s.action->name) + "()");
}

Datum ClauseLowering::record(const TExpr& e)
{
    if (const int which = probe_component_index(e); which >= 0) {
        const Operand name = probe_component(which);
        const Datum datum = reserve(Datum::Kind::Name, 4, 4);
        const Value id = name.kind == Operand::Kind::Number ? name.value : b().constant(module().name_id(name.text));
        b().store(4, sample_, sample_offset(datum), id);
        return datum;
    }
    if (e.type->is_string()) {
        const uint32_t size = align_up(std::max<uint32_t>(text_size(e.type), 1), 8);
        const Datum datum = reserve(e.type, size, 8);
        text_into(e, sample_, sample_offset(datum), size, false);
        return datum;
    }
    const Operand operand = expression(e);
    const uint32_t size = module().storage_size(e.type);
    if (operand.kind == Operand::Kind::Number) {
        const uint32_t width = size >= 8 ? 8 : size >= 4 ? 4 : size >= 2 ? 2 : 1;
        const Datum datum = reserve(e.type, width, width);
        b().store(static_cast<uint8_t>(width), sample_, sample_offset(datum), operand.value);
        return datum;
    }
    const Datum datum = reserve(e.type, size, 8);
    Place from;
    from.address = from.origin = operand.value;
    from.mem = operand.mem;
    from.type = e.type;
    copy_bytes(from, sample_, sample_offset(datum), size);
    return datum;
}

// ---- hooks --------------------------------------------------------------------------------------------------------

/// Actions whose values are recorded one after the other and used by the consumer: trace, printf, system, freopen, normalize, trunc, …
void lower_recorded(ClauseLowering& l, const TStmt& s)
{
    Record& record = l.add_record(s.action);
    record.has_format = s.has_format;
    record.format = s.format;
    for (const Aggregation* aggregation : s.aggregations)
        record.aggregations.push_back(aggregation->id);
    // The record may move while values are evaluated: none of them adds records, but keep to the index all the same.
    const std::size_t index = l.schema().records.size() - 1;
    for (const TExpr* e : s.args) {
        const Datum datum = l.record(*e);
        l.schema().records[index].data.push_back(datum);
    }
}

void lower_exit(ClauseLowering& l, const TStmt& s)
{
    lower_recorded(l, s);
    l.stop_tracing();
}

void lower_setopt(ClauseLowering& l, const TStmt& s)
{
    Record& record = l.add_record(s.action);
    for (const TExpr* e : s.args) {
        if (e->op == TOp::String)
            record.texts.push_back(e->text);
        else
            l.unsupported(e->at, "setopt() of text that is not a literal");
    }
}

void lower_tracemem(ClauseLowering& l, const TStmt& s)
{
    auto& b = l.b();
    l.add_record(s.action);
    const std::size_t index = l.schema().records.size() - 1;
    const uint32_t size = static_cast<uint32_t>(std::clamp<int64_t>(s.args[1]->value, 1, 32 << 10));
    ClauseLowering::Place from;
    from.address = from.origin = l.value(*s.args[0]);
    const Type* real = s.args[0]->type->resolve();
    from.mem = real->kind == TypeKind::Pointer && real->space == AddressSpace::User ? Mem::User : Mem::Kernel;
    const Datum bytes = l.reserve(Datum::Kind::Bytes, size, 8);
    l.copy_bytes(from, l.sample(), ClauseLowering::sample_offset(bytes), size);
    l.schema().records[index].data.push_back(bytes);
    if (s.args.size() > 2) {
        const Datum limit = l.reserve(Datum::Kind::Signed, 8, 8);
        b.store(8, l.sample(), ClauseLowering::sample_offset(limit), l.value(*s.args[2]));
        l.schema().records[index].data.push_back(limit);
    }
}

namespace {

/// Frames straight into the sample: zeroed first, so that the list ends where the stack does.
void lower_frames(ClauseLowering& l, const TStmt& s, bool user)
{
    auto& b = l.b();
    const auto& options = l.module().options;
    l.add_record(s.action);
    const std::size_t index = l.schema().records.size() - 1;
    uint64_t frames = user ? options.ustackframes : options.stackframes;
    if (!s.args.empty())
        frames = static_cast<uint64_t>(s.args[0]->value);
    frames = std::min(frames, options.maxframes);
    const uint32_t bytes = static_cast<uint32_t>(frames) * 8, head = user ? 8 : 0;
    const Datum datum = l.reserve(user ? Datum::Kind::UserStack : Datum::Kind::Stack, head + bytes, 8);
    const int64_t at = ClauseLowering::sample_offset(datum);
    l.zero(l.sample(), at, head + bytes);
    if (user)
        b.store(8, l.sample(), at, b.binary(Op::LShr, b.call_helper(kGetCurrentPidTgid, {}), b.constant(32)));
    b.call_helper(kGetStack, {l.context().context, l.interior(l.sample(), at + head, bytes), b.constant(bytes),
                              b.constant(user ? kUserStack : 0)});
    l.schema().records[index].data.push_back(datum);
}

void lower_address(ClauseLowering& l, const TStmt& s, Datum::Address how, bool user)
{
    auto& b = l.b();
    l.add_record(s.action);
    const std::size_t index = l.schema().records.size() - 1;
    const Value address = l.value(*s.args[0]);
    Datum datum = l.reserve(user ? Datum::Kind::UserSymbol : Datum::Kind::Symbol, user ? 16 : 8, 8);
    datum.address = how;
    int64_t at = ClauseLowering::sample_offset(datum);
    if (user) {
        b.store(8, l.sample(), at, b.binary(Op::LShr, b.call_helper(kGetCurrentPidTgid, {}), b.constant(32)));
        at += 8;
    }
    b.store(8, l.sample(), at, address);
    l.schema().records[index].data.push_back(datum);
}

} // namespace

void lower_stack(ClauseLowering& l, const TStmt& s) { lower_frames(l, s, false); }
void lower_ustack(ClauseLowering& l, const TStmt& s) { lower_frames(l, s, true); }
void lower_sym(ClauseLowering& l, const TStmt& s) { lower_address(l, s, Datum::Address::Symbol, false); }
void lower_mod(ClauseLowering& l, const TStmt& s) { lower_address(l, s, Datum::Address::Module, false); }
void lower_usym(ClauseLowering& l, const TStmt& s) { lower_address(l, s, Datum::Address::Symbol, true); }
void lower_umod(ClauseLowering& l, const TStmt& s) { lower_address(l, s, Datum::Address::Module, true); }
void lower_uaddr(ClauseLowering& l, const TStmt& s) { lower_address(l, s, Datum::Address::Exact, true); }

void lower_raise(ClauseLowering& l, const TStmt& s)
{
    l.add_record(s.action);
    l.b().call_helper(kSendSignal, {l.value(*s.args[0])});
}

} // namespace dt::lower

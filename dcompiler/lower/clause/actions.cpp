// Lowers actions. Each action writes its data into the sample and describes it in the schema; the consumer does the
// rest.
#include "dcompiler/lower/account.hpp"
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/hooks.hpp"

#include <algorithm>

namespace dt::lower {

using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

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
    if (e.op == TOp::Builtin && e.builtin->is_only_recorded()) {
        const Value group = clause.expressions.value(e);
        Datum datum = clause.reserve(Datum::Kind::Cgroup, 8, 8);
        datum.part = cgroup_datum(*e.builtin).part;
        b().store(8, clause.sample(), ClauseState::sample_offset(datum), group);
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

// ---- hooks --------------------------------------------------------------------------------------------------------

/// Lowers actions whose values are recorded in order for the consumer: trace, printf, system, freopen, normalize,
/// trunc, …
void lower_recorded(ClauseLowering& l, const TStmt& s)
{
    Record& record = l.add_record(s.action);
    record.has_format = s.has_format;
    record.format = s.format;
    for (const Aggregation* aggregation : s.aggregations)
        record.aggregations.push_back(aggregation->id);
    // Evaluating a value may move the records, so an index is kept instead of a reference.
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

/// Lowers setopt(). Constant texts go into the schema; if any text is not constant, all are recorded.
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
    const uint32_t size =
        static_cast<uint32_t>(std::clamp<int64_t>(s.args[1]->value, 1, 1 << 24)); // far beyond a record's size limit
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

/// Returns the largest printsize possible at run time; setopt() can change it.
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

/// Records an object up to the largest possible printsize.
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

/// Records a value that is not a pointer as one datum.
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

/// Lowers stack(), sym() and similar actions as statements: writes the datum directly into the sample.
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

/// Writes a stack or an address in its recorded form to `dst`. Space for frames is zeroed first, so that a shorter
/// stack ends with 0. A key may have space for a deeper stack than this action records.
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
        return clause.stacks.stack_into(user, (own.size - head) / 8, dst, offset + head);
    b().store(8, dst, offset + head, address);
    if (datum.size > own.size) // keys of this aggregation may come from different actions
        b().store(8, dst, offset + own.size, b().constant(static_cast<int64_t>(own.address)));
}

} // namespace dt::lower

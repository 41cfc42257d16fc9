// Lowers aggregating functions: finds this CPU's value of the aggregation and updates its words. The value of an
// aggregation without keys is in a slot of a per-CPU array; values with keys are in a per-CPU hash map. abi.h defines
// all values so that zeros are the initial value.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "bpf-runtime/abi.h"
#include "dcompiler/ir/ir.hpp"
#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/clause/thread_time.hpp"
#include "dcompiler/lower/core/hooks.hpp"
#include "dcompiler/lower/counting/sampling.hpp"

namespace dt::lower {

// Computation of the bucket indices of quantize() and lquantize().

/// Yields the bucket of quantize() (dtrace-aggregations(7), quantize). Bucket DT_QUANTIZE_ZERO is for 0, bucket 64 + k
/// for [2^k, 2^(k+1)), and bucket 62 - k for the same range of negative numbers.
ir::Value quantize_bucket(ir::Builder& b, ir::Value v);

/// Yields the bucket of lquantize() (dtrace-aggregations(7), lquantize): bucket 0 is for values below base, bucket
/// levels + 1 for values from base + levels * step on.
ir::Value lquantize_bucket(ir::Builder& b, ir::Value v, int64_t base, int64_t levels, int64_t step);

// Sums that cannot overflow, because they have several words: those of avg() and stddev() (abi.h).

/// The words in memory that are an aggregation's value.
struct SumPlace {
    ir::Builder& b;
    ir::Value address;
    bool atomic; ///< whether this program may be interrupted by another BPF program that updates the value
};

/// Adds `amount` to the word at `offset`.
void add_word(const SumPlace& place, int64_t offset, ir::Value amount);

/// Adds the signed `v` to the word at `offset`. Adds the carry (-1, 0 or 1) to the next word.
void add_signed_sum(const SumPlace& place, int64_t offset, ir::Value v);

/// Adds v * v to the sum of squares at `offset`, which has three words.
void add_square(const SumPlace& place, int64_t offset, ir::Value v);

/// Adds v * v * `times` to the sum of squares at `offset`; `times` must fit in 32 bits.
void add_squares(const SumPlace& place, int64_t offset, ir::Value v, ir::Value times);

using ir::Range;

namespace {

constexpr int64_t kMapIsFull = -7; // -E2BIG, the kernel's error for a map without room

/// Stores `candidate` in the word at `address` if `candidate` is larger than the word; both are unsigned.
void max_word(ClauseLowering& l, Value address, Value candidate)
{
    auto& b = l.b();
    b.if_then(Op::ULt, b.load(8, address), candidate, [&] { b.store(8, address, 0, candidate); });
}

/// Adds `amount` to a bucket. The comparison with the number of buckets never fails; it only gives the verifier a
/// bound.
void add_bucket(ClauseLowering& l, bool atomic, const AggregationSchema& schema, Value address, Value bucket,
                Value amount)
{
    auto& b = l.b();
    b.if_then(Op::ULt, bucket, b.constant(schema.words), [&] {
        const Value word = b.binary(Op::Add, address, b.binary(Op::Shl, bucket, b.constant(3)));
        b.instr(word).mem = Mem::MapValue;
        b.instr(word).region = 8;
        add_word({b, word, atomic}, 0, amount);
    });
}

Value bucket_of(ClauseLowering& l, const AggregationSchema& schema, Value v)
{
    auto& b = l.b();
    const auto& p = schema.parameters;
    switch (schema.function->kind) {
    case AggKind::Quantize:
        return quantize_bucket(b, v);
    case AggKind::Lquantize:
        return lquantize_bucket(b, v, p[0], (p[1] - p[0]) / p[2], p[2]);
    case AggKind::Hquantize:
        return b.call_runtime("dt_hquantize_bucket", {v, b.constant(p[0])});
    default:
        return b.call_runtime("dt_llquantize_bucket",
                              {v, b.constant(p[0]), b.constant(p[1]), b.constant(p[2]), b.constant(p[3])});
    }
}

/// Interval of tseries() in which a firing happens.
struct Interval {
    Value stamp = kNone;  ///< number of the interval plus 1 (abi.h)
    Value offset = kNone; ///< offset of the interval's slot in bytes
};

/// Returns the function that tseries() applies to the values of an interval.
AggKind interval_function(const AggregationSchema& schema)
{
    return static_cast<AggKind>(schema.parameters[2]);
}

uint32_t slot_size(const AggregationSchema& schema)
{
    return schema.words / static_cast<uint32_t>(schema.parameters[1]) * 8;
}

Interval interval_of(ClauseLowering& l, const AggregationSchema& schema)
{
    auto& b = l.b();
    const Value time = l.cached("timestamp", [&] { return b.call_helper(kKtimeGetNs, {}); });
    const Value to_wall =
        b.load(8, b.data_addr(l.module().data.state(), sizeof(dt_state)), offsetof(dt_state, boot_to_wall_ns));
    const Value number = b.binary(Op::UDiv, b.binary(Op::Add, time, to_wall), b.constant(schema.parameters[0]));
    const Value slot = b.binary(Op::UMod, number, b.constant(schema.parameters[1]));
    return {b.binary(Op::Add, number, b.constant(1)), b.binary(Op::Mul, slot, b.constant(slot_size(schema)))};
}

/// Emits an update of the slot of an interval; `add` emits the code that adds a value at the address it receives. If
/// the slot has the values of another interval, they are removed first. The comparison of the offset never fails; it
/// only gives the verifier a bound.
void update_slot(ClauseLowering& l, const AggregationSchema& schema, const Interval& interval, Value address,
                 const std::function<void(Value)>& add)
{
    auto& b = l.b();
    const uint32_t size = slot_size(schema);
    b.if_then(Op::ULt, interval.offset, b.constant(schema.words * 8 - size + 1), [&] {
        const Value slot = b.binary(Op::Add, address, interval.offset);
        b.instr(slot).mem = Mem::MapValue;
        b.instr(slot).region = size;
        b.if_then(Op::Ne, b.load(8, slot), interval.stamp, [&] {
            b.store(8, slot, 0, interval.stamp);
            for (uint32_t word = 8; word < size - 8; word += 8)
                b.store(8, slot, word, b.constant(0));
        });
        add(l.values.interior(slot, 8, size - 16));
        b.store(8, slot, size - 8, interval.stamp);
    });
}

/// Returns the index of the argument that gives the increment of a function with buckets, or 0 if the function has
/// none.
std::size_t increment_of(AggKind kind)
{
    switch (kind) {
    case AggKind::Quantize: // the increment is argument 1: quantize(v, increment)
        return 1;
    case AggKind::Hquantize: // the increment is argument 2: hquantize(v, schema, increment)
        return 2;
    case AggKind::Lquantize: // the increment is argument 4: lquantize(v, base, limit, step, increment)
        return 4;
    case AggKind::Llquantize: // the increment is argument 5: llquantize(v, factor, low, high, steps, increment)
        return 5;
    default:
        return 0;
    }
}

/// Zeroes the padding between and after the members of a key.
void zero_gaps(ClauseLowering& l, const AggregationSchema& schema, Value key)
{
    std::vector<std::pair<uint32_t, uint32_t>> taken; // for each key: begin and end in the tuple
    for (const Datum& datum : schema.keys)
        taken.emplace_back(datum.offset, datum.offset + datum.size);
    std::sort(taken.begin(), taken.end());
    taken.emplace_back(schema.key_size, schema.key_size);
    uint32_t end = schema.shared ? 8 : 0;
    for (const auto& [begin, next] : taken) {
        if (begin > end)
            l.values.zero(key, end, begin - end);
        end = next;
    }
}

/// Values that a firing contributes to an aggregation. A member is kNone if the aggregating function does not use it.
struct Update {
    AggKind kind;
    bool atomic;
    Value value, amount, bucket, request;
    Value times; ///< number of firings for which this one counts under -x maxcost; kNone means 1
    std::optional<MarkedTime> marked;
    Interval interval = {};
};

/// Emits the update of an aggregation's value, whose words are at `address`.
void update(ClauseLowering& l, const Aggregation& aggregation, const AggregationSchema& schema, const Update& from,
            Value address)
{
    auto& b = l.b();
    const bool weighted = from.times != kNone;
    const auto all = [&](Value value) { return weighted ? b.binary(Op::Mul, value, from.times) : value; };
    const SumPlace sums{b, address, from.atomic};
    switch (from.kind) {
    case AggKind::Count:
        add_word(sums, 0, all(b.constant(1)));
        break;
    case AggKind::Sum:
        add_word(sums, 0, all(from.value));
        break;
    case AggKind::Avg:
    case AggKind::Stddev:
        add_word(sums, 0, all(b.constant(1)));
        if (l.module().layout.may_wrap(aggregation))
            add_signed_sum(sums, 8, all(from.value));
        else
            add_word(sums, 8, all(from.value));
        if (from.kind == AggKind::Stddev && weighted)
            add_squares(sums, 24, from.value, from.times);
        else if (from.kind == AggKind::Stddev)
            add_square(sums, 24, from.value);
        break;
    case AggKind::Min:
        max_word(l, address, b.binary(Op::Sub, b.constant(std::numeric_limits<int64_t>::max()), from.value));
        break;
    case AggKind::Max:
        max_word(l, address, b.binary(Op::Xor, from.value, b.constant(std::numeric_limits<int64_t>::min())));
        break;
    case AggKind::Quantize:
    case AggKind::Lquantize:
    case AggKind::Llquantize:
    case AggKind::Hquantize:
        add_bucket(l, from.atomic, schema, address, from.bucket, all(from.amount));
        if (from.kind == AggKind::Hquantize)
            add_word(sums, (schema.words - 1) * 8, b.binary(Op::Mul, from.value, all(from.amount)));
        break;
    case AggKind::Blame:
        break;
    case AggKind::Tseries:
        update_slot(l, schema, from.interval, address, [&](Value words) {
            Update in_interval = from;
            in_interval.kind = interval_function(schema);
            update(l, aggregation, schema, in_interval, words);
        });
        break;
    case AggKind::Breakdown:
        if (from.marked)
            add_parts(l, *from.marked, address, weighted ? from.times : b.constant(1));
        else
            add_request_parts(l, from.request, address, weighted ? from.times : b.constant(1));
        break;
    }
}

} // namespace

void Aggregations::aggregate(const TStmt& s)
{
    const Aggregation& aggregation = *s.aggregation;
    const AggregationSchema& schema = module().layout.agg_schema(aggregation);
    const AggKind kind = schema.function->kind;
    const bool atomic = module().layout.needs_atomic(aggregation);

    // The keys and arguments come first: if evaluating one of them faults, the firing must not leave a new entry in the
    // map.
    const Value key = schema.key_size ? keys_of(s, schema) : kNone;
    const bool of_request = kind == AggKind::Breakdown && is_request(*s.args[0]);
    const Value v = s.args.empty() || of_request ? kNone : clause.expressions.value(*s.args[0]);
    const std::size_t increment = increment_of(kind);
    const bool buckets = increment != 0;
    const Value amount =
        buckets ? (s.args.size() > increment ? clause.expressions.value(*s.args[increment]) : b().constant(1)) : kNone;
    const Value bucket = buckets ? bucket_of(clause, schema, v) : kNone;
    const Value request = of_request ? asked_request(clause, *s.args[0]) : kNone;
    const std::optional<MarkedTime> marked =
        kind == AggKind::Breakdown && !of_request ? std::optional(marked_time(clause, s, v)) : std::nullopt;
    const Interval interval = kind == AggKind::Tseries ? interval_of(clause, schema) : Interval{};
    // With -x maxcost a firing may represent several firings, each of which adds the same value.
    const bool weighted = context().is_weighted;
    const Value times = weighted ? weight_of_firing(context()) : kNone;
    if (weighted) {
        AggregationSchema& estimated = module().out.schema.aggregations[aggregation.id];
        estimated.may_be_estimated = true;
        estimated.weighted_by.insert(clause.statement().id);
    }

    if (schema.key_size && !module().maps.has_room(module().maps.aggregation(aggregation)))
        return clause.count_loss(Loss::Aggregation);
    const ir::BlockId done = b().block();
    if (kind == AggKind::Blame) {
        const Value lost = lower_blame(clause, s, key, v, weighted ? times : b().constant(1));
        return b().if_then(Op::Ne, lost, b().constant(0), [&] { drop_key(lost); });
    }
    const Value address = schema.key_size ? keyed_value(s, schema, key, done) : unkeyed_value(aggregation, schema);
    const bool carries = kind == AggKind::Stddev || (kind == AggKind::Avg && module().layout.may_wrap(aggregation));
    const auto add = [&](bool atomically) {
        update(clause, aggregation, schema, {kind, atomically, v, amount, bucket, request, times, marked, interval},
               address);
    };
    // A program that interrupts an update of tseries() must not see a slot that is changing from one interval to
    // another.
    const bool is_alone = kind == AggKind::Tseries || (carries && !module().world.features().fetching_atomics);
    if (atomic && is_alone)
        add_alone([&] { add(false); });
    else
        add(atomic);
    b().jump(done);
    b().enter(done);
}

/// Updates a value of several words that another program must not change at the same time. Such a value is a slot of
/// tseries(), or, on kernels whose atomic additions yield no result, a sum with carries between its words. If another
/// program interrupts the addition, the value of that program is not added but counted as lost.
void Aggregations::add_alone(const std::function<void()>& add)
{
    const ir::BlockId busy = b().block(), done = b().block();
    module().functions.once_on_cpu(b(), module().maps.per_cpu("adding", 8), busy, [&] { clause.arm(add); });
    b().jump(done);
    b().enter(busy);
    clause.count_loss(Loss::Aggregation);
    b().jump(done);
    b().enter(done);
}

Value Aggregations::unkeyed_element(const AggregationSchema& schema, ir::BlockId missing)
{
    const uint32_t map = module().maps.unkeyed(schema);
    const uint32_t size = module().out.module.maps[map].value_size;
    const bool by_cpu = module().out.module.maps[map].type == kMapArray;
    const Value key = clause.stack_temporary(8);
    b().store(8, key, 0, by_cpu ? b().call_helper(kGetSmpProcessorId, {}) : b().constant(0));
    const Value found = b().call_helper(kMapLookup, {b().map_ref(map), key}, Mem::MapOrNull, size);
    const ir::BlockId have = b().block();
    b().branch(Op::Eq, found, b().constant(0), missing, have);
    b().enter(have);
    return b().not_null(found);
}

/// Yields the address of an aggregation's value without keys. Also emits code that marks the aggregation as used.
Value Aggregations::unkeyed_value(const Aggregation& aggregation, const AggregationSchema& schema)
{
    clause.uses_unkeyed(aggregation, schema.map);
    const auto shared = context().unkeyed.find(schema.map);
    const Value base = shared != context().unkeyed.end() ? shared->second : clause.cached(schema.map, [&] {
        const ir::BlockId missing = b().block();
        const Value element = unkeyed_element(schema, missing);
        const ir::BlockId have = b().current();
        b().enter(missing);
        clause.abandon(); // the element always exists, but the verifier requires the check
        b().enter(have);
        return element;
    });
    b().store(8, base, schema.offset, b().constant(1));
    return clause.values.interior(base, schema.offset + 8, schema.words * 8);
}

/// Builds an aggregation's key in memory: a tuple whose padding is zero.
Value Aggregations::keys_of(const TStmt& s, const AggregationSchema& schema)
{
    Mem mem;
    // The overflow map takes the keys that find no room in the first map; its keys end with the CPU number. If a digest
    // replaces the key, the memory after the key has room for the words of a new value and for the digest. The key and
    // these words are then the map's value.
    const CpuElements elements(schema);
    const uint32_t size = schema.digested               ? elements.map_value_size() + elements.map_key_size()
                          : schema.overflow_map.empty() ? schema.key_size
                                                        : elements.map_key_size();
    const Value key =
        schema.digested || s.aggregation->has_chain() ? clause.scratch_temporary(size) : clause.temporary(size, mem);
    if (schema.shared)
        b().store(8, key, 0, b().constant(schema.id));
    zero_gaps(clause, schema, key);
    for (std::size_t i = 0; i < s.keys.size(); ++i)
        aggregation_key(*s.keys[i], schema.keys[i], key);
    return key;
}

/// Yields the address of this CPU's value for the key, and creates the value if necessary. If there is no room, the
/// loss is counted and control goes to `done`.
Value Aggregations::keyed_value(const TStmt& s, const AggregationSchema& schema, Value key, ir::BlockId done)
{
    const ir::BlockId full = b().block(), lost = b().block(), join = b().block();
    std::vector<Value> found_at;
    if (!schema.short_keys_map.empty()) {
        // Short keys have their own map, because shorter keys are hashed faster. If that map is full, a short key goes
        // to the map of long keys.
        const ir::BlockId short_keys_map = b().block(), whole = b().block();
        b().branch(Op::Eq, b().load(8, key, schema.short_key_size), b().constant(0), short_keys_map, whole);
        b().enter(short_keys_map);
        found_at = entry_in([&] { return b().map_ref(module().maps.short_keys_map(*s.aggregation)); },
                            whole_key(schema, key), whole, join)
                       .found;
        b().enter(whole);
    }
    const MapKey map_key = schema.digested ? digest_of(schema, key) : whole_key(schema, key);
    std::vector<Value> status;
    // With -x aggttl, expired keys are removed. That is possible only in the overflow map, so all keys go there.
    if (module().options.aggttl != 0) {
        status.push_back(b().constant(kMapIsFull));
        b().jump(full);
    } else {
        const auto in_first =
            entry_in([&] { return b().map_ref(module().maps.aggregation(*s.aggregation)); }, map_key, full, join);
        found_at.insert(found_at.end(), in_first.found.begin(), in_first.found.end());
        status.push_back(in_first.updated);
    }
    b().enter(full);
    if (schema.overflow_map.empty()) {
        b().jump(lost);
    } else {
        const auto in_overflow = overflow_value(s, schema, map_key, lost, join);
        found_at.insert(found_at.end(), in_overflow.found.begin(), in_overflow.found.end());
        status.insert(status.begin(), in_overflow.updated);
    }
    b().enter(lost);
    // Only the lower half of the helper's result is used: before Linux 6.4, the upper half of the register is
    // undefined.
    const Value code = b().unary(Op::SExt, status.size() == 1 ? status[0] : b().phi(status), 4);
    drop_key(code);
    b().jump(done);
    b().enter(join);
    return b().phi(found_at, Mem::MapValue, schema.words * 8);
}

/// Emits code that counts the loss of a value because its key could not be stored. `status` is the kernel's error for
/// the new entry.
void Aggregations::drop_key(Value status)
{
    b().if_else(
        Op::Eq, status, b().constant(kMapIsFull), [this] { clause.count_loss(Loss::Aggregation); },
        [this] { clause.count_loss(Loss::NoMemory); });
}

/// Returns the key, and the initial value of a new entry, for maps that are indexed by the keys themselves and not by
/// digests.
Aggregations::MapKey Aggregations::whole_key(const AggregationSchema& schema, Value key)
{
    const uint32_t size = schema.words * 8;
    return {key, size, 0, [this, size] { return b().data_addr(module().data.zeros(size), size); }};
}

/// Computes the digest of a key. Returns the digest, and the initial value of a new entry, for maps that are indexed by
/// digests (CpuElements). The memory after `key` must have room for the words of the value and for the digest.
Aggregations::MapKey Aggregations::digest_of(const AggregationSchema& schema, Value key)
{
    const CpuElements elements(schema);
    const Value digest = clause.values.interior(key, elements.map_value_size(), elements.map_key_size());
    clause.values.digest_key(key, schema.key_size, digest);
    b().store(8, digest, elements.cpu_offset(), b().call_helper(kGetSmpProcessorId, {}));
    const auto new_value = [this, key, elements] {
        clause.values.zero(key, elements.words_offset(), elements.map_value_size() - elements.words_offset());
        return key;
    };
    return {digest, elements.map_value_size(), elements.words_offset(), new_value};
}

/// Yields the address of a key's value in a map, and creates the value if necessary. If the map is full, control goes
/// to `full`. Otherwise control reaches `join` from one of two blocks: one for a present value, the other for a new
/// value.
Aggregations::Entry Aggregations::entry_in(const std::function<Value()>& map, const MapKey& key, ir::BlockId full,
                                           ir::BlockId join, const std::function<void()>& when_made)
{
    const auto words = [&](Value element) {
        return key.words_offset == 0
                   ? element
                   : clause.values.interior(element, key.words_offset, key.value_size - key.words_offset);
    };
    const Value found = b().call_helper(kMapLookup, {map(), key.key}, Mem::MapOrNull, key.value_size);
    const ir::BlockId fresh = b().block(), have = b().block(), made = b().block();
    b().branch(Op::Ne, found, b().constant(0), have, fresh);
    b().enter(fresh);
    const Value updated =
        b().call_helper(kMapUpdate, {map(), key.key, key.new_value(), b().constant(1)}); // flag BPF_NOEXIST
    const Value again = b().call_helper(kMapLookup, {map(), key.key}, Mem::MapOrNull, key.value_size);
    b().branch(Op::Ne, again, b().constant(0), made, full);
    b().enter(made);
    if (when_made)
        when_made();
    const Value second = words(b().not_null(again));
    b().jump(join);
    b().enter(have);
    const Value first = words(b().not_null(found));
    b().jump(join);
    return {{second, first}, updated};
}

/// Finds or creates a value like entry_in(), but in the overflow map, whose keys end with the CPU number. Control goes
/// to `lost` in two cases: the value could not be created, or the map does not exist.
Aggregations::Entry Aggregations::overflow_value(const TStmt& s, const AggregationSchema& schema, const MapKey& key,
                                                 ir::BlockId lost, ir::BlockId join)
{
    const ir::BlockId is_there = b().block(), missing = b().block(), full = b().block();
    const Value index = clause.stack_temporary(8);
    b().store(8, index, 0, b().constant(0));
    const Value outer =
        b().call_helper(kMapLookup, {b().map_ref(module().maps.overflow(*s.aggregation)), index}, Mem::MapOrNull, 4);
    b().branch(Op::Ne, outer, b().constant(0), is_there, missing);
    b().enter(is_there);
    const Value map = b().not_null(outer);
    if (!schema.digested) // a digest already includes the CPU number
        b().store(8, key.key, schema.key_size, b().call_helper(kGetSmpProcessorId, {}));
    const Entry entry = entry_in([map] { return map; }, key, full, join,
                                 [&] {
                                     const uint32_t counters = module().data.overflow_keys();
                                     b().atomic_add(8, b().data_addr(counters, module().out.module.data[counters].size),
                                                    schema.id * 8, b().constant(1));
                                     clause.wake(false);
                                 });
    b().enter(full);
    b().jump(lost);
    b().enter(missing);
    b().jump(lost);
    return entry;
}

void Aggregations::aggregation_key(const TExpr& e, const Datum& datum, Value key)
{
    if (datum.kind == Datum::Kind::Name) {
        const int which = probe_component_index(e);
        const Operand name = clause.builtins.probe_component(which);
        const Value id =
            name.kind == Operand::Kind::Number ? name.value : b().constant(module().layout.name_id(name.text));
        return b().store(4, key, datum.offset, id);
    }
    if (datum.kind == Datum::Kind::Cgroup || datum.kind == Datum::Kind::Converted)
        return b().store(8, key, datum.offset, clause.expressions.value(e));
    if (e.op == TOp::Address && !datum.type) // an address with a type is a stack, which key_into() handles
        return clause.actions.address_into(*e.action, e.kids, datum, key, datum.offset);
    clause.expressions.key_into(e, datum.type, key, datum.offset, datum.size);
}

// Emits the bucket computation of quantize() and lquantize() inline: a call of a function would cost as much as the
// computation. llquantize() needs a loop, so it calls a function of bpf-runtime.

namespace {

/// Yields 1 if v > limit and 0 otherwise, for values below 2^63. The code has no branch: with branches, the verifier
/// would have to follow 64^100 paths in a clause with a hundred calls.
Value exceeds(ir::Builder& b, Value v, int64_t limit)
{
    return b.binary(Op::LShr, b.binary(Op::Sub, b.constant(limit), v), b.constant(63));
}

} // namespace

Value quantize_bucket(ir::Builder& b, Value v)
{
    // -1 (all bits set) if v is negative, else 0
    const Value sign = b.binary(Op::AShr, v, b.constant(63));
    Value rest = b.binary(Op::Sub, b.binary(Op::Xor, v, sign), sign);
    // the absolute value of INT64_MIN does not fit, so it is reduced by 1
    rest = b.binary(Op::Sub, rest, b.binary(Op::LShr, rest, b.constant(63)));
    // number of significant bits of the absolute value
    Value bits = b.constant(0);
    for (int shift = 32, log = 5; log > 0; shift /= 2, --log) {
        const Value step = b.binary(Op::Shl, exceeds(b, rest, (int64_t{1} << shift) - 1), b.constant(log));
        rest = b.binary(Op::LShr, rest, step);
        bits = b.binary(Op::Add, bits, step);
    }
    // Lookup table in one number. For each value 0 to 3 of `rest`, two bits contain the value's number of significant
    // bits: 0, 1, 2, 2.
    constexpr int64_t kBitsUpTo3 = 0xa4;
    const Value last = b.binary(Op::LShr, b.constant(kBitsUpTo3), b.binary(Op::Shl, rest, b.constant(1)));
    bits = b.binary(Op::Add, bits, b.binary(Op::And, last, b.constant(3)));
    return b.binary(Op::Add, b.constant(DT_QUANTIZE_ZERO), b.binary(Op::Sub, b.binary(Op::Xor, bits, sign), sign));
}

Value lquantize_bucket(ir::Builder& b, Value v, int64_t base, int64_t levels, int64_t step)
{
    const auto below = [&] { return b.constant(0); };
    return b.select(Op::SLt, v, b.constant(base), below, [&] {
        // v - base may need all 64 bits, so the difference is treated as unsigned. Within the range it is at most
        // levels * step, so the optimizer can replace the division by a multiplication.
        const Value above = b.binary(Op::Sub, v, b.constant(base));
        const auto inside = [&] {
            return b.binary(Op::Add, b.binary(Op::UDiv, above, b.constant(step)), b.constant(1));
        };
        return b.select(Op::ULt, above, b.constant(levels * step), inside, [&] { return b.constant(levels + 1); });
    });
}

// Emits sums of several words, which cannot overflow.
//
// Two large values overflow a 64-bit sum, and wider arithmetic needs a dozen instructions. Therefore the code adds the
// value to the low word and detects an overflow by one or two comparisons. Only after an overflow, a rarely executed
// path changes the next word. The low word is signed, because sums around zero would otherwise overflow often.

namespace {

constexpr int64_t kSquareFits = 0xffffffff; // the largest number whose square fits into 64 bits

struct Added {
    Value before, after;
};

Added add_and_fetch(const SumPlace& place, int64_t offset, Value amount)
{
    ir::Builder& b = place.b;
    if (place.atomic) {
        const Value before = b.atomic_fetch_add(8, place.address, offset, amount);
        return {before, b.binary(Op::Add, before, amount)};
    }
    const Value before = b.load(8, place.address, offset);
    const Value after = b.binary(Op::Add, before, amount);
    b.store(8, place.address, offset, after);
    return {before, after};
}

} // namespace

void add_word(const SumPlace& place, int64_t offset, Value amount)
{
    ir::Builder& b = place.b;
    if (place.atomic)
        return b.atomic_add(8, place.address, offset, amount);
    b.store(8, place.address, offset, b.binary(Op::Add, b.load(8, place.address, offset), amount));
}

void add_signed_sum(const SumPlace& place, int64_t offset, Value v)
{
    ir::Builder& b = place.b;
    const Added low = add_and_fetch(place, offset, v);
    const auto wraps = [&](Value smaller, Value larger, int64_t by) {
        b.if_then(Op::SLt, smaller, larger, [&] { add_word(place, offset + 8, b.constant(by)); });
    };
    b.if_else(
        Op::SLt, v, b.constant(0), [&] { wraps(low.before, low.after, -1); }, [&] { wraps(low.after, low.before, 1); });
}

void add_square(const SumPlace& place, int64_t offset, Value v)
{
    ir::Builder& b = place.b;
    const Value square = b.binary(Op::Mul, v, v);
    const Range range = b.instr(v).range;
    const bool fits = range.low >= -kSquareFits && range.high <= kSquareFits;
    const Value high = fits ? ir::kNone : b.call_runtime("dt_square_high", {v});
    const Added low = add_and_fetch(place, offset, square);
    if (fits)
        return b.if_then(Op::ULt, low.after, square, [&] { add_word(place, offset + 8, b.constant(1)); });
    const Value carried = b.binary(Op::Add, high, b.binary(Op::ULt, low.after, square));
    const Added middle = add_and_fetch(place, offset + 8, carried);
    b.if_then(Op::ULt, middle.after, carried, [&] { add_word(place, offset + 16, b.constant(1)); });
}

void add_squares(const SumPlace& place, int64_t offset, ir::Value v, ir::Value times)
{
    ir::Builder& b = place.b;
    b.call_runtime("dt_add_squares", {b.binary(Op::Add, place.address, b.constant(offset)), v, times});
}

} // namespace dt::lower

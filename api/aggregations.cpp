// Makes snapshots of aggregations for the walk functions of libdtrace(3), orders their entries, and implements the
// functions for buckets and for joined walks.
#include "api/aggregations.hpp"

#include <algorithm>
#include <cstring>

#include "api/handle.hpp"

namespace dt::api {

namespace {

constexpr std::size_t kWord = 8;

int64_t integer_at(const char* at, std::size_t size)
{
    int64_t value = 0;
    switch (size) {
    case 1:
        return *reinterpret_cast<const int8_t*>(at);
    case 2: {
        int16_t half = 0;
        std::memcpy(&half, at, size);
        return half;
    }
    case 4: {
        int32_t word = 0;
        std::memcpy(&word, at, size);
        return word;
    }
    default:
        std::memcpy(&value, at, kWord);
        return value;
    }
}

template <typename Value> int compared(const Value& a, const Value& b)
{
    return a < b ? -1 : b < a ? 1 : 0;
}

bool is_histogram(AggKind kind)
{
    return kind == AggKind::Quantize || kind == AggKind::Lquantize || kind == AggKind::Llquantize ||
           kind >= AggKind::Hquantize;
}

uint64_t bits(int64_t value, unsigned width)
{
    return static_cast<uint64_t>(value) & (~uint64_t{0} >> (64 - width));
}

/// Returns the word with the parameters of a histogram's function, which precedes the buckets; nothing for functions
/// without parameters.
std::vector<int64_t> parameters_of(const AggregationSchema& schema)
{
    const std::vector<int64_t>& given = schema.parameters;
    uint64_t word = 0;
    // parameters of lquantize(): base, limit, step
    if (schema.function->kind == AggKind::Lquantize && given.size() >= 3) {
        const int64_t levels = given[2] != 0 ? (given[1] - given[0]) / given[2] : 0;
        word = bits(given[2], 16) << 48 | bits(levels, 16) << 32 | bits(given[0], 32);
        // parameters of llquantize(): factor, low, high, steps
    } else if (schema.function->kind == AggKind::Llquantize && given.size() >= 4) {
        word = bits(given[0], 16) << 48 | bits(given[1], 16) << 32 | bits(given[2], 16) << 16 | bits(given[3], 16);
    } else
        return {};
    return {static_cast<int64_t>(word)};
}

/// Returns an aggregation's value as a list of words, in the layout in which DTrace passes values to callbacks.
std::vector<int64_t> value_of(const output::Aggregation& aggregation, output::Aggregation::Words words)
{
    const AggregationSchema& schema = aggregation.schema();
    std::vector<int64_t> value = parameters_of(schema);
    switch (schema.function->kind) {
    case AggKind::Min:
    case AggKind::Max:
        return {schema.function->kind == AggKind::Min
                    ? static_cast<int64_t>(static_cast<uint64_t>(INT64_MAX) - static_cast<uint64_t>(words[0]))
                    : static_cast<int64_t>(static_cast<uint64_t>(words[0]) + static_cast<uint64_t>(INT64_MIN))};
    case AggKind::Avg: // for avg(): count and sum of the values
        return {words[0], words[1]};
    case AggKind::Stddev: // for stddev(): count and sum of the values, and in two words the sum of their squares
        return {words[0], words[1], words[3], words[4]};
    default:
        value.insert(value.end(), words.begin(), words.end());
        return value;
    }
}

dtrace_recdesc_t record_of_key(const Datum& key)
{
    dtrace_recdesc_t record{};
    record.dtrd_action = action_of(key);
    record.dtrd_size = format::is_text(key) ? std::max(key.size + 1, kTextBytes) : key.size;
    return record;
}

/// Assigns offsets to data records that follow one another, each aligned to a word. Returns the total number of bytes.
uint32_t place(std::vector<dtrace_recdesc_t>& records)
{
    uint32_t at = 0;
    for (dtrace_recdesc_t& record : records) {
        record.dtrd_alignment = kWord;
        record.dtrd_offset = at;
        at += (record.dtrd_size + kWord - 1) / kWord * kWord;
    }
    return at;
}

/// Allocates and fills in the description of an aggregation. The descriptions of its records follow in the same memory.
void describe(SnapshotTable& table, const AggregationSchema& schema, uint32_t size, const Statement* clause)
{
    const std::size_t bytes = sizeof(dtrace_aggdesc_t) + table.records.size() * sizeof(dtrace_recdesc_t);
    table.storage = std::make_unique<uint64_t[]>(bytes / kWord + 1);
    auto* const made = new (table.storage.get()) dtrace_aggdesc_t{};
    made->dtagd_name = table.name.data();
    made->dtagd_varid = variable_of(schema);
    made->dtagd_id = schema.id + 1;
    made->dtagd_size = size;
    made->dtagd_nrecs = static_cast<int>(table.records.size());
    std::memcpy(made->dtagd_rec, table.records.data(), table.records.size() * sizeof(dtrace_recdesc_t));
    table.description = made;
    if (!clause)
        return;
    made->dtagd_epid = table.enabled.dtepd_epid = clause->id + 1;
    if (clause->probes.empty())
        return;
    const Probe& probe = *clause->probes.front();
    table.enabled.dtepd_probeid = probe.id;
    table.probe = description(probe.id, probe.full_name());
}

/// Adds the absolute value of an entry to the table's total.
void add_to_total(SnapshotTable& table, const AggregationSchema& schema, int64_t value)
{
    if (is_histogram(schema.function->kind))
        return;
    table.flags |= DTRACE_A_TOTAL | (value < 0 ? DTRACE_A_HASNEGATIVES : DTRACE_A_HASPOSITIVES);
    table.total += value < 0 ? -value : value;
}

/// Finds the first and the last bucket that is not empty in at least one entry.
void find_buckets(SnapshotTable& table, const std::deque<SnapshotEntry>& entries)
{
    const dtrace_recdesc_t& record = table.records.back();
    const uint32_t words = record.dtrd_size / kWord;
    const bool has_head = record.dtrd_action == DTRACEAGG_LQUANTIZE || record.dtrd_action == DTRACEAGG_LLQUANTIZE;
    if (!has_head && record.dtrd_action != DTRACEAGG_QUANTIZE)
        return;
    for (const SnapshotEntry& entry : entries)
        for (uint32_t word = has_head; entry.table == &table && word < words; ++word) {
            const auto bucket = static_cast<uint16_t>(word - has_head);
            if (integer_at(entry.data.data() + record.dtrd_offset + word * kWord, kWord) == 0)
                continue;
            const bool is_first = (table.flags & DTRACE_A_MINMAXBIN) == 0;
            table.first_bucket = is_first ? bucket : std::min(table.first_bucket, bucket);
            table.last_bucket = is_first ? bucket : std::max(table.last_bucket, bucket);
            table.flags |= DTRACE_A_MINMAXBIN;
        }
}

} // namespace

dtrace_actkind_t kind_of(AggKind kind)
{
    switch (kind) {
    case AggKind::Count:
        return DTRACEAGG_COUNT;
    case AggKind::Sum:
        return DTRACEAGG_SUM;
    case AggKind::Avg:
        return DTRACEAGG_AVG;
    case AggKind::Min:
        return DTRACEAGG_MIN;
    case AggKind::Max:
        return DTRACEAGG_MAX;
    case AggKind::Stddev:
        return DTRACEAGG_STDDEV;
    case AggKind::Quantize:
        return DTRACEAGG_QUANTIZE;
    case AggKind::Lquantize:
        return DTRACEAGG_LQUANTIZE;
    case AggKind::Llquantize:
        return DTRACEAGG_LLQUANTIZE;
    default:
        return DTRACEAGG_OTHER;
    }
}

dtrace_aggdata_t data_of(dtrace_hdl_t* handle, const SnapshotEntry& entry)
{
    const SnapshotTable& table = *entry.table;
    dtrace_aggdata_t data{};
    data.dtada_handle = handle;
    data.dtada_desc = table.description;
    data.dtada_edesc = const_cast<dtrace_eprobedesc_t*>(&table.enabled);
    data.dtada_pdesc = const_cast<dtrace_probedesc_t*>(&table.probe);
    data.dtada_data = const_cast<char*>(entry.data.data());
    data.dtada_normal = static_cast<uint64_t>(entry.normal);
    data.dtada_size = entry.data.size();
    data.dtada_total = table.total;
    data.dtada_minbin = table.first_bucket;
    data.dtada_maxbin = table.last_bucket;
    data.dtada_flags = table.flags;
    return data;
}

int compare_keys(const SnapshotEntry& a, const SnapshotEntry& b)
{
    const auto& of_a = a.table->records;
    const auto& of_b = b.table->records;
    for (std::size_t i = 1; i + 1 < std::min(of_a.size(), of_b.size()); ++i) {
        const char* const at_a = a.data.data() + of_a[i].dtrd_offset;
        const char* const at_b = b.data.data() + of_b[i].dtrd_offset;
        const std::size_t size = of_a[i].dtrd_size;
        const bool is_integer = size == of_b[i].dtrd_size && (size == 1 || size == 2 || size == 4 || size == 8);
        const int order = is_integer
                              ? compared(integer_at(at_a, size), integer_at(at_b, size))
                              : std::memcmp(at_a, at_b, std::min<std::size_t>(of_a[i].dtrd_size, of_b[i].dtrd_size));
        if (order != 0)
            return order;
    }
    return compared(of_a.size(), of_b.size());
}

int compare_values(const SnapshotEntry& a, const SnapshotEntry& b)
{
    const int order = compared(a.rank.value, b.rank.value);
    return order != 0 ? order : compared(a.rank.tie, b.rank.tie);
}

void Snapshot::clear()
{
    entries_.clear();
    tables_.clear();
}

const SnapshotTable* Snapshot::table(dtrace_aggvarid_t variable) const
{
    for (const SnapshotTable& each : tables_)
        if (each.description->dtagd_varid == variable)
            return &each;
    return nullptr;
}

void Snapshot::restart(const SnapshotEntry& entry, bool stays)
{
    restarts_[{entry.table->description->dtagd_varid, entry.key}] = {entry.words, stays};
}

/// Subtracts from `words` the value that the entry had when a walk cleared or removed it (restart()). Returns false if
/// walks must skip the entry: nothing was added since then, and restart() was not asked to keep the entry.
bool Snapshot::since_restart(const AggregationSchema& schema, SnapshotEntry& entry, std::vector<int64_t>& words)
{
    const auto found = restarts_.find({variable_of(schema), entry.key});
    if (found == restarts_.end())
        return true;
    const auto& [former, stays] = found->second;
    const bool is_same = words == former;
    const AggKind kind = schema.function->kind;
    // a count that is smaller than at restart() means that the program has cleared the aggregation since then
    if (kind == AggKind::Count && words[0] < former[0]) {
        restarts_.erase(found);
        return true;
    }
    if (kind != AggKind::Min && kind != AggKind::Max && kind != AggKind::Tseries) {
        for (std::size_t i = 0; i < words.size(); ++i)
            words[i] = static_cast<int64_t>(static_cast<uint64_t>(words[i]) - static_cast<uint64_t>(former[i]));
        if (kind == AggKind::Stddev && static_cast<uint64_t>(entry.words[3]) < static_cast<uint64_t>(former[3]))
            --words[4]; // the subtraction borrows from word 4, because words 3 and 4 are one number
    } else if (is_same) {
        std::fill(words.begin(), words.end(), 0);
    }
    return !is_same || stays;
}

void Snapshot::add(const output::Aggregation& aggregation, const format::Environment& env, const Statement* clause)
{
    const AggregationSchema& schema = aggregation.schema();
    SnapshotTable& table = tables_.emplace_back();
    table.name = schema.name;
    table.normal = aggregation.divisor;
    if (aggregation.shape())
        table.shape = *aggregation.shape();
    table.series = output::TimeSeries::of(schema);
    table.records.push_back({DTRACEACT_DIFEXPR, kWord});
    for (const Datum& key : schema.keys)
        table.records.push_back(record_of_key(key));
    const std::vector<int64_t> nothing(schema.words);
    table.nothing = value_of(aggregation, nothing);
    table.records.push_back({kind_of(schema.function->kind), static_cast<uint32_t>(table.nothing.size() * kWord)});
    const uint32_t size = place(table.records);
    describe(table, schema, size, clause);
    for (std::size_t i = 0; i < aggregation.size(); ++i) {
        SnapshotEntry& entry = entries_.emplace_back();
        entry.table = &table;
        entry.normal = table.normal;
        entry.key.assign(reinterpret_cast<const char*>(aggregation.key(i)), schema.key_size);
        entry.words.assign(aggregation.words(i).begin(), aggregation.words(i).end());
        std::vector<int64_t> words = entry.words;
        if (!since_restart(schema, entry, words)) {
            entries_.pop_back();
            continue;
        }
        entry.rank = aggregation.rank(words);
        entry.data.resize(size);
        std::memcpy(entry.data.data(), &table.description->dtagd_varid, kWord);
        for (std::size_t k = 0; k < schema.keys.size(); ++k) {
            const Datum& key = schema.keys[k];
            char* const to = entry.data.data() + table.records[k + 1].dtrd_offset;
            if (format::is_text(key)) {
                const std::string_view text = format::load_characters(env, key, aggregation.key(i));
                std::memcpy(to, text.data(), std::min<std::size_t>(text.size(), table.records[k + 1].dtrd_size - 1));
            } else
                std::memcpy(to, aggregation.key(i) + key.offset, key.size);
        }
        const std::vector<int64_t> value = value_of(aggregation, words);
        std::memcpy(entry.data.data() + table.records.back().dtrd_offset, value.data(), value.size() * kWord);
        add_to_total(table, schema, entry.rank.value);
    }
    find_buckets(table, entries_);
}

} // namespace dt::api

namespace {

/// Stores the intervals of a tseries() that have a value. `at` is the address of the value's words.
int store_intervals(const dt::output::TimeSeries& series, const char* at, dtrace_bucket_t* buckets, int most)
{
    std::vector<int64_t> words(series.words());
    std::memcpy(words.data(), at, words.size() * sizeof words[0]);
    int count = 0;
    for (const dt::output::TimeSeries::Point& point : series.points(words)) {
        if (point.words.empty())
            continue;
        if (count < most)
            buckets[count] = {point.time, point.time + (series.interval() - 1),
                              dt::output::number_of(series.function(), point.words, 1), 0, nullptr};
        ++count;
    }
    return count;
}

} // namespace

// Implements dtrace_aggregate_buckets(). The bounds of the buckets come from HistogramShape, which the printed
// histograms use too.

extern "C" int dtrace_aggregate_buckets(dtrace_hdl_t* handle, const dtrace_aggdata_t* data, dtrace_bucket_t* buckets,
                                        int most)
{
    return dt::api::guarded(handle, -1, [&] {
        const dt::api::SnapshotTable* const table = handle->snapshot.table(data->dtada_desc->dtagd_varid);
        if (table && table->series)
            return store_intervals(*table->series, data->dtada_data + table->records.back().dtrd_offset, buckets, most);
        if (!table || !table->shape)
            return handle->fail(EDT_BADAGG, "the function of this aggregation has no buckets");
        const dt::format::HistogramShape& shape = *table->shape;
        const dtrace_recdesc_t& value = table->records.back();
        // a word with the function's parameters may precede the buckets
        const bool has_parameters = value.dtrd_size / sizeof(int64_t) > shape.words();
        const char* at = data->dtada_data + value.dtrd_offset + (has_parameters ? sizeof(int64_t) : 0);
        for (std::size_t i = 0; i < shape.size() && i < static_cast<std::size_t>(std::max(most, 0)); ++i) {
            const dt::format::HistogramShape::Bounds& bounds = shape.bounds(i);
            dtrace_bucket_t& bucket = buckets[i];
            bucket = {bounds.low.value_or(INT64_MIN), bounds.high.value_or(INT64_MAX), 0, 0, nullptr};
            std::memcpy(&bucket.dtb_count, at + i * sizeof(int64_t), sizeof bucket.dtb_count);
            if (shape.has_parts())
                bucket.dtb_name = handle->kept(shape.label(i));
            else
                bucket.dtb_flags = (bounds.low ? 0u : DTRACE_BUCKET_NOLOW) | (bounds.high ? 0u : DTRACE_BUCKET_NOHIGH) |
                                   (shape.is_ghost(i) ? DTRACE_BUCKET_NEVER : 0u);
        }
        return static_cast<int>(shape.size());
    });
}

// Walks several aggregations with equal keys together, key by key, as printa() prints them.

namespace {

using dt::api::SnapshotEntry;
using dt::api::SnapshotTable;

struct LessKey {
    bool operator()(const SnapshotEntry* a, const SnapshotEntry* b) const { return dt::api::compare_keys(*a, *b) < 0; }
};

/// Entries with the same key: one element per aggregation, null where an aggregation lacks the key.
using Bundle = std::vector<const SnapshotEntry*>;

/// Makes an entry with the initial value of the aggregating function, for an aggregation that lacks the key.
SnapshotEntry absent(const SnapshotTable& table, const SnapshotEntry& of_key)
{
    SnapshotEntry made;
    made.table = &table;
    made.normal = table.normal;
    made.data.resize(table.description->dtagd_size);
    const std::size_t keys = std::min(of_key.table->records.back().dtrd_offset, table.records.back().dtrd_offset);
    std::copy_n(of_key.data.begin(), keys, made.data.begin());
    const auto* const variable = reinterpret_cast<const char*>(&table.description->dtagd_varid);
    std::copy_n(variable, sizeof table.description->dtagd_varid, made.data.begin());
    const auto* const nothing = reinterpret_cast<const char*>(table.nothing.data());
    std::copy_n(nothing, table.nothing.size() * sizeof(int64_t), made.data.begin() + table.records.back().dtrd_offset);
    return made;
}

bool have_same_keys(const SnapshotTable& a, const SnapshotTable& b)
{
    return a.records.size() == b.records.size() &&
           std::equal(a.records.begin(), a.records.end() - 1, b.records.begin(),
                      [](const dtrace_recdesc_t& x, const dtrace_recdesc_t& y) { return x.dtrd_size == y.dtrd_size; });
}

/// Sorts the lists of entries with equal keys by one aggregation's values or by key; aggsortrev reverses the order.
void sort(std::vector<std::vector<SnapshotEntry>>& rows, const dt::PrintOptions& options)
{
    const std::size_t position = rows.empty() || options.aggsortpos >= rows[0].size() ? 0 : options.aggsortpos;
    std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
        const int by_key = dt::api::compare_keys(a[position], b[position]);
        const int by_value = dt::api::compare_values(a[position], b[position]);
        const int first = options.aggsortkey ? by_key : by_value;
        const int result = first != 0 ? first : options.aggsortkey ? by_value : by_key;
        return options.aggsortrev ? result > 0 : result < 0;
    });
}

/// Returns one list for each key that occurs in any of the aggregations. The list contains an entry of each
/// aggregation.
std::vector<std::vector<SnapshotEntry>> join(dtrace_hdl_t* handle, const std::vector<const SnapshotTable*>& tables)
{
    std::map<const SnapshotEntry*, Bundle, LessKey> bundles;
    for (const SnapshotEntry& entry : handle->snapshot.entries())
        for (std::size_t i = 0; i < tables.size(); ++i)
            if (entry.table == tables[i])
                bundles.try_emplace(&entry, tables.size()).first->second[i] = &entry;
    std::vector<std::vector<SnapshotEntry>> rows;
    for (const auto& [key, bundle] : bundles) {
        std::vector<SnapshotEntry>& row = rows.emplace_back();
        for (std::size_t i = 0; i < tables.size(); ++i)
            row.push_back(bundle[i] ? *bundle[i] : absent(*tables[i], *key));
    }
    return rows;
}

int hand_out(dtrace_hdl_t* handle, const std::vector<SnapshotEntry>& row, dtrace_aggregate_walk_joined_f* function,
             void* argument)
{
    std::vector<dtrace_aggdata_t> data;
    data.reserve(row.size());
    for (const SnapshotEntry& entry : row)
        data.push_back(dt::api::data_of(handle, entry));
    std::vector<const dtrace_aggdata_t*> all = {data.data()};
    for (const dtrace_aggdata_t& each : data)
        all.push_back(&each);
    return function(all.data(), static_cast<int>(all.size()), argument);
}

} // namespace

extern "C" int dtrace_aggregate_walk_joined(dtrace_hdl_t* handle, dtrace_aggvarid_t* variables, int number,
                                            dtrace_aggregate_walk_joined_f* function, void* argument)
{
    return dt::api::guarded(handle, -1, [&] {
        std::vector<const SnapshotTable*> tables;
        for (int i = 0; i < number; ++i) {
            tables.push_back(handle->snapshot.table(variables[i]));
            if (!tables.back() || !have_same_keys(*tables.front(), *tables.back()))
                return handle->fail(EDT_BADAGG, tables.back()
                                                    ? "all aggregations must have the same keys"
                                                    : "there is no aggregation with this identifier in the snapshot");
        }
        std::vector<std::vector<SnapshotEntry>> rows = join(handle, tables);
        sort(rows, handle->options.print());
        for (const std::vector<SnapshotEntry>& row : rows) {
            const int answer = hand_out(handle, row, function, argument);
            if (answer == DTRACE_AGGWALK_ABORT)
                return handle->fail(EDT_DIRABORT, "the callback function stopped the walk");
            if (answer != DTRACE_AGGWALK_NEXT)
                return handle->fail(EDT_BADAGG, "the callback function returned an invalid status");
        }
        return 0;
    });
}

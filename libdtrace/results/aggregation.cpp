// Compares entries by value and by key, and joins the tables that one printa() prints.
#include "libdtrace/output/aggregation_order.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace dt::output {

namespace {

using DatumKind = Datum::Kind;

bool is_integer(const Datum& datum)
{
    return datum.kind == DatumKind::Signed || datum.kind == DatumKind::Unsigned;
}

int sign(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b ? 1 : 0;
}

int compare_key(const format::Environment& env, const Datum& a, const uint8_t* key_a, const Datum& b,
                const uint8_t* key_b)
{
    if (format::is_text(a) && format::is_text(b))
        return format::load_characters(env, a, key_a).compare(format::load_characters(env, b, key_b));
    if (a.size != b.size)
        return sign(a.size, b.size);
    const uint8_t *x = key_a + a.offset, *y = key_b + b.offset;
    if (a.kind == DatumKind::Symbol)
        return sign(format::load<uint64_t>(x), format::load<uint64_t>(y));
    if (is_integer(a))
        return sign(format::load_unsigned(x, a.size), format::load_unsigned(y, b.size));
    if (a.kind == DatumKind::UserSymbol) {
        const int by_pid = sign(format::load<uint64_t>(x), format::load<uint64_t>(y));
        return by_pid != 0 ? by_pid : sign(format::load<uint64_t>(x + 8), format::load<uint64_t>(y + 8));
    }
    return std::memcmp(x, y, a.size);
}

// Returns a key as bytes that are equal exactly if two aggregations mean the same key, however each of them stores it.
std::string canonical_key(const format::Environment& env, const Aggregation& table, uint32_t entry)
{
    std::string bytes;
    const uint8_t* key = table.key(entry);
    for (const Datum& datum : table.schema().keys) {
        if (format::is_text(datum)) {
            bytes += format::load_characters(env, datum, key);
            bytes += '\0';
        } else {
            bytes.append(reinterpret_cast<const char*>(key + datum.offset), datum.size);
        }
    }
    return bytes;
}

std::vector<Row> join(std::span<const Aggregation* const> tables, const format::Environment& env)
{
    std::vector<Row> rows;
    if (tables.size() == 1) {
        rows.resize(tables[0]->size());
        for (uint32_t entry = 0; entry < rows.size(); ++entry)
            rows[entry].entries = {entry};
        return rows;
    }
    std::unordered_map<std::string, std::size_t> by_key;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        for (uint32_t entry = 0; entry < tables[i]->size(); ++entry) {
            const auto [found, is_new] = by_key.try_emplace(canonical_key(env, *tables[i], entry), rows.size());
            if (is_new)
                rows.push_back({std::vector<uint32_t>(tables.size(), Row::kAbsent)});
            rows[found->second].entries[i] = entry;
        }
    }
    return rows;
}

/// Appends one row for all expired keys. It is the last row in every sort order because it has no key.
void append_gone(std::vector<Row>& rows, std::span<const Aggregation* const> tables)
{
    Row row{std::vector<uint32_t>(tables.size(), Row::kAbsent)};
    for (std::size_t i = 0; i < tables.size(); ++i)
        if (tables[i]->has_gone())
            row.entries[i] = Aggregation::kGone;
    if (key_owner(row) != tables.size())
        rows.push_back(std::move(row));
}

// Compares rows by each aggregation's value in turn and by key. Computes the rank of each entry once, not once per
// comparison.
class RowOrder {
public:
    RowOrder(std::span<const Aggregation* const> tables, const format::Environment& env) : tables_(tables), env_(env)
    {
        const PrintOptions& options = env.options;
        first_value_ = options.aggsortpos < tables.size() ? options.aggsortpos : 0;
        first_key_ = options.aggsortkeypos < tables[0]->schema().keys.size() ? options.aggsortkeypos : 0;
        ranks_.resize(tables.size());
        for (std::size_t i = 0; i < tables.size(); ++i) {
            ranks_[i].reserve(tables[i]->size());
            for (std::size_t entry = 0; entry < tables[i]->size(); ++entry)
                ranks_[i].push_back(rank_of(*tables[i], tables[i]->words(entry)));
        }
    }

    int by_value(const Row& a, const Row& b) const
    {
        for (std::size_t n = 0; n < tables_.size(); ++n) {
            const std::size_t i = (first_value_ + n) % tables_.size();
            const Aggregation::Rank x = rank(i, a), y = rank(i, b);
            if (x.value != y.value)
                return x.value < y.value ? -1 : 1;
            if (x.tie != y.tie)
                return x.tie < y.tie ? -1 : 1;
        }
        return 0;
    }

    int by_key(const Row& a, const Row& b) const
    {
        const std::size_t i = key_owner(a), j = key_owner(b);
        return compare_keys(env_, *tables_[i], a.entries[i], *tables_[j], b.entries[j], first_key_);
    }

private:
    Aggregation::Rank rank_of(const Aggregation& table, Aggregation::Words words) const
    {
        const Aggregation::Rank whole = table.rank(words);
        if (const auto part = table.shape() ? table.shape()->part(env_.options.aggsortpart) : std::nullopt)
            return {static_cast<long double>(words[*part]), static_cast<int64_t>(whole.value)};
        return whole;
    }

    Aggregation::Rank rank(std::size_t table, const Row& row) const
    {
        const uint32_t entry = row.entries[table];
        return entry == Row::kAbsent ? Aggregation::Rank{} : ranks_[table][entry];
    }

    std::span<const Aggregation* const> tables_;
    const format::Environment& env_;
    std::size_t first_value_ = 0, first_key_ = 0;
    std::vector<std::vector<Aggregation::Rank>> ranks_;
};

} // namespace

int compare_keys(const format::Environment& env, const Aggregation& a, uint32_t entry_a, const Aggregation& b,
                 uint32_t entry_b, std::size_t first)
{
    const auto &keys_a = a.schema().keys, &keys_b = b.schema().keys;
    const std::size_t count = std::min(keys_a.size(), keys_b.size());
    for (std::size_t n = 0; n < count; ++n) {
        const std::size_t i = (first + n) % count;
        if (const int order = compare_key(env, keys_a[i], a.key(entry_a), keys_b[i], b.key(entry_b)); order != 0)
            return order;
    }
    return 0;
}

std::size_t key_owner(const Row& row)
{
    const auto owner =
        std::find_if(row.entries.begin(), row.entries.end(), [](uint32_t entry) { return entry != Row::kAbsent; });
    return static_cast<std::size_t>(owner - row.entries.begin());
}

std::vector<Row> sorted_rows(std::span<const Aggregation* const> tables, const format::Environment& env)
{
    std::vector<Row> rows = join(tables, env);
    const RowOrder order(tables, env);
    const PrintOptions& options = env.options;
    const int direction = options.aggsortrev ? -1 : 1;
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
        int result = options.aggsortkey ? order.by_key(a, b) : order.by_value(a, b);
        if (result == 0)
            result = options.aggsortkey ? order.by_value(a, b) : order.by_key(a, b);
        return result * direction < 0;
    });
    append_gone(rows, tables);
    return rows;
}

std::vector<uint32_t> ascending_by_value(const Aggregation& table, const format::Environment& env)
{
    std::vector<Aggregation::Rank> ranks;
    for (std::size_t entry = 0; entry < table.size(); ++entry)
        ranks.push_back(table.rank(table.words(entry)));
    std::vector<uint32_t> order(table.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        if (ranks[a].value != ranks[b].value)
            return ranks[a].value < ranks[b].value;
        if (ranks[a].tie != ranks[b].tie)
            return ranks[a].tie < ranks[b].tie;
        return compare_keys(env, table, a, table, b, 0) < 0;
    });
    return order;
}

} // namespace dt::output

// Converts the stored words of aggregations to printed numbers, and combines words without loss of precision. Also
// sorts and joins entries for printing.
#include "libdtrace/results/aggregation.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "bpf-runtime/abi.h"
#include "libdtrace/results/time_series.hpp"

namespace dt::output {

int64_t number_of(AggKind kind, Aggregation::Words words, int64_t by)
{
    switch (kind) {
    case AggKind::Min:
        return format::divided(static_cast<int64_t>(static_cast<uint64_t>(INT64_MAX) - static_cast<uint64_t>(words[0])),
                               by);
    case AggKind::Max:
        return format::divided(static_cast<int64_t>(static_cast<uint64_t>(words[0]) + static_cast<uint64_t>(INT64_MIN)),
                               by);
    case AggKind::Avg:
        return average(words, by);
    case AggKind::Stddev:
        return static_cast<int64_t>(deviation(words, by));
    default:
        return format::divided(words[0], by);
    }
}

int64_t Aggregation::number(Words words, int64_t by) const
{
    if (const std::optional<TimeSeries> series = TimeSeries::of(*schema_))
        return number_of(series->function(), series->whole(words), by);
    return number_of(schema_->function->kind, words, by);
}

Aggregation::Rank Aggregation::rank(Words words) const
{
    if (shape_)
        return {shape_->weight(shape_->buckets(words)), shape_->tie(words)};
    const int64_t value = number(words, 1);
    if (schema_->function->kind == AggKind::Stddev)
        return {static_cast<long double>(static_cast<uint64_t>(value)), 0};
    return {static_cast<long double>(value), 0};
}

// Computes means and deviations of 64-bit values without rounding errors. A square has up to 127 bits, so the sum of
// squares needs 192 bits. Divided by the count, the sum fits into 128 bits.

namespace {

using Words = std::span<const int64_t>;
using Wide = __int128;
using UnsignedWide = unsigned __int128;
using Squares = std::array<uint64_t, 3>; // sum of squares as three 64-bit limbs, lowest limb first

constexpr std::size_t kCount = 0, kSum = 1, kWraps = 2, kSquares = 3;

Wide sum_of(Words words)
{
    return static_cast<Wide>(static_cast<UnsignedWide>(static_cast<uint64_t>(words[kWraps])) << 64) + words[kSum];
}

void set_sum(std::span<int64_t> words, Wide sum)
{
    words[kSum] = static_cast<int64_t>(sum);
    words[kWraps] = static_cast<int64_t>((sum - words[kSum]) >> 64);
}

// Adds `from` to `into`, or subtracts `from` from `into`, one 64-bit limb after the other.
void combine_squares(std::span<int64_t> into, Words from, bool subtract)
{
    uint64_t carry = 0;
    for (std::size_t i = kSquares; i < into.size(); ++i) {
        const auto a = static_cast<uint64_t>(into[i]), b = static_cast<uint64_t>(from[i]);
        const UnsignedWide result = subtract ? UnsignedWide{a} - b - carry : UnsignedWide{a} + b + carry;
        into[i] = static_cast<int64_t>(static_cast<uint64_t>(result));
        carry = static_cast<uint64_t>(result >> 64) & 1;
    }
}

Squares divided_by(Squares squares, uint64_t divisor)
{
    UnsignedWide rest = 0;
    for (std::size_t i = squares.size(); i-- > 0;) {
        rest = rest << 64 | squares[i];
        squares[i] = static_cast<uint64_t>(rest / divisor);
        rest %= divisor;
    }
    return squares;
}

// Returns floor(sqrt(value)), computed bit by bit from the highest bit.
uint64_t square_root(UnsignedWide value)
{
    uint64_t root = 0;
    for (int bit = 63; bit >= 0; --bit) {
        const uint64_t candidate = root | uint64_t{1} << bit;
        if (static_cast<UnsignedWide>(candidate) * candidate <= value)
            root = candidate;
    }
    return root;
}

} // namespace

void add_sums(std::span<int64_t> into, Words from)
{
    into[kCount] = static_cast<int64_t>(static_cast<uint64_t>(into[kCount]) + static_cast<uint64_t>(from[kCount]));
    set_sum(into, sum_of(into) + sum_of(from));
    combine_squares(into, from, false);
}

void subtract_sums(std::span<int64_t> from, Words amount)
{
    from[kCount] = static_cast<int64_t>(static_cast<uint64_t>(from[kCount]) - static_cast<uint64_t>(amount[kCount]));
    set_sum(from, sum_of(from) - sum_of(amount));
    combine_squares(from, amount, true);
}

void combine_words(AggKind kind, std::span<int64_t> into, Words from)
{
    switch (kind) {
    case AggKind::Min:
    case AggKind::Max:
        into[0] = static_cast<int64_t>(std::max(static_cast<uint64_t>(into[0]), static_cast<uint64_t>(from[0])));
        return;
    case AggKind::Avg:
    case AggKind::Stddev:
        return add_sums(into, from);
    default:
        break;
    }
    for (std::size_t i = 0; i < into.size(); ++i)
        into[i] = static_cast<int64_t>(static_cast<uint64_t>(into[i]) + static_cast<uint64_t>(from[i]));
}

void combine_words(AggKind kind, const std::vector<int64_t>& parameters, std::span<int64_t> into, Words from)
{
    if (kind != AggKind::Tseries)
        return combine_words(kind, into, from);
    if (const Result<TimeSeries> series = TimeSeries::make(parameters))
        series.value().combine(into, from);
}

std::array<int64_t, 2> wide_sum(Words words)
{
    const auto sum = static_cast<UnsignedWide>(sum_of(words));
    return {static_cast<int64_t>(static_cast<uint64_t>(sum)), static_cast<int64_t>(static_cast<uint64_t>(sum >> 64))};
}

int64_t average(Words words, int64_t divisor)
{
    return words[kCount] == 0 ? 0 : static_cast<int64_t>(sum_of(words) / divisor / words[kCount]);
}

uint64_t deviation(Words words, int64_t divisor)
{
    if (words[kCount] <= 0 || divisor <= 0)
        return 0;
    Squares squares;
    for (std::size_t i = 0; i < squares.size(); ++i)
        squares[i] = static_cast<uint64_t>(words[kSquares + i]);
    squares = divided_by(divided_by(squares, static_cast<uint64_t>(divisor)), static_cast<uint64_t>(words[kCount]));
    const Wide mean = sum_of(words) / divisor / words[kCount];
    const Wide variance = static_cast<Wide>(UnsignedWide{squares[1]} << 64 | squares[0]) - mean * mean;
    return variance <= 0 ? 0 : square_root(static_cast<UnsignedWide>(variance));
}

// Compares entries by value and by key, and joins the tables of one printa().

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

// Returns an aggregation key in a canonical form. Canonical keys with equal meaning have equal bytes, even if two
// aggregations store the keys differently.
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

/// Appends one row for all expired keys. It is the last row in every sort order because expired keys have no key bytes.
void append_expired(std::vector<Row>& rows, std::span<const Aggregation* const> tables)
{
    Row row{std::vector<uint32_t>(tables.size(), Row::kAbsent)};
    for (std::size_t i = 0; i < tables.size(); ++i)
        if (tables[i]->has_expired())
            row.entries[i] = Aggregation::kExpired;
    if (key_owner(row) != tables.size())
        rows.push_back(std::move(row));
}

// Compares output rows by their value in each aggregation, one after the other, and then by key. The rank of each entry
// is computed once and not at each comparison.
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
    append_expired(rows, tables);
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

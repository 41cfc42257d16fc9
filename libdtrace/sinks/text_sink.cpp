// Formats sorted aggregation rows as text: the default layout, agghist, aggpack, and printa() formats.
#include "libdtrace/output/aggregation_text.hpp"

#include <cstdlib>

#include "libdtrace/output/aggregation_order.hpp"
#include "libdtrace/output/blame_tree.hpp"
#include "libdtrace/format/scalar.hpp"

namespace dt::output {

namespace {

using format::Environment;
using format::Text;
using Tables = std::span<const Aggregation* const>;
using Words = Aggregation::Words;

bool is_scalar(const Aggregation& table)
{
    return table.shape() == nullptr;
}

format::HistogramStyle style_of(const Aggregation& table, const Environment& env)
{
    return {table.divisor, env.options.aggzoom, format::bar_columns(env.columns)};
}

void append_value(Text& out, const Environment& env, const Aggregation& table, Words words)
{
    if (table.shape())
        return format::append_histogram(out, *table.shape(), table.shape()->buckets(words), style_of(table, env));
    out.append(' ');
    const int64_t number = table.number(words);
    if (env.has_estimates && table.schema().may_be_estimated) {
        Text estimate;
        estimate.append('~');
        format::append_signed(estimate, number);
        return format::append_right(out, std::string(estimate.view()), 16);
    }
    if (table.schema().function->kind == AggKind::Stddev)
        format::append_unsigned(out, static_cast<uint64_t>(number), 16);
    else
        format::append_signed(out, number, 16);
}

// Appends the value shown for a table that does not contain the row's key.
void append_absent(Text& out, const Environment& env, const Aggregation& table)
{
    if (is_scalar(table))
        return out.append("                0");
    const std::vector<int64_t> zeros(table.shape()->size());
    append_value(out, env, table, zeros);
}

void append_per_cpu(Text& out, const Environment& env, const Aggregation& table, uint32_t entry)
{
    for (uint32_t cpu = 0; cpu < table.cpus(); ++cpu) {
        out.append("\n    [CPU ");
        format::append_unsigned(out, cpu);
        out.append(']');
        append_value(out, env, table, table.words_of_cpu(entry, cpu));
    }
}

/// Returns the row's keys, truncated if the row would be wider than the terminal. `values` is the width of the values
/// in columns. Keys that contain stacks have several lines and stay whole.
std::string fitted(std::string_view keys, unsigned terminal, std::size_t values)
{
    constexpr std::string_view kCut = "...";
    if (terminal < values + kCut.size() || keys.size() + values <= terminal ||
        keys.find('\n') != std::string_view::npos)
        return std::string(keys);
    const std::size_t room = terminal - values, used = keys.find_last_not_of(' ') + 1;
    if (used <= room) // only the padding before the values is too long
        return std::string(keys.substr(0, room));
    std::size_t end = room - kCut.size();
    while (end > 0 && (static_cast<unsigned char>(keys[end]) & 0xc0) == 0x80) // do not split a UTF-8 character
        --end;
    return std::string(keys.substr(0, end)) + std::string(kCut);
}

void append_row(Text& out, const Environment& env, Tables tables, const Row& row)
{
    const std::size_t owner = key_owner(row);
    const Aggregation& with_key = *tables[owner];
    Text keys;
    for (const Datum& datum : with_key.schema().keys)
        row.entries[owner] == Aggregation::kGone
            ? format::append_gone_key(keys, env, datum)
            : format::append_key(keys, env, datum, with_key.key(row.entries[owner]));
    constexpr std::size_t kValue = 17;
    out.append(is_scalar(with_key) ? fitted(keys.view(), env.columns, kValue * tables.size())
                                   : std::string(keys.view()));
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const uint32_t entry = row.entries[i];
        if (entry == Row::kAbsent) {
            append_absent(out, env, *tables[i]);
            continue;
        }
        append_value(out, env, *tables[i], tables[i]->words(entry));
        if (tables[i]->has_per_cpu())
            append_per_cpu(out, env, *tables[i], entry);
    }
    out.append('\n');
}

// ---- agghist and aggpack --------------------------------------------------------------------------------------------

std::string joined_keys(const Environment& env, const Aggregation& table, uint32_t entry)
{
    Text text;
    if (entry == Aggregation::kGone)
        return std::string(format::kGoneKey);
    for (const Datum& datum : table.schema().keys) {
        if (!text.empty())
            text.append(' ');
        format::append_bare_key(text, env, datum, table.key(entry));
    }
    return std::string(text.view());
}

void append_as_histogram(Text& out, const Environment& env, const Aggregation& table, const std::vector<Row>& rows)
{
    // Bars show the undivided counts, as in histograms; the divisor changes only the printed numbers.
    format::Bars bars(style_of(table, env));
    const auto counted = [&](const Row& row) {
        return static_cast<int64_t>(table.rank(table.words(row.entries[0])).value);
    };
    for (const Row& row : rows)
        bars.add(counted(row));
    format::append_distribution_heading(out, "key", format::bar_columns(env.columns));
    for (const Row& row : rows) {
        format::append_right(out, joined_keys(env, table, row.entries[0]), 16);
        out.append(' ');
        bars.append(out, counted(row));
        out.append(' ');
        format::append_left(out, std::to_string(table.number(table.words(row.entries[0]))), 9);
        out.append('\n');
    }
}

// Returns whether the locale's character set is UTF-8, which has the block characters.
bool locale_is_utf8()
{
    for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* value = std::getenv(variable);
        if (value && *value) {
            const std::string_view locale(value);
            return locale.find("UTF-8") != std::string_view::npos || locale.find("utf8") != std::string_view::npos;
        }
    }
    return false;
}

void append_packed_table(Text& out, const Environment& env, const Aggregation& table, const std::vector<Row>& rows)
{
    const format::HistogramShape& shape = *table.shape();
    std::size_t first = shape.size(), last = 0;
    for (const Row& row : rows) {
        const Words buckets = shape.buckets(table.words(row.entries[0]));
        for (std::size_t i = 0; i < buckets.size(); ++i) {
            if (buckets[i] != 0) {
                first = std::min(first, i);
                last = std::max(last, i);
            }
        }
    }
    const auto range = first > last ? shape.empty_range() : shape.extend(first, last);
    const format::PackedColumns columns{range, locale_is_utf8()};
    format::append_packed_heading(out, shape, columns);
    for (const Row& row : rows)
        format::append_packed(out, shape, columns, joined_keys(env, table, row.entries[0]),
                              shape.buckets(table.words(row.entries[0])), table.divisor);
}

// ---- formats --------------------------------------------------------------------------------------------------------

class RowValues final : public format::AggregatedValues {
public:
    RowValues(const Environment& env, Tables tables, const Row& row) : env_(env), tables_(tables), row_(row) {}

    void append(Text& out, std::size_t index, const format::Layout& layout, char conversion) const override
    {
        const Aggregation& table = *tables_[index];
        const uint32_t entry = row_.entries[index];
        if (table.shape()) {
            const std::vector<int64_t> zeros(entry == Row::kAbsent ? table.shape()->size() : 0);
            return append_value(out, env_, table, entry == Row::kAbsent ? Words(zeros) : table.words(entry));
        }
        const int64_t number = entry == Row::kAbsent ? 0 : table.number(table.words(entry));
        if (conversion == 'Y' || conversion == 'T')
            return format::append_time(out, layout, conversion, number);
        const AggKind kind = table.schema().function->kind;
        const bool is_signed = conversion == 'd' && kind != AggKind::Count;
        const bool negative = is_signed && number < 0;
        const auto bits = static_cast<uint64_t>(number);
        format::append_integer(out, layout, conversion == 'd' && !is_signed ? 'u' : conversion, negative ? -bits : bits,
                               negative);
    }

    bool are_of_gone_keys() const override { return row_.entries[key_owner(row_)] == Aggregation::kGone; }

private:
    const Environment& env_;
    Tables tables_;
    const Row& row_;
};

} // namespace

void append_aggregations(Text& out, const Environment& env, Tables tables)
{
    const std::vector<Row> rows = sorted_rows(tables, env);
    const Aggregation& table = *tables[0];
    if (tables.size() == 1 && !rows.empty()) {
        const bool has_keys = !table.schema().keys.empty();
        if (table.schema().function->kind == AggKind::Blame)
            return append_blame(out, env, table, rows);
        if (env.options.agghist && is_scalar(table) && has_keys)
            return append_as_histogram(out, env, table, rows);
        if (env.options.aggpack && !is_scalar(table) && !table.shape()->has_parts())
            return append_packed_table(out, env, table, rows);
    }
    for (const Row& row : rows)
        append_row(out, env, tables, row);
}

void append_aggregations(Text& out, const Environment& env, Tables tables, std::span<const format::BoundFormat> formats)
{
    for (const Row& row : sorted_rows(tables, env)) {
        const std::size_t owner = key_owner(row);
        const RowValues values(env, tables, row);
        formats[owner].append(out, env, tables[owner]->key(row.entries[owner]), &values);
    }
}

} // namespace dt::output

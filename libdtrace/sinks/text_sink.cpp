// Writes each event of the decoder as text. Also formats aggregations and the trees of blame() as text.
#include "libdtrace/sinks/text_sink.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include "libdtrace/format/print.hpp"
#include "libdtrace/format/stack.hpp"
#include "libdtrace/format/text.hpp"
#include "libdtrace/results/time_series.hpp"

// Text output of blame(): a tree of the threads that other threads waited for (dtrace-aggregations(7), BLAME).

namespace dt::output {

/// Appends the entries of a blame(). There is one tree for each distinct tuple of the keys in the D program. Trees are
/// sorted by their total times.
void append_blame(format::Text& out, const format::Environment& env, const Aggregation& table,
                  const std::vector<Row>& rows);

TextSink::TextSink(const PrintOptions& options, Output& output, const format::Environment& env, bool reproducible)
    : options_(options), output_(output), out_(output.text()), env_(env), reproducible_(reproducible),
      prefix_(options, reproducible), packets_(output)
{
}

void TextSink::print_time()
{
    if (unreported_ != 0 && is_new_line_)
        clock_.append_time_of_day(out_, unreported_);
    unreported_ = 0;
}

void TextSink::begin(const Line& line)
{
    unreported_ = options_.timestamps ? line.time : 0;
    if (!line.printed || (options_.quiet && !options_.flowindent))
        return;
    if (!heading_printed_ || file_ != output_.files()) {
        out_.fill(' ', options_.timestamps ? WallClock::kTimeOfDay : 0);
        prefix_.append_heading(out_);
    }
    heading_printed_ = true;
    file_ = output_.files();
    print_time();
    prefix_.append(out_, env_, line.cpu, line.probe, line.stmt);
}

void TextSink::end(const Line& line)
{
    if (line.printed && !options_.quiet)
        out_.append('\n');
    if (!out_.view().empty())
        is_new_line_ = out_.view().back() == '\n';
}

void TextSink::value(const Datum& datum, const uint8_t* data)
{
    print_time();
    format::append_traced(out_, env_, datum, data);
}

void TextSink::stack(const Datum& datum, const uint8_t* data)
{
    print_time();
    format::append_stack(out_, env_, datum, data, options_.stackindent);
}

void TextSink::symbol(const Datum& datum, const uint8_t* data)
{
    print_time();
    out_.append("  ");
    format::append_left(out_, format::shown(env_, format::symbol_text(env_, datum, data)), 50);
}

void TextSink::formatted(const format::BoundFormat& format, const uint8_t* data)
{
    print_time();
    format.append(out_, env_, data);
}

void TextSink::memory(std::span<const uint8_t> bytes)
{
    format::append_hexdump(out_, bytes);
}

void TextSink::object(std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes)
{
    format::append_printed(out_, pointer, type, bytes, env_.escape);
}

void TextSink::packet(const Packet& packet)
{
    if (!packets_.write(packet))
        format::append_hexdump(out_, packet.bytes);
}

void TextSink::aggregations(Tables tables)
{
    out_.append('\n');
    append_aggregations(out_, env_, tables);
}

void TextSink::aggregations(Tables tables, std::span<const format::BoundFormat> formats)
{
    append_aggregations(out_, env_, tables, formats);
}

void TextSink::unprinted(const Aggregation& table)
{
    const Aggregation* one = &table;
    append_aggregations(out_, env_, Tables(&one, 1));
}

void TextSink::begin_snapshot(uint64_t time)
{
    if (!has_ended_)
        out_.append('\n');
    is_new_line_ = true;
    if (reproducible_)
        return;
    clock_.append_date(out_, time);
    out_.append('\n');
}

// Prints each gap in the records on a line of its own if -x drops is set. Otherwise prints nothing, because some
// programs count the lines of the output.
void TextSink::gap(const LostInterval& gap)
{
    if (!options_.drops)
        return;
    if (!std::exchange(is_new_line_, true))
        out_.append('\n');
    out_.append(lost_interval_text(gap, reproducible_));
    out_.append('\n');
}

void TextSink::estimate(const Estimate& estimate)
{
    out_.append(estimate_table(estimate));
}

void TextSink::memory_bound(std::span<const MemoryPart> parts)
{
    out_.append(memory_table({parts.begin(), parts.end()}));
}

void TextSink::interrupted()
{
    out_.append('\n'); // ends the line in which the terminal has printed ^C
}

void TextSink::end_of_records()
{
    packets_.finish();
    has_ended_ = true;
    if (!reproducible_)
        out_.append('\n');
}

std::unique_ptr<Sink> make_text_sink(const SinkOptions& with)
{
    return std::make_unique<TextSink>(with.options, with.output, with.env, with.reproducible);
}

// Formats sorted aggregation rows as text: the default layout, agghist, aggpack, and printa() formats.

namespace {

using format::Environment;
using format::Text;
using TableList = std::span<const Aggregation* const>;
using Words = Aggregation::Words;

bool is_scalar(const Aggregation& table)
{
    return !table.shape() && table.schema().function->kind != AggKind::Tseries;
}

format::HistogramStyle style_of(const Aggregation& table, const Environment& env)
{
    return {table.divisor, env.options.aggzoom, format::bar_columns(env.columns)};
}

void append_value(Text& out, const Environment& env, const Aggregation& table, Words words)
{
    if (table.shape())
        return format::append_histogram(out, *table.shape(), table.shape()->buckets(words), style_of(table, env));
    if (const std::optional<TimeSeries> series = TimeSeries::of(table.schema()))
        return append_time_series(out, *series, words, style_of(table, env));
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

// Appends the value to print if an aggregation does not contain the row's key.
void append_absent(Text& out, const Environment& env, const Aggregation& table)
{
    if (is_scalar(table))
        return out.append("                0");
    const std::vector<int64_t> zeros(table.schema().words);
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

/// Returns the row's keys, truncated if the row is wider than the terminal. `values` is the number of columns that the
/// values take. Keys that contain stacks have several lines and are not truncated.
std::string fitted(std::string_view keys, unsigned terminal, std::size_t values)
{
    constexpr std::string_view kCut = "...";
    if (terminal < values + kCut.size() || keys.size() + values <= terminal ||
        keys.find('\n') != std::string_view::npos)
        return std::string(keys);
    const std::size_t room = terminal - values, used = keys.find_last_not_of(' ') + 1;
    if (used <= room) // the row fits without padding, so only the padding between keys and values is reduced
        return std::string(keys.substr(0, room));
    std::size_t end = room - kCut.size();
    // moves `end` back to the start of a UTF-8 character
    while (end > 0 && (static_cast<unsigned char>(keys[end]) & 0xc0) == 0x80)
        --end;
    return std::string(keys.substr(0, end)) + std::string(kCut);
}

void append_entry(Text& out, const Environment& env, const Aggregation& table, uint32_t entry)
{
    if (entry == Row::kAbsent)
        return append_absent(out, env, table);
    append_value(out, env, table, table.words(entry));
    if (table.has_per_cpu())
        append_per_cpu(out, env, table, entry);
}

void append_row(Text& out, const Environment& env, TableList tables, const Row& row, const RowObserver& observer)
{
    const auto observe = [&](RowPart part, std::size_t number, uint32_t entry) {
        if (observer)
            observer(part, number, entry);
    };
    const std::size_t owner = key_owner(row);
    const uint32_t key = row.entries[owner];
    const Aggregation& with_key = *tables[owner];
    Text keys;
    std::vector<std::size_t> ends;
    for (const Datum& datum : with_key.schema().keys) {
        key == Aggregation::kExpired ? format::append_expired_key(keys, env, datum)
                                     : format::append_key(keys, env, datum, with_key.key(key));
        ends.push_back(keys.view().size());
    }
    constexpr std::size_t kValue = 17;
    const std::string shown =
        is_scalar(with_key) ? fitted(keys.view(), env.columns, kValue * tables.size()) : std::string(keys.view());
    for (std::size_t i = 0, at = 0; i < ends.size(); ++i) {
        const std::size_t end = std::min(i + 1 == ends.size() ? shown.size() : ends[i], shown.size());
        out.append(std::string_view(shown).substr(at, end - at));
        at = end;
        observe(RowPart::Key, i, key);
    }
    for (std::size_t i = 0; i < tables.size(); ++i) {
        append_entry(out, env, *tables[i], row.entries[i]);
        observe(RowPart::Value, i, row.entries[i]);
    }
    out.append('\n');
    observe(RowPart::End, 0, key);
}

// ---- agghist and aggpack --------------------------------------------------------------------------------------------

std::string joined_keys(const Environment& env, const Aggregation& table, uint32_t entry)
{
    Text text;
    if (entry == Aggregation::kExpired)
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
    // Bars show the counts before normalize() divides them, as in histograms; only the printed numbers are divided.
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

// Returns whether the locale's character set is UTF-8, which contains the block characters for bars.
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
    RowValues(const Environment& env, TableList tables, const Row& row) : env_(env), tables_(tables), row_(row) {}

    void append(Text& out, std::size_t index, const format::Layout& layout, char conversion) const override
    {
        const Aggregation& table = *tables_[index];
        const uint32_t entry = row_.entries[index];
        if (!is_scalar(table)) {
            const std::vector<int64_t> zeros(entry == Row::kAbsent ? table.schema().words : 0);
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

    bool are_of_gone_keys() const override { return row_.entries[key_owner(row_)] == Aggregation::kExpired; }

private:
    const Environment& env_;
    TableList tables_;
    const Row& row_;
};

} // namespace

void append_aggregations(Text& out, const Environment& env, TableList tables, const RowObserver& observer)
{
    const std::vector<Row> rows = sorted_rows(tables, env);
    const Aggregation& table = *tables[0];
    if (tables.size() == 1 && !rows.empty()) {
        const bool has_keys = !table.schema().keys.empty();
        if (table.schema().function->kind == AggKind::Blame)
            return append_blame(out, env, table, rows);
        if (env.options.agghist && is_scalar(table) && has_keys)
            return append_as_histogram(out, env, table, rows);
        if (env.options.aggpack && table.shape() && !table.shape()->has_parts())
            return append_packed_table(out, env, table, rows);
    }
    for (const Row& row : rows)
        append_row(out, env, tables, row, observer);
}

void append_aggregations(Text& out, const Environment& env, TableList tables,
                         std::span<const format::BoundFormat> formats)
{
    for (const Row& row : sorted_rows(tables, env)) {
        const std::size_t owner = key_owner(row);
        const RowValues values(env, tables, row);
        formats[owner].append(out, env, tables[owner]->key(row.entries[owner]), &values);
    }
}

// Builds the trees of blame(). An entry's key contains a chain in which names of threads and parts of their times
// (states) alternate. Its value is the time that belongs to the end of the chain. Each line of a tree is a thread, or a
// part of a thread's time together with the thread that it waited for.

namespace {

struct BlameNode {
    int64_t time = 0;
    std::map<std::string, BlameNode> next;
};

struct BlameTree {
    std::string keys; ///< values of the aggregation's keys in the D program, as text
    BlameNode root;
};

/// Splits a chain into tree lines: "a;futex;b;running" becomes "a", "futex <- b", "running".
std::vector<std::string> chain_lines(std::string_view chain)
{
    std::vector<std::string> lines;
    bool is_part = false;
    while (true) {
        const std::size_t end = chain.find(';');
        std::string name(chain.substr(0, end));
        if (is_part || lines.empty())
            lines.push_back(std::move(name));
        else
            lines.back() += " <- " + name;
        if (end == std::string_view::npos)
            return lines;
        is_part = lines.size() == 1 || !is_part;
        chain.remove_prefix(end + 1);
    }
}

void append_blame_node(format::Text& out, const format::Environment& env, const BlameNode& node, int64_t whole,
                       int64_t divisor, std::size_t depth)
{
    std::vector<std::pair<const std::string*, const BlameNode*>> order;
    for (const auto& [name, next] : node.next)
        order.emplace_back(&name, &next);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second->time > b.second->time; });
    for (const auto& [name, next] : order) {
        char percent[32];
        std::snprintf(percent, sizeof percent, "%8.2f ",
                      100 * static_cast<double>(next->time) / static_cast<double>(std::max<int64_t>(whole, 1)));
        out.append(percent);
        format::append_right(out, std::to_string(format::divided(next->time, divisor)), 13);
        out.fill(' ', 2 + 2 * depth);
        out.append(format::shown(env, *name));
        out.append('\n');
        append_blame_node(out, env, *next, whole, divisor, depth + 1);
    }
}

BlameTree& tree_of(std::vector<BlameTree>& trees, std::string keys)
{
    const auto known =
        std::find_if(trees.begin(), trees.end(), [&](const BlameTree& tree) { return tree.keys == keys; });
    return known != trees.end() ? *known : trees.emplace_back(BlameTree{std::move(keys), {}});
}

} // namespace

void append_blame(format::Text& out, const format::Environment& env, const Aggregation& table,
                  const std::vector<Row>& rows)
{
    std::vector<BlameTree> trees;
    const std::vector<Datum>& datums = table.schema().keys;
    for (const Row& row : rows) {
        const uint32_t entry = row.entries[0];
        const bool is_gone = entry == Aggregation::kExpired;
        format::Text keys;
        for (std::size_t i = 0; i + 1 < datums.size(); ++i)
            is_gone ? format::append_expired_key(keys, env, datums[i])
                    : format::append_key(keys, env, datums[i], table.key(entry));
        BlameNode* node = &tree_of(trees, std::string(keys.view())).root;
        const int64_t time = table.words(entry)[0];
        node->time += time;
        const std::string_view chain =
            is_gone ? format::kGoneKey : format::load_characters(env, datums.back(), table.key(entry));
        for (std::string& line : chain_lines(chain)) {
            node = &node->next[std::move(line)];
            node->time += time;
        }
    }
    std::stable_sort(trees.begin(), trees.end(), [&](const BlameTree& a, const BlameTree& b) {
        return env.options.aggsortrev ? a.root.time > b.root.time : a.root.time < b.root.time;
    });
    for (const BlameTree& tree : trees) {
        out.append(tree.keys);
        out.append("\n percent          time  chain\n");
        append_blame_node(out, env, tree.root, tree.root.time, table.divisor, 0);
        out.append('\n');
    }
}

} // namespace dt::output

#include "libdtrace/consume/sink_folded.hpp"

#include <algorithm>
#include <vector>

#include "libdtrace/format/flamegraph.hpp"
#include "libdtrace/format/scalar.hpp"
#include "libdtrace/format/stack.hpp"

namespace dt::consume {

namespace {

bool is_stack(const Datum& datum)
{
    return datum.kind == Datum::Kind::Stack || datum.kind == Datum::Kind::UserStack;
}

// "libc.so.6`write+0x10" -> "write+0x10"
std::string_view without_module(std::string_view text)
{
    const std::size_t quote = text.find('`');
    return quote == std::string_view::npos ? text : text.substr(quote + 1);
}

// Semicolons separate frames and a line is a stack, so neither may be part of one.
void append_part(std::string& line, std::string_view part)
{
    if (!line.empty())
        line += ';';
    for (const char c : part)
        line += c == ';' ? ':' : c == '\n' ? ' ' : c;
}

std::string folded_line(const AggregationTable& table, uint32_t entry, const format::Environment& env)
{
    std::string line;
    const uint8_t* key = table.key(entry);
    for (const Datum& datum : table.schema().keys) {
        if (is_stack(datum))
            continue;
        format::Text text;
        format::append_bare_key(text, env, datum, key);
        append_part(line, without_module(text.view()));
    }
    for (const Datum& datum : table.schema().keys) {
        if (!is_stack(datum))
            continue;
        std::vector<std::string> frames;
        format::for_each_frame(env, datum, key, Datum::Address::Symbol,
                               [&](std::string_view frame) { frames.emplace_back(without_module(frame)); });
        for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
            append_part(line, *frame);
    }
    return line;
}

} // namespace

bool is_foldable(const AggregationSchema& schema)
{
    if (!schema.function)
        return false;
    const AggKind kind = schema.function->kind;
    const bool adds_up = kind == AggKind::Count || kind == AggKind::Sum || kind == AggKind::Max;
    return adds_up && std::any_of(schema.keys.begin(), schema.keys.end(), is_stack);
}

void fold(const AggregationTable& table, const format::Environment& env, FoldedStacks& into)
{
    for (uint32_t entry = 0; entry < table.size(); ++entry) {
        const int64_t value = table.number(table.words(entry));
        std::string line = folded_line(table, entry, env);
        if (line.empty())
            line = "[no stack]";
        const auto [known, is_new] = into.try_emplace(std::move(line), value);
        if (is_new)
            continue;
        if (table.schema().function->kind == AggKind::Max)
            known->second = std::max(known->second, value);
        else
            known->second += value;
    }
}

void StackSink::aggregations(Tables tables)
{
    for (const AggregationTable* table : tables)
        unprinted(*table);
}

void StackSink::unprinted(const AggregationTable& table)
{
    if (!is_foldable(table.schema()))
        return;
    FoldedStacks stacks;
    fold(table, env_, stacks);
    show(table, std::move(stacks));
}

void FoldedSink::show(const AggregationTable&, FoldedStacks stacks)
{
    for (const auto& [line, value] : stacks) {
        output_.write(line);
        output_.text().append(' ');
        format::append_signed(output_.text(), value);
        output_.text().append('\n');
        output_.drain();
    }
}

void FlamegraphSink::show(const AggregationTable& table, FoldedStacks stacks)
{
    if (stacks.empty())
        return;
    if (title_.empty())
        title_ = "@" + (table.schema().name == "_" ? std::string() : table.schema().name);
    shown_[table.schema().id] = std::move(stacks);
}

void FlamegraphSink::finish()
{
    format::FlameTree tree;
    for (const auto& [id, stacks] : shown_)
        for (const auto& [line, value] : stacks)
            tree.add(line, value);
    format::append_flamegraph(output_.text(), tree, title_.empty() ? "no stacks" : title_);
}

} // namespace dt::consume

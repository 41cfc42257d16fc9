// Writes each stack as one line, outermost frame first. Frames omit addresses and offsets so that equal stacks become
// equal lines.
#include "libdtrace/output/folded_sink.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "libdtrace/format/flamegraph.hpp"
#include "libdtrace/format/scalar.hpp"
#include "libdtrace/format/stack.hpp"
#include "libdtrace/output/document.hpp"
#include "libdtrace/process/jit_symbols.hpp"

namespace dt::output {

namespace {

// Returns "write+0x10" for "libc.so.6`write+0x10", and "[libc.so.6]" for "libc.so.6`0x7f0012345678". Addresses would
// make equal stacks differ.
std::string frame_name(std::string_view text)
{
    const std::size_t quote = text.find('`');
    const std::string_view name = quote == std::string_view::npos ? text : text.substr(quote + 1);
    if (!name.starts_with("0x"))
        return std::string(name);
    return quote == std::string_view::npos ? "[unknown]" : "[" + std::string(text.substr(0, quote)) + "]";
}

// Appends a frame. Replaces semicolons and newlines, because they separate frames and stacks.
void append_part(std::string& line, std::string_view part)
{
    if (!line.empty())
        line += ';';
    for (const char c : part)
        line += c == ';' ? ':' : c == '\n' ? ' ' : c;
}

// Appends the frames, outermost first.
void append_frames(std::string& line, const Datum& datum, const uint8_t* key, const format::Environment& env,
                   bool marked)
{
    const bool user = is_user_stack(datum, key);
    std::vector<std::string> frames;
    format::for_each_frame(env, datum, key, Datum::Address::Symbol, [&](std::string_view frame) {
        frames.push_back(frame_name(format::shown(env, frame)));
        if (marked && !user)
            frames.back().insert(0, 1, format::kKernelFrame);
        else if (marked && frame.starts_with(kJitModule))
            frames.back().insert(0, 1, format::kJitFrame);
    });
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
        append_part(line, *frame);
}

std::string folded_line(const Aggregation& table, uint32_t entry, const format::Environment& env, bool marked)
{
    std::string line;
    if (entry == Aggregation::kGone)
        return std::string(format::kGoneKey);
    const uint8_t* key = table.key(entry);
    const bool has_chain = table.schema().function->kind == AggKind::Blame;
    for (const Datum& datum : table.schema().keys) {
        if (is_stack(datum))
            continue;
        format::Text text;
        format::append_bare_key(text, env, datum, key);
        if (has_chain && &datum == &table.schema().keys.back()) // a blame chain contains semicolons
            line.append(line.empty() ? "" : ";").append(text.view());
        else
            append_part(line, format::is_address(datum) ? frame_name(text.view()) : std::string(text.view()));
    }
    for (const bool user : {true, false}) // kernel frames follow user frames, whatever the order of the keys
        for (const Datum& datum : table.schema().keys)
            if (is_stack(datum) && is_user_stack(datum, key) == user)
                append_frames(line, datum, key, env, marked);
    return line;
}

/// Adds each part as a frame inside its entry.
void fold_parts(const Aggregation& table, Aggregation::Words parts, const std::string& line, FoldedStacks& into)
{
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i] == 0)
            continue;
        std::string of_part = line;
        append_part(of_part, table.shape()->label(i));
        into[of_part] += format::divided(parts[i], table.divisor);
    }
}

} // namespace

void fold(const Aggregation& table, const format::Environment& env, bool marked, FoldedStacks& into)
{
    std::vector<uint32_t> entries(table.size());
    std::iota(entries.begin(), entries.end(), 0);
    if (table.has_gone())
        entries.push_back(Aggregation::kGone);
    for (const uint32_t entry : entries) {
        std::string line = folded_line(table, entry, env, marked);
        if (table.shape()) {
            fold_parts(table, table.words(entry), line, into);
            continue;
        }
        const int64_t value = table.number(table.words(entry));
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

void FoldingSink::show(const Aggregation& table)
{
    FoldedStacks stacks;
    fold(table, env_, marked_, stacks);
    show(table, std::move(stacks));
}

void FoldedSink::begin_snapshot(uint64_t time)
{
    output_.write("# ");
    clock_.append_bare(output_.text(), time);
    output_.text().append('\n');
}

void FoldedSink::show(const Aggregation&, FoldedStacks stacks)
{
    for (const auto& [line, value] : stacks) {
        output_.write(line);
        output_.text().append(' ');
        format::append_signed(output_.text(), value);
        output_.text().append('\n');
        output_.drain();
    }
}

Result<void> FlamegraphSink::open()
{
    return begin_file(output_, "flamegraph");
}

void FlamegraphSink::show(const Aggregation& table, FoldedStacks stacks)
{
    if (stacks.empty())
        return;
    if (title_.empty())
        title_ = "@" + (table.schema().name == "_" ? std::string() : table.schema().name);
    counts_ |= table.schema().function->kind == AggKind::Count;
    shown_[table.schema().id] = std::move(stacks);
}

void FlamegraphSink::finish()
{
    format::FlameTree tree;
    for (const auto& [id, stacks] : shown_)
        for (const auto& [line, value] : stacks)
            tree.add(line, value);
    const PrintOptions& options = env_.options;
    format::FlameStyle style;
    style.title = !options.flametitle.empty() ? options.flametitle : shown_.empty() ? "no stacks" : title_;
    style.subtitle = options.flamesubtitle;
    style.unit = !options.flameunit.empty() ? options.flameunit : counts_ ? "samples" : "in all";
    style.icicle = options.flameicicle;
    format::append_flamegraph(output_.text(), tree, style);
}

std::unique_ptr<Sink> make_folded_sink(const SinkOptions& with)
{
    return std::make_unique<FoldedSink>(with.output, with.env);
}

std::unique_ptr<Sink> make_flamegraph_sink(const SinkOptions& with)
{
    return std::make_unique<FlamegraphSink>(with.output, with.env);
}

} // namespace dt::output

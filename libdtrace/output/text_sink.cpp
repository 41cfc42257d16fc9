// Writes each event of the decoder as text.
#include "libdtrace/output/text_sink.hpp"

#include <utility>

#include "libdtrace/output/aggregation_text.hpp"
#include "libdtrace/format/hexdump.hpp"
#include "libdtrace/format/print.hpp"
#include "libdtrace/format/scalar.hpp"
#include "libdtrace/format/stack.hpp"

namespace dt::output {

TextSink::TextSink(const PrintOptions& options, Output& output, const format::Environment& env, bool reproducible)
    : options_(options), output_(output), out_(output.text()), env_(env), reproducible_(reproducible),
      prefix_(options, reproducible), packets_(output)
{
}

void TextSink::tell_time()
{
    if (untold_ != 0 && is_new_line_)
        clock_.append_time_of_day(out_, untold_);
    untold_ = 0;
}

void TextSink::begin(const Line& line)
{
    untold_ = options_.wallclock ? line.time : 0;
    if (!line.printed || (options_.quiet && !options_.flowindent))
        return;
    if (!heading_printed_ || file_ != output_.files()) {
        out_.fill(' ', options_.wallclock ? WallClock::kTimeOfDay : 0);
        prefix_.append_heading(out_);
    }
    heading_printed_ = true;
    file_ = output_.files();
    tell_time();
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
    tell_time();
    format::append_traced(out_, env_, datum, data);
}

void TextSink::stack(const Datum& datum, const uint8_t* data)
{
    tell_time();
    format::append_stack(out_, env_, datum, data, options_.stackindent);
}

void TextSink::symbol(const Datum& datum, const uint8_t* data)
{
    tell_time();
    out_.append("  ");
    format::append_left(out_, format::shown(env_, format::symbol_text(env_, datum, data)), 50);
}

void TextSink::formatted(const format::BoundFormat& format, const uint8_t* data)
{
    tell_time();
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

// Prints a gap on a line of its own, but only with -x ledger, because scripts count lines.
void TextSink::gap(const Gap& gap)
{
    if (!options_.ledger)
        return;
    if (!std::exchange(is_new_line_, true))
        out_.append('\n');
    out_.append(gap_text(gap, reproducible_));
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
    out_.append('\n'); // ends the line in which the terminal shows ^C
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

} // namespace dt::output

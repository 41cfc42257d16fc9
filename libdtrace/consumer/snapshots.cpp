// Decides when snapshots of aggregations are due, and prints the snapshots. For --top, each snapshot replaces the
// previous one on the screen.
#include "libdtrace/consumer/snapshots.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "libdtrace/consumer/consumer.hpp"
#include "libdtrace/symbols/symbols.hpp"

// Implements option --top, which repeatedly prints the current aggregations. On a terminal, each output replaces the
// previous one.

namespace dt::output {

/// Returns the text as one screen: the control sequence that clears the terminal, and as many lines as fit, truncated
/// to its width.
std::string picture(std::string_view text, const Output::Size& screen);

} // namespace dt::output

// Takes snapshots at intervals and on request.

namespace dt::consume {
namespace {

constexpr uint64_t kPictureNs = kSecond; // refresh interval of --top

} // namespace

/// Returns the time at which the next snapshot of aggevery is due.
uint64_t Snapshots::next() const
{
    const uint64_t every = options_.run().aggevery;
    return every == 0 || every > UINT64_MAX - last_ ? UINT64_MAX : last_ + every;
}

uint64_t Snapshots::due() const
{
    return std::min(next(), options_.run().top ? last_picture_ + kPictureNs : UINT64_MAX);
}

Result<void> Snapshots::show(uint64_t now)
{
    const bool is_next = now >= next();
    if (is_next) // later snapshots keep their schedule even if this pass is late
        last_ = now - (now - last_) % options_.run().aggevery;
    if (std::exchange(asked_, false) || is_next)
        if (Result<void> shown = show_all(now); !shown)
            return shown;
    if (is_next)
        if (Result<void> emptied = empty(options_.run().aggevery_then); !emptied)
            return emptied;
    if (options_.run().top && now >= last_picture_ + kPictureNs) {
        last_picture_ = now;
        if (Result<void> shown = show_picture(); !shown)
            return shown;
    }
    output_.drain();
    return {};
}

Result<void> Snapshots::finish(uint64_t now)
{
    const bool is_series = options_.run().aggevery != 0 && aggregations_.count() != 0;
    if (is_series)
        sink_.begin_snapshot(now);
    if (sink_.shows_all())
        sink_.totals(totals_());
    Result<void> printed = sink_.shows_all() ? aggregations_.print_all(sink_, Aggregations::Order::OfIds)
                                             : aggregations_.print_unprinted(sink_);
    if (is_series)
        sink_.end_snapshot();
    return printed;
}

/// Prints all aggregations with the time, in the layout used at the end of the run.
Result<void> Snapshots::show_all(uint64_t now)
{
    if (aggregations_.count() == 0)
        return {};
    sink_.begin_snapshot(now);
    if (sink_.shows_all())
        sink_.totals(totals_());
    Result<void> printed = aggregations_.print_all(sink_, Aggregations::Order::OfEnd);
    sink_.end_snapshot();
    return printed;
}

Result<void> Snapshots::empty(AfterShown then)
{
    for (uint32_t id = 0; then != AfterShown::Keep && id < aggregations_.count(); ++id) {
        const Result<void> emptied =
            then == AfterShown::Clear ? aggregations_.clear(id) : aggregations_.truncate(id, 0);
        if (!emptied)
            return emptied;
    }
    return {};
}

Result<void> Snapshots::show_picture()
{
    const auto terminal = options_.print().format == OutputFormat::Text ? output_.terminal() : std::nullopt;
    if (terminal)
        output_.send();
    if (Result<void> printed = aggregations_.print_all(sink_, Aggregations::Order::OfIds); !printed || !terminal)
        return printed;
    const std::string shown = output::picture(output_.text().view(), *terminal);
    output_.text().clear();
    output_.write(shown);
    return {};
}

Result<void> print_elsewhere(Aggregations& aggregations, PrintOptions options, format::Environment& env, Output& to,
                             OutputFormat format, const output::Totals& totals)
{
    options.format = format;
    env.symbols.update();
    const auto now = now_monotonic();
    aggregations.begin_pass(now, true); // `true`: the snapshot ignores option aggrate
    const unsigned columns = std::exchange(env.columns, 0);
    const std::unique_ptr<output::Sink> sink = output::make_sink({options, to, env, reproducible_output()});
    Result<void> printed = sink->open();
    sink->totals(totals);
    if (printed)
        printed = aggregations.print_all(*sink, Aggregations::Order::OfEnd);
    sink->finish();
    env.columns = columns;
    aggregations.begin_pass(now, false);
    return printed;
}

Result<void> append_metrics(Aggregations& aggregations, const format::Environment& env, output::MetricPage& page,
                            std::string_view common, const output::Totals& totals)
{
    env.symbols.update();
    const auto now = now_monotonic();
    aggregations.begin_pass(now, true);
    output::append_totals(page, totals, common);
    Result<void> appended = aggregations.append_metrics(page, common);
    aggregations.begin_pass(now, false);
    return appended;
}

} // namespace dt::consume

// Truncates lines, because a line wider than the terminal would wrap and push other lines off the screen.

namespace dt::output {
namespace {

constexpr std::string_view kClear = "\033[H\033[2J"; // moves the cursor home and clears the screen (ECMA-48)

/// Returns the first `columns` columns of the line, without splitting a UTF-8 character.
std::string_view cut(std::string_view line, std::size_t columns)
{
    std::size_t end = 0, used = 0;
    for (; end < line.size(); ++end) {
        const bool continues = (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80;
        if (!continues && used++ == columns)
            break;
    }
    return line.substr(0, end);
}

} // namespace

std::string picture(std::string_view text, const Output::Size& screen)
{
    std::string result(kClear);
    text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
    for (unsigned rows = 1; rows < screen.rows && !text.empty(); ++rows) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        result.append(cut(text.substr(0, end), screen.columns)).append("\n");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

} // namespace dt::output

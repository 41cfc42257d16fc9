#include "libdtrace/format/wall_clock.hpp"

#include <ctime>

#include "base/time.hpp"
#include "libdtrace/format/printf.hpp"

namespace dt::output {
namespace {

using format::Text;

/// Returns CLOCK_REALTIME minus CLOCK_MONOTONIC in ns. The difference changes when a user sets the clock, so it is read
/// again once a second.
int64_t wall_offset()
{
    const int64_t monotonic = now_ns(CLOCK_MONOTONIC);
    return now_ns(CLOCK_REALTIME) - monotonic;
}

void append_digits(Text& out, uint64_t number, std::size_t digits)
{
    const std::string text = std::to_string(number);
    out.fill('0', digits - std::min(digits, text.size()));
    out.append(text);
}

} // namespace

uint64_t WallClock::since_epoch(uint64_t monotonic)
{
    if (const uint64_t second = monotonic / kSecond; second != second_ || !known_) {
        second_ = second;
        known_ = true;
        offset_ = wall_offset();
    }
    return static_cast<uint64_t>(static_cast<int64_t>(monotonic) + offset_);
}

void WallClock::append(Text& out, uint64_t monotonic)
{
    out.append('"');
    append_bare(out, monotonic);
    out.append('"');
}

void WallClock::append_date(Text& out, uint64_t monotonic)
{
    format::append_time(out, {}, 'Y', static_cast<int64_t>(since_epoch(monotonic)));
}

void WallClock::append_bare(Text& out, uint64_t monotonic)
{
    const uint64_t now = since_epoch(monotonic);
    const auto seconds = static_cast<time_t>(now / kSecond);
    tm utc{};
    gmtime_r(&seconds, &utc);
    char text[32];
    out.append({text, std::strftime(text, sizeof text, "%FT%T.", &utc)});
    append_digits(out, now % kSecond, 9);
    out.append('Z');
}

void WallClock::append_time_of_day(Text& out, uint64_t monotonic)
{
    const uint64_t now = since_epoch(monotonic);
    const auto seconds = static_cast<time_t>(now / kSecond);
    tm local{};
    localtime_r(&seconds, &local);
    char text[16];
    out.append({text, std::strftime(text, sizeof text, "%T.", &local)});
    append_digits(out, now % kSecond / 1000, 6);
    out.append(' ');
}

} // namespace dt::output

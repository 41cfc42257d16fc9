// Messages to stderr: run-time errors and drops. Text that is already in the output buffer is written before a message.
// Repeated messages are limited.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.hpp"

namespace dt {
class Output;
}

namespace dt::output {

/// Writes "PROGRAM: TEXT" and a newline to stderr in one write. PROGRAM is the base name of argv[0]. If messages have a
/// prefix (MessageTarget), it follows PROGRAM as "PREFIX: ".
void print_message(Output& output, std::string_view text);

/// Writes complete lines to stderr unchanged.
void print_messages(Output& output, std::string_view lines);

/// A message about the run, for example about lost data, and not about recorded values.
struct Note {
    std::string_view tag; ///< name of the message for other programs; dtrace-output(7) lists all names
    std::vector<std::pair<std::string_view, uint64_t>> numbers;
    std::string text;
    bool is_loss = true; ///< whether the message reports lost firings; such a message is always printed
};

/// Writes the note. With `as_json` it is one JSON object per line: {"type":"note","tag":"…","message":"…"} and one
/// member for each of the note's numbers.
void print_message(Output& output, const Note& note, bool as_json);

} // namespace dt::output

// Limits repeated messages. The first messages of a kind are printed. Later messages are only counted, and their count
// is printed every ten seconds and at the end.
//
// In a run of months, the same problem may occur at each firing, or in each pass of the consumer. Identical lines would
// hide all others and fill the disk. After a period without the message, its first occurrences are printed again.

namespace dt::consume {

/// The counts for one kind of message that may be repeated.
class MessageLimiter {
public:
    /// Returns true if the message is to be printed, which is the case for the first `lines` messages of a period.
    /// Otherwise adds `count` to the number of suppressed occurrences and returns false.
    bool admits(uint64_t lines, uint64_t count = 1)
    {
        was_quiet_ = false;
        if (admitted_ < lines) {
            ++admitted_;
            return true;
        }
        counted_ += count;
        all_counted_ += count;
        return false;
    }

    /// Ends the current period, and returns how many occurrences of the message were suppressed in it.
    uint64_t end_period()
    {
        if (std::exchange(was_quiet_, true))
            admitted_ = 0;
        return std::exchange(counted_, 0);
    }
    /// Returns the number of suppressed occurrences since the start.
    uint64_t all_counted() const { return all_counted_; }

private:
    uint64_t admitted_ = 0, counted_ = 0, all_counted_ = 0;
    bool was_quiet_ = true;
};

/// Measures the period after which the counts of suppressed messages are printed. Times are CLOCK_MONOTONIC ns.
class LimiterPeriod {
public:
    void begin(uint64_t now) { began_ = now; }
    bool is_over(uint64_t now) const { return now >= began_ + kPeriod; }
    /// Starts the next period. Returns a text about the previous one, for example " in the last 10 s".
    std::string end(uint64_t now)
    {
        const uint64_t seconds = (now - std::exchange(began_, now) + kSecond / 2) / kSecond;
        return " in the last " + std::to_string(seconds) + " s";
    }

private:
    static constexpr uint64_t kPeriod = 10 * kSecond;
    uint64_t began_ = 0;
};

} // namespace dt::consume

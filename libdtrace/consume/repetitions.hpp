// What is told again and again: the first ones have a line each, and those behind them are counted, and told as a
// number every ten seconds and at the end.
//
// In a run of months the same thing goes wrong at each firing, or loses a record in each pass. Its equal lines would
// bury everything else and fill the disk. When it was quiet for as long, whatever comes is news, and has its lines
// again.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/time.hpp"

namespace dt::consume {

/// One thing that is told.
class Repetition {
public:
    /// It has happened once more, or `count` more: is that told now? Else it is counted.
    bool is_told(uint64_t lines, uint64_t count = 1)
    {
        was_quiet_ = false;
        if (told_ < lines) {
            ++told_;
            return true;
        }
        counted_ += count;
        all_counted_ += count;
        return false;
    }

    /// The period is over: how many were counted in it.
    uint64_t end_period()
    {
        if (std::exchange(was_quiet_, true))
            told_ = 0;
        return std::exchange(counted_, 0);
    }
    /// Since the beginning.
    uint64_t all_counted() const { return all_counted_; }

private:
    uint64_t told_ = 0, counted_ = 0, all_counted_ = 0;
    bool was_quiet_ = true;
};

/// When numbers are told; ns by CLOCK_MONOTONIC.
class RepetitionPeriod {
public:
    void begin(uint64_t now) { began_ = now; }
    bool is_over(uint64_t now) const { return now >= began_ + kPeriod; }
    /// Another begins. " in the last 10 s": what is to be said of the one that is over.
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

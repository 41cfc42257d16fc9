// Idle detection: decides when a trace without records may sleep for long.
//
// A tracer that is always on is idle most of the time. While active it checks for records ten times a second, so that a
// line is delayed by at most 100 ms; events without a descriptor are checked more often. After a check without records,
// the BPF programs are asked to send wakeups (consume/bell.hpp). After one more such check the tracer sleeps until a
// wakeup, or until other work is due. A wakeup is usually a single record, so the tracer asks for the next one
// immediately. If more records follow, it stays active until none arrive.
#pragma once

#include <cstdint>

#include "base/time.hpp"

namespace dt {

class Rest {
public:
    /// Minimum time without records before wakeups are requested. On a terminal checks are frequent, so a single one
    /// may easily find nothing.
    static constexpr uint64_t kQuietNs = 50 * kMillisecond;
    /// Minimum time between the request and relying on wakeups. A program that wrote a record just before the request
    /// has finished by then, and later programs see the request.
    static constexpr uint64_t kAskedNs = 5 * kMillisecond;

    /// Notes that a record arrived at `now` (CLOCK_MONOTONIC ns).
    void came(uint64_t now)
    {
        state_ = state_ == State::Resting ? State::Asking : State::Awake;
        since_ = now;
    }
    /// Notes that a check at `now` found no record and no wakeup.
    void found_nothing(uint64_t now)
    {
        if (state_ == State::Awake && now - since_ >= kQuietNs) {
            state_ = State::Asking;
            since_ = now;
        } else if (state_ == State::Asking && now - since_ >= kAskedNs) {
            state_ = State::Resting;
        }
    }

    /// Returns whether programs must send wakeups.
    bool asks() const { return state_ != State::Awake; }
    /// Returns whether the tracer may rely on wakeups for everything urgent.
    bool rests() const { return state_ == State::Resting; }

private:
    enum class State : uint8_t { Awake, Asking, Resting } state_ = State::Awake;
    uint64_t since_ = 0;
};

} // namespace dt

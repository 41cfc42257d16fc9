// When a trace to which nothing comes may sleep long.
//
// A tracer that is always on mostly waits. Between a record and its line there are 100 ms at most, so it looks ten
// times a second, and what no descriptor tells of it looks for more often. After a second in which nothing came it asks
// its programs to ring (consume/bell.hpp), and from then on it sleeps until one of them does, or something else is due.
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.hpp"

namespace dt {

class Rest {
public:
    /// Without anything, before programs are asked: what ticks once a second finds a trace that rests in between.
    static constexpr uint64_t kQuietNs = 250 * kMillisecond;
    /// Between asking programs to ring and believing that they do, at least: what a program sent just before is there
    /// to be read then, and one that runs since has seen that it is asked.
    static constexpr uint64_t kAskedNs = 5 * kMillisecond;

    /// At `now` (CLOCK_MONOTONIC, ns) something came.
    void came(uint64_t now)
    {
        state_ = State::Awake;
        since_ = now;
    }
    /// At `now` a look has found nothing, and nobody has rung.
    void found_nothing(uint64_t now)
    {
        if (state_ == State::Awake && now - since_ >= kQuietNs) {
            state_ = State::Asking;
            since_ = now;
        } else if (state_ == State::Asking && now - since_ >= kAskedNs) {
            state_ = State::Resting;
        }
    }

    /// ns until the look for what was there before programs were asked; nothing: there is none to come.
    std::optional<uint64_t> until_last_look(uint64_t now) const
    {
        if (state_ != State::Asking)
            return std::nullopt;
        return now < since_ + kAskedNs ? since_ + kAskedNs - now : 0;
    }

    /// Are programs to ring?
    bool asks() const { return state_ != State::Awake; }
    /// Whatever is to be seen soon is rung for.
    bool rests() const { return state_ == State::Resting; }

private:
    enum class State : uint8_t { Awake, Asking, Resting } state_ = State::Awake;
    uint64_t since_ = 0;
};

} // namespace dt

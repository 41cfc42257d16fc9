// When a trace to which nothing comes may sleep long.
//
// A tracer that is always on mostly waits. Between a record and its line there are 100 ms at most, so it looks ten
// times a second, and what no descriptor tells of it looks for more often. When a look has found nothing, it asks its
// programs to ring (consume/bell.hpp), and after one more it sleeps until one of them does, or something else is due.
// What wakes it is mostly alone: it asks again at once, and if there is more it stays awake until there is none.
#pragma once

#include <cstdint>

#include "base/time.hpp"

namespace dt {

class Rest {
public:
    /// Without anything, before programs are asked: a look of those on a terminal, which are many, may find nothing.
    static constexpr uint64_t kQuietNs = 50 * kMillisecond;
    /// Between asking programs to ring and believing that they do, at least: what a program sent just before is there
    /// to be read then, and one that runs since has seen that it is asked.
    static constexpr uint64_t kAskedNs = 5 * kMillisecond;

    /// At `now` (CLOCK_MONOTONIC, ns) something came.
    void came(uint64_t now)
    {
        state_ = state_ == State::Resting ? State::Asking : State::Awake;
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

    /// Are programs to ring?
    bool asks() const { return state_ != State::Awake; }
    /// Whatever is to be seen soon is rung for.
    bool rests() const { return state_ == State::Resting; }

private:
    enum class State : uint8_t { Awake, Asking, Resting } state_ = State::Awake;
    uint64_t since_ = 0;
};

} // namespace dt

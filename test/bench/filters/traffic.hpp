// Real events of the kernel, made by the calling thread.
#pragma once

#include <memory>
#include <string>

#include "test/bench/filters/shapes.hpp"

namespace dt::bench::filters {

class Traffic {
public:
    virtual ~Traffic() = default;
    /// What the next events are to be like.
    virtual void use(const Shape& shape, Bias bias) = 0;
    virtual void fire(std::size_t events) = 0;
    /// Switches: how often its threads slept so far, by the kernel's account.
    virtual long sleeps() { return 0; }
};

/// System calls with six arguments; UDP over the loopback device of a network namespace that the calling thread enters
/// for good; two threads that wake each other, two switches for two events. Null, and `problem` says why, where it
/// cannot be.
std::unique_ptr<Traffic> make_traffic(Source source, std::string& problem);

/// The system call of chains with these arguments: six words.
void call_with(const uint8_t* event);

} // namespace dt::bench::filters

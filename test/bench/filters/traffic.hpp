// Makes real kernel events in the calling thread, for the filters of the experiments.
#pragma once

#include <memory>
#include <string>

#include "test/bench/filters/shapes.hpp"

namespace dt::bench::filters {

class Traffic {
public:
    virtual ~Traffic() = default;
    /// Sets which filter the next events are for, and which of them pass it.
    virtual void use(const Shape& shape, Bias bias) = 0;
    virtual void fire(std::size_t events) = 0;
    /// For task switches: returns how often the two threads have slept, as the kernel counted it. For other events:
    /// returns 0.
    virtual long sleeps() { return 0; }
};

/// Returns a generator of events: system calls with six arguments, UDP packets over loopback, or two threads that wake
/// each other (two switches for two events). For UDP, the calling thread enters a new network namespace permanently.
/// Returns null and sets `problem` on failure.
std::unique_ptr<Traffic> make_traffic(Source source, std::string& problem);

/// Makes the system call that the filters with chained predicates observe, with six words of the event as arguments.
void call_with(const uint8_t* event);

} // namespace dt::bench::filters

// Makes real kernel events in the calling thread.
#pragma once

#include <memory>
#include <string>

#include "test/bench/filters/shapes.hpp"

namespace dt::bench::filters {

class Traffic {
public:
    virtual ~Traffic() = default;
    /// Sets the distribution of the next events.
    virtual void use(const Shape& shape, Bias bias) = 0;
    virtual void fire(std::size_t events) = 0;
    /// For task switches: returns how often the two threads have slept, as counted by the kernel. For other events:
    /// returns 0.
    virtual long sleeps() { return 0; }
};

/// Returns a generator of events: system calls with six arguments, UDP packets over loopback, or two threads that wake
/// each other (two switches for two events). For UDP, the calling thread enters a new network namespace permanently.
/// Returns null and sets `problem` on failure.
std::unique_ptr<Traffic> make_traffic(Source source, std::string& problem);

/// Makes the system call of the chain filters with six words as arguments.
void call_with(const uint8_t* event);

} // namespace dt::bench::filters

// Common interface of the filter implementations in user space.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "test/bench/filters/shapes.hpp"

namespace dt::bench::filters {

/// Ring buffer to which a user-space tracer would record: time and bytes of each event.
class Recorder {
public:
    void write(const uint8_t* event, std::size_t size);

private:
    std::vector<uint8_t> buffer_ = std::vector<uint8_t>(1 << 20);
    std::size_t at_ = 0;
};

class Evaluator {
public:
    virtual ~Evaluator() = default;
    /// Runs the filter on `count` events from the index `first`, and returns how many pass. Writes the passing events
    /// to `recorder` unless it is null.
    virtual long run(const Events& events, std::size_t first, std::size_t count, Recorder* recorder) = 0;
    std::string name;
};

/// Returns all implementations of this filter. The first one has no filter, for comparison. If the virtual machine
/// cannot run the filter, its implementations are omitted, and `problem` has the reason.
std::vector<std::unique_ptr<Evaluator>> user_evaluators(const Shape& shape, std::string& problem);

} // namespace dt::bench::filters

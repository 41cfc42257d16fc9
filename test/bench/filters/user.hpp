// Common interface of the user-space evaluators of filters.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "test/bench/filters/shapes.hpp"

namespace dt::bench::filters {

/// Buffer that a user-space tracer would record to: time and bytes of each event, in a ring.
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
    /// Returns how many of the events first .. first + count pass the filter, and writes these to `recorder` unless it
    /// is null.
    virtual long run(const Events& events, std::size_t first, std::size_t count, Recorder* recorder) = 0;
    std::string name;
};

/// Returns all evaluators for this filter. The first one has no filter. If the virtual machine cannot run the filter,
/// its evaluators are omitted and `problem` is set.
std::vector<std::unique_ptr<Evaluator>> user_evaluators(const Shape& shape, std::string& problem);

} // namespace dt::bench::filters

// The evaluators of filters in user space, behind one interface.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "test/bench/filters/shapes.hpp"

namespace dt::bench::filters {

/// Where a tracer in user space puts what passes: a time and the event's bytes, one after the other round a buffer.
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
    /// How many of the events first .. first + count pass; each that does is written to `recorder`, unless that is
    /// null.
    virtual long run(const Events& events, std::size_t first, std::size_t count, Recorder* recorder) = 0;
    std::string name;
};

/// All there are for this filter, the first without a filter at all; a virtual machine that cannot run it is left out,
/// and `problem` says why.
std::vector<std::unique_ptr<Evaluator>> user_evaluators(const Shape& shape, std::string& problem);

} // namespace dt::bench::filters

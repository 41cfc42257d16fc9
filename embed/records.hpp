// From samples to records: what an action recorded, as values, and what was recorded by speculation when it is
// committed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bpf-runtime/vm/maps.hpp"
#include "embed/description.hpp"
#include "embed/dtrace_engine.h"

namespace dt::embed {

using Samples = std::vector<vm::Sample>;

/// Values of data, and the memory of those that are text. Data beyond the bytes are passed over.
class Values {
public:
    void read(const std::vector<Datum>& data, std::span<const uint8_t> bytes, const std::vector<std::string>& names);
    void add(int64_t number, dt_value_kind kind);
    const std::vector<dt_value>& list();

private:
    std::vector<dt_value> values_;
    std::vector<std::string> texts_; ///< of the values, where they have one
};

/// Samples of open speculations wait here.
class Speculations {
public:
    /// Puts what may be seen now behind `seen`, in order.
    void sort(Samples samples, const Description& description, Samples& seen);

private:
    void end(const vm::Sample& sample, const Statement& statement, Samples& seen);

    std::map<uint32_t, Samples> open_; ///< by serial number
};

/// Calls `each` for every record of a sample; their number.
long for_each_record(const vm::Sample& sample, const Description& description, void (*each)(const dt_record*, void*),
                     void* context);

} // namespace dt::embed

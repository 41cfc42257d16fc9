// Conversion of samples to records with values, and release of speculative records on commit.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/embed/description.hpp"
#include "engine/embed/dtrace_engine.h"
#include "engine/program/maps.hpp"

namespace dt::embed {

using Samples = std::vector<vm::Sample>;

/// Values of a record, and the memory of its strings. Data that would lie outside of the sample's bytes are skipped.
class Values {
public:
    void read(const std::vector<Datum>& data, std::span<const uint8_t> bytes, const std::vector<std::string>& names);
    void add(int64_t number, dt_value_kind kind);
    const std::vector<dt_value>& list();

private:
    std::vector<dt_value> values_;
    std::vector<std::string> texts_; ///< characters of string values; values_[i] points into element i
};

/// Samples of unfinished speculations.
class Speculations {
public:
    /// Appends to `seen`, in order, all samples except those of unfinished speculations, which are stored until the
    /// speculation ends.
    void sort(Samples samples, const Description& description, Samples& seen);

private:
    void end(const vm::Sample& sample, const Statement& statement, Samples& seen);

    std::map<uint32_t, Samples> open_; ///< samples of unfinished speculations, by serial number
};

/// Calls `each` for every record of a sample. Returns the number of records.
long for_each_record(const vm::Sample& sample, const Description& description, void (*each)(const dt_record*, void*),
                     void* context);

} // namespace dt::embed

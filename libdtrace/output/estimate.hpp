// What a trace is going to cost (dtrace --estimate).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dt::output {

struct EstimatedProbe {
    uint32_t id = 0;
    std::string name;
    double rate = 0;               ///< firings a second
    double passed = 1;             ///< the part of them for which a predicate held
    double program = 0;            ///< ns of one, as the mean of those that pass and those that do not
    std::optional<double> outside; ///< ns a firing takes before and behind the program

    /// Of one CPU.
    double share() const { return rate * (program + outside.value_or(0)) / 1e9; }
};

struct Estimate {
    std::vector<EstimatedProbe> probes; ///< that fired, the dearest first
    std::size_t all = 0;                ///< probes that there are
    std::size_t counted = 0;            ///< those whose firings were counted
    double seconds = 0;                 ///< that it was done for
    uint32_t cpus = 1;
    double attaching = 0;                 ///< seconds
    double samples = 0, sample_bytes = 0; ///< a second, that are recorded
    bool has_other_predicates = false;    ///< that could not be asked: shares are upper bounds
    bool knows_all_outside = true;
    std::string needs; ///< the rights without which nothing was counted; empty: it was

    /// Of one CPU, by all probes that there are.
    double share() const;

    /// What is counted stands for so many.
    double scale() const { return counted == 0 ? 1 : static_cast<double>(all) / static_cast<double>(counted); }
};

/// Lines for a person.
std::string estimate_table(const Estimate& estimate);
/// What comes behind them when all is detached again: that takes seconds where probes are many, and nobody is to wait
/// for the price so long.
std::string detached_line(double seconds);

/// The same numbers for programs: whole ones, whose names end with their units. Nothing: not known.
using NamedNumbers = std::vector<std::pair<std::string_view, std::optional<uint64_t>>>;
NamedNumbers named_numbers(const EstimatedProbe& probe);
NamedNumbers named_numbers(const Estimate& estimate);
std::pair<std::string_view, uint64_t> named_detaching(double seconds);

} // namespace dt::output

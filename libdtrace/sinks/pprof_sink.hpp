// A profile in pprof's format (github.com/google/pprof, proto/profile.proto). A profile contains stacks with one value
// for each counted quantity, addresses with file and build ID, and a string table.
//
// Copies of one function may lie at different addresses in processes, and other programs merge profiles of many hosts.
// So an offset in a file is one location, even if processes map the file at different addresses. The address in the
// profile is the location's address in the first process in which it occurred.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "libdtrace/symbols/symbols.hpp"

namespace dt::output {

class PprofProfile {
public:
    using Locations = std::vector<uint64_t>; ///< ids of the locations of a stack, innermost first
    using Labels = std::vector<std::pair<std::string, std::string>>;

    /// Returns the index of a value type, such as "cpu" in "nanoseconds"; creates it if needed.
    std::size_t value_type(const std::string& name, const std::string& unit);
    /// Returns the id of the location of a stack frame in the profile. If `address` is 0, the frame consists only of a
    /// name.
    uint64_t location(const AddressOrigin& origin, uint64_t address);
    /// Adds `value` to the value of the sample with this stack, these labels and the value type `type`.
    void add(const Locations& stack, const Labels& labels, std::size_t type, int64_t value);
    /// Sets the value of the sample with this stack, these labels and the value type `type` to `value` if `value` is
    /// larger.
    void raise(const Locations& stack, const Labels& labels, std::size_t type, int64_t value);
    /// For all samples, sets the value of the value type `type` to 0.
    void clear(std::size_t type);
    /// Adds a comment to the profile.
    void comment(const std::string& text) { comments_.push_back(string(text)); }

    /// Returns the encoded message. `began` is ns since the epoch, `lasted` is a duration in ns; 0 means unknown.
    std::string encoded(uint64_t began, uint64_t lasted) const;

private:
    struct Mapping {
        uint64_t start = 0, end = 0, offset = 0, path = 0, build_id = 0;
        bool has_functions = false, has_lines = false, has_inlined = false;
        bool is_program = false; ///< whether the file is an executable, and not a library or the kernel
    };
    struct Line {
        uint64_t function = 0, line = 0;
        auto operator<=>(const Line&) const = default;
    };
    struct Location {
        /// the id of the mapping that contains the address (0 if none), and the address
        uint64_t mapping = 0, address = 0;
        std::vector<Line> lines;
        auto operator<=>(const Location&) const = default;
    };
    using Function = std::pair<uint64_t, uint64_t>; ///< a function: string indexes of its name and of its file
    struct Sample {
        Locations stack;
        std::vector<std::pair<uint64_t, uint64_t>> labels;
        auto operator<=>(const Sample&) const = default;
    };
    using Values = std::vector<int64_t>;

    uint64_t string(const std::string& text) { return strings_.try_emplace(text, strings_.size()).first->second; }
    uint64_t mapping(const AddressOrigin& origin);
    int64_t& value(const Locations& stack, const Labels& labels, std::size_t type);
    template <typename Writer> void write_mappings(Writer& profile) const;
    template <typename Writer> void write_locations(Writer& profile) const;
    template <typename Writer> void write_samples(Writer& profile) const;

    std::map<std::string, uint64_t> strings_{{"", 0}};
    std::vector<std::pair<uint64_t, uint64_t>> types_; ///< value types: string indexes of their names and units
    std::map<std::tuple<std::string, std::string, uint64_t>, uint64_t> mapping_ids_;
    std::vector<Mapping> mappings_;             ///< mappings, indexed by id - 1
    std::map<Function, uint64_t> function_ids_; ///< ids of functions; like the ids of locations, they begin at 1
    std::map<Location, uint64_t> location_ids_;
    std::map<Sample, Values> samples_;
    std::vector<uint64_t> comments_;
};

} // namespace dt::output

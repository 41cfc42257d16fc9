// A profile as pprof has it (github.com/google/pprof, proto/profile.proto): stacks with a value for each thing that was
// counted, their addresses by file and build id, and all names once.
//
// Other programs put profiles of many processes and hosts together and look functions up later, so a place in a file is
// one location however many processes map the file, each somewhere else: addresses are as the first of them has it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "libdtrace/world/address_origin.hpp"

namespace dt::output {

class PprofProfile {
public:
    using Locations = std::vector<uint64_t>; ///< of a stack, innermost first
    using Labels = std::vector<std::pair<std::string, std::string>>;

    /// What values of samples count ("cpu" in "nanoseconds"); one that is known already is the same one.
    std::size_t value_type(const std::string& name, const std::string& unit);
    /// A place in a stack. `address` 0: none.
    uint64_t location(const AddressOrigin& origin, uint64_t address);
    /// Added to what the same stack with the same labels has already.
    void add(const Locations& stack, const Labels& labels, std::size_t type, int64_t value);
    /// The larger of both.
    void raise(const Locations& stack, const Labels& labels, std::size_t type, int64_t value);
    /// All values of this type are 0 again.
    void clear(std::size_t type);
    /// What whoever reads it should know.
    void comment(const std::string& text) { comments_.push_back(string(text)); }

    /// The message. `began` is ns since the epoch, `lasted` ns; 0: not told.
    std::string encoded(uint64_t began, uint64_t lasted) const;

private:
    struct Mapping {
        uint64_t start = 0, end = 0, offset = 0, path = 0, build_id = 0;
        bool has_functions = false, has_lines = false, has_inlined = false;
        bool is_program = false; ///< no library, and not the kernel
    };
    struct Line {
        uint64_t function = 0, line = 0;
        auto operator<=>(const Line&) const = default;
    };
    struct Location {
        uint64_t mapping = 0, address = 0; ///< mapping 0: none
        std::vector<Line> lines;
        auto operator<=>(const Location&) const = default;
    };
    using Function = std::pair<uint64_t, uint64_t>; ///< name, file
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
    std::vector<std::pair<uint64_t, uint64_t>> types_; ///< name and unit
    std::map<std::tuple<std::string, std::string, uint64_t>, uint64_t> mapping_ids_;
    std::vector<Mapping> mappings_;             ///< by id, from 1
    std::map<Function, uint64_t> function_ids_; ///< from 1, as those of locations
    std::map<Location, uint64_t> location_ids_;
    std::map<Sample, Values> samples_;
    std::vector<uint64_t> comments_;
};

} // namespace dt::output

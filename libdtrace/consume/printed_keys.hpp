// Equality of aggregation keys: two keys are equal if they print the same.
//
// The kernel records stacks and symbols as addresses. The same function of a library has a different address in each
// process, so one printed stack would be counted as many. A service also gets a new control group at each start. So
// keys are compared by their printed form, in which numbers represent texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/world/cgroups.hpp"
#include "libdtrace/world/symbols.hpp"

namespace dt::consume {

class PrintedKeys {
public:
    /// Returns bytes that are equal for two keys exactly if both print the same. Data other than addresses and control
    /// groups are compared by value. `cgroups` may be null. The result is valid until the next call.
    const std::string& of(const AggregationSchema& schema, const uint8_t* key, Symbols& symbols,
                          ControlGroups* cgroups);

private:
    struct Place {
        int64_t pid; ///< kKernel: the address is in the kernel
        uint64_t address;
        Datum::Address form;
        Symbols::Use use = Symbols::Use::Exact;
        bool operator==(const Place&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Place& place) const
        {
            const auto mixed = (place.address ^ static_cast<uint64_t>(place.pid) << 40 ^
                                static_cast<uint64_t>(place.form) << 1 ^ static_cast<uint64_t>(place.use)) *
                               0x9e3779b97f4a7c15;
            return static_cast<std::size_t>(mixed ^ mixed >> 32);
        }
    };
    void append(const Place& place, Symbols& symbols);
    uint32_t number_of(std::string_view text);

    std::unordered_map<Place, uint32_t, Hash> places_;
    std::unordered_map<std::string, uint32_t> texts_;
    std::string bytes_;
};

} // namespace dt::consume

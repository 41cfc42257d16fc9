// What a program takes, told from its code: the instructions of its likely path, and the helpers of the kernel that it
// calls there, each with its price on this machine.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "dcompiler/object/functions.hpp"
#include "dcompiler/object/schema.hpp"

namespace dt {

/// Ns, of what the caches have.
struct CodePrices {
    double instruction = 0;
    double call = 0;                   ///< of a helper without a price of its own
    double key_byte = 0;               ///< of a hash, beyond kPricedKey
    std::map<int32_t, double> helpers; ///< by number (enum bpf_func_id)

    static constexpr uint32_t kPricedKey = 16; ///< bytes of a key of a hash that has the helper's price
};

class CostModel {
public:
    /// `has_lanes`: samples are so many that they go to fast lanes.
    CostModel(const Object& object, CodePrices prices, bool has_lanes);

    /// Ns of a run. 0: there is no such program.
    double time_of_program(std::string_view program);

private:
    class Walk;

    double time_of(std::string_view function);

    /// Of the map that register 1 points to.
    double price_of_helper(int32_t helper, std::string_view map) const;

    std::map<std::string, ObjectFunction, std::less<>> functions_;
    std::map<std::string, double, std::less<>> times_;    ///< 0 while it is being worked out
    std::map<std::string, uint32_t, std::less<>> hashes_; ///< maps, and bytes of their keys; 0: it is no hash
    std::set<std::string, std::less<>> used_;             ///< maps and data, by the program
    CodePrices prices_;
    bool has_lanes_;
};

} // namespace dt

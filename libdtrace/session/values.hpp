// What a run leaves to the next one, where that is asked for: values of scalar globals and aggregations.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "libdtrace/consume/carried.hpp"

namespace dt {

struct RunValues {
    struct Global {
        std::string type; ///< as messages have it
        std::vector<uint8_t> bytes;
    };
    std::map<std::string, Global> globals;
    std::map<std::string, consume::AggregationValues> aggregations; ///< by name, without @
};

} // namespace dt

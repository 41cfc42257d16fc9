// Values of scalar globals and aggregations that one trace passes to the next, if requested.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/consume/carried.hpp"
#include "libdtrace/load/loader.hpp"

namespace dt {

struct TraceValues {
    struct Global {
        std::string type; ///< type of the variable, as in messages
        std::vector<uint8_t> bytes;
    };
    std::map<std::string, Global> globals;
    std::map<std::string, consume::AggregationValues> aggregations; ///< aggregations by name, without @
};

/// Saves the scalar globals of a loaded program.
void keep_globals(const Schema& schema, const LoadedObject& loaded, TraceValues& values);

/// Restores the scalar globals of a loaded program by name from a previous run. Globals of another type or size start
/// from zero, and are listed in `begun_anew`.
void restore_globals(const Schema& schema, const LoadedObject& loaded, const TraceValues& former,
                     std::vector<std::string>& begun_anew);

/// Updates the globals that still have the value restored from `first` to their value in `now`.
void renew_globals(const Schema& schema, const LoadedObject& loaded, const TraceValues& first, const TraceValues& now);

} // namespace dt

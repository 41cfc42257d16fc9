// What a trace leaves to the next one, where that is asked for: values of scalar globals and aggregations.
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
        std::string type; ///< as messages have it
        std::vector<uint8_t> bytes;
    };
    std::map<std::string, Global> globals;
    std::map<std::string, consume::AggregationValues> aggregations; ///< by name, without @
};

/// Keeps the scalar globals of a loaded program.
void keep_globals(const Schema& schema, const LoadedObject& loaded, TraceValues& values);

/// Gives the scalar globals of a loaded program what a former run left of those of the same name. What is of another
/// type begins anew: told in `begun_anew`.
void restore_globals(const Schema& schema, const LoadedObject& loaded, const TraceValues& former,
                     std::vector<std::string>& begun_anew);

/// Of those that still are what restore_globals() made of `first`: gives them what they are in `now`.
void renew_globals(const Schema& schema, const LoadedObject& loaded, const TraceValues& first, const TraceValues& now);

} // namespace dt

// Self-contained description of a program's records, in JSON. It makes it possible to print records when their tracer
// no longer exists, for example from a kernel crash dump (libdtrace/postmortem). It contains statements, aggregations,
// names, probes, and the visible parts of types.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/object/schema.hpp"

namespace dt {

/// Data that printing the records of a trace requires in addition to the schema.
struct RecordedRun {
    std::string program;  ///< name that users see for the program
    uint64_t process = 0; ///< pid of the tracer
    int64_t boot_to_wall_ns = 0;
    std::vector<std::pair<std::string, std::string>> options; ///< options of -x, by name and value
    /// for each map name of the object: id of the map in the kernel
    std::map<std::string, uint32_t> maps;
};

/// Function that returns the probe with an id, or null if no probe has this id.
using ProbeById = std::function<const Probe*(uint32_t id)>;

/// Returns the description as JSON text. It omits code, positions of faults, and metrics.
std::string describe_records(const Schema& schema, const ProbeById& probes, const RecordedRun& run);
/// Returns an upper bound for the size of the description in bytes. It allows 256 bytes for each probe and 8 KiB for
/// the ids of maps.
uint64_t max_record_description_size(const Schema& schema);

struct DescribedRecords {
    Schema schema; ///< the schema, with the members that the description contains
    std::map<uint32_t, Probe> probes;
    RecordedRun run;
    std::shared_ptr<TypeTable> types; ///< owner of the types to which Datum::type points
};

/// Parses a description. Fails if the JSON text is invalid or contradictory. The result is safe to print for any input:
/// all data lie inside their samples and keys, and no type contains itself.
Result<DescribedRecords> read_record_description(std::string_view text);

} // namespace dt

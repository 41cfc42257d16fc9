// Self-contained description of a program's records, in JSON. With it, records can be printed whose tracer no longer
// exists, for example from a kernel crash dump (libdtrace/postmortem). It contains statements, aggregations, names,
// probes, and the visible parts of types.
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

/// Data that printing a run's records needs in addition to the schema.
struct RecordedRun {
    std::string program;  ///< name of the program that is shown to users
    uint64_t process = 0; ///< pid of the tracer
    int64_t boot_to_wall_ns = 0;
    std::vector<std::pair<std::string, std::string>> options; ///< options of -x, by name and value
    /// ids that the object's maps have in the kernel, by name of the map
    std::map<std::string, uint32_t> maps;
};

/// Function that returns the probe with an id, or null if no probe has this id.
using ProbeById = std::function<const Probe*(uint32_t id)>;

/// Returns the description in JSON. It omits code, positions of faults, and metrics.
std::string describe_records(const Schema& schema, const ProbeById& probes, const RecordedRun& run);
/// Returns an upper bound of the description's size in bytes. The bound holds unless probes found later have longer
/// names than all known probes.
uint64_t max_record_description_size(const Schema& schema);

struct DescribedRecords {
    Schema schema; ///< the schema, with the members that the description contains
    std::map<uint32_t, Probe> probes;
    RecordedRun run;
    std::shared_ptr<TypeTable> types; ///< owner of the types to which Datum::type points
};

/// Parses a description. Fails if the JSON text is invalid or contradictory. The result can be printed safely for any
/// input: data lie inside their samples and keys, and types are finite.
Result<DescribedRecords> read_record_description(std::string_view text);

} // namespace dt

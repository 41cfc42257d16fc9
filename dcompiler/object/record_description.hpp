// Self-contained description of a program's records as text. It allows printing records whose tracer no longer exists,
// for example from a kernel crash dump (libdtrace/postmortem). It contains statements, aggregations, names, probes, and
// the visible parts of types.
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

/// Data that printing needs in addition to the schema.
struct RecordedRun {
    std::string program;  ///< name of the program that is shown to users
    uint64_t process = 0; ///< pid of the tracer
    int64_t boot_to_wall_ns = 0;
    std::vector<std::pair<std::string, std::string>> options; ///< options of -x, by name and value
    std::map<std::string, uint32_t> maps;                     ///< the object's maps: kernel ids by name
};

/// Function that returns the probe with an id, or null for an unknown id.
using ProbeById = std::function<const Probe*(uint32_t id)>;

/// Returns the description in JSON. It omits code, positions of faults, and metrics.
std::string describe_records(const Schema& schema, const ProbeById& probes, const RecordedRun& run);
/// Returns an upper bound of the description's size in bytes. It holds unless probes found later have longer names than
/// all known probes.
uint64_t max_record_description_size(const Schema& schema);

struct DescribedRecords {
    Schema schema; ///< the schema, as far as the description contains it
    std::map<uint32_t, Probe> probes;
    RecordedRun run;
    std::shared_ptr<TypeTable> types; ///< keeps the types alive to which Datum::type points
};

/// Parses a description. Fails if the text is invalid or contradictory. The result can be printed safely for any input:
/// data lie inside their samples and keys, and types are finite.
Result<DescribedRecords> read_record_description(std::string_view text);

} // namespace dt

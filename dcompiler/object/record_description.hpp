// What a program records, as text that another program can read it by: for who finds the records where their tracer is
// no more, in a dump of the kernel (libdtrace/postmortem). So it has everything that printing them takes: statements,
// aggregations, names, the probes, and of types what a value shows.
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

/// What printing must know beside the schema.
struct RecordedRun {
    std::string program;  ///< what people know it by
    uint64_t process = 0; ///< its tracer
    int64_t boot_to_wall_ns = 0;
    std::vector<std::pair<std::string, std::string>> options; ///< of -x
    std::map<std::string, uint32_t> maps;                     ///< the object's, by name: the kernel's numbers of them
};

/// Null: nobody knows the probe.
using ProbeById = std::function<const Probe*(uint32_t id)>;

/// JSON. Not told are code, faults' places and metrics.
std::string describe_records(const Schema& schema, const ProbeById& probes, const RecordedRun& run);
/// Bytes that it has at most, but for names of probes that are longer than any that are known.
uint64_t most_of_record_description(const Schema& schema);

struct DescribedRecords {
    Schema schema; ///< what describe_records() tells of it
    std::map<uint32_t, Probe> probes;
    RecordedRun run;
    std::shared_ptr<TypeTable> types; ///< keeps Datum::type alive
};

/// An error says that these are no such text, or one that contradicts itself. Whoever wrote it, what is returned can be
/// printed: data lie in their samples and keys, and types have an end.
Result<DescribedRecords> read_record_description(std::string_view text);

} // namespace dt

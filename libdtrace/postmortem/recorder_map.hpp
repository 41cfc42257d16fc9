// Description of a flight recorder (bufpolicy=ring) in kernel memory, for use after a panic. A map with one element
// contains the layout of the records and the ids of the maps in which they are stored. So a kernel dump contains
// everything that dtrace --postmortem needs, without the program and its tracer (docs/decisions/57-postmortem.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "dcompiler/object/record_description.hpp"
#include "libdtrace/load/loaded_maps.hpp"

namespace dt {

inline constexpr std::string_view kRecorderMap = "dt_recorder"; ///< name of the map that contains the description
inline constexpr uint64_t kRecorderMagic = 0x7263656472746464;  ///< magic number: the bytes "ddtrdecr"
inline constexpr uint64_t kMaxRecorder = 16 << 20;              ///< maximum size of a description in bytes

/// Header of the map's only value; the bytes of the trace's description follow the header.
struct RecorderHead {
    uint64_t magic;
    uint64_t bytes;  ///< size in bytes of the description of the trace
    uint64_t digest; ///< digest of the description of the trace, which reveals damaged or incomplete descriptions
};

uint64_t digest_of_description(std::string_view text);

class Recorder {
public:
    Recorder() = default;
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;
    ~Recorder();

    /// Stores the description of a loaded object in a kernel map, and fills in `run.maps`. If an object is added to the
    /// run, the new description is stored before the old one is removed. On failure the trace works without a
    /// description, and the error says why.
    Result<void> describe(const LoadedMaps& maps, const Schema& schema, const ProbeById& probes, RecordedRun run);

private:
    int map_ = -1;
};

} // namespace dt

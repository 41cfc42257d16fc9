// What a flight recorder (bufpolicy=ring) leaves in the kernel for who comes after a panic: a map of one element that
// says what the trace records and in which maps, so that a dump of the kernel has all that dtrace --postmortem needs,
// and neither the program nor its tracer is wanted (docs/decisions/57-postmortem.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "dcompiler/object/record_description.hpp"
#include "libdtrace/load/loaded_maps.hpp"

namespace dt {

inline constexpr std::string_view kRecorderMap = "dt_recorder"; ///< its name
inline constexpr uint64_t kRecorderMagic = 0x7263656472746464;  ///< "ddtrdecr"
inline constexpr uint64_t kMostRecorder = 16 << 20;             ///< bytes of a description

/// At the beginning of its value. The description follows.
struct RecorderHead {
    uint64_t magic;
    uint64_t bytes;  ///< of the description
    uint64_t digest; ///< of the same: what is half written or damaged is not believed
};

uint64_t digest_of_description(std::string_view text);

class Recorder {
public:
    Recorder() = default;
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;
    ~Recorder();

    /// Of a loaded object, anew when there is more of it: the former description goes when the new one is there.
    /// `run.maps` is made here. An error says why there is none; the trace does not need it.
    Result<void> describe(const LoadedMaps& maps, const Schema& schema, const ProbeById& probes, RecordedRun run);

private:
    int map_ = -1;
};

} // namespace dt

#include "libdtrace/postmortem/recorder_map.hpp"

#include <bpf/bpf.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace dt {
namespace {

std::map<std::string, uint32_t> numbers_of_maps(const LoadedMaps& maps)
{
    std::map<std::string, uint32_t> numbers;
    for (const LoadedMap& map : maps) {
        bpf_map_info info{};
        uint32_t size = sizeof info;
        if (map.descriptor >= 0 && bpf_obj_get_info_by_fd(map.descriptor, &info, &size) == 0)
            numbers.emplace(map.name, info.id);
    }
    return numbers;
}

} // namespace

/// Returns the FNV-1a hash of the bytes.
uint64_t digest_of_description(std::string_view text)
{
    uint64_t digest = 0xcbf29ce484222325;
    for (const unsigned char each : text)
        digest = (digest ^ each) * 0x100000001b3;
    return digest;
}

Result<void> Recorder::describe(const LoadedMaps& maps, const Schema& schema, const ProbeById& probes, RecordedRun run)
{
    run.maps = numbers_of_maps(maps);
    const std::string text = describe_records(schema, probes, run);
    if (text.size() > kMaxRecorder)
        return Error{"the description of its records is too long", E2BIG};
    const RecorderHead head{kRecorderMagic, text.size(), digest_of_description(text)};
    std::vector<char> value((sizeof head + text.size() + 7) / 8 * 8, 0);
    std::memcpy(value.data(), &head, sizeof head);
    std::memcpy(value.data() + sizeof head, text.data(), text.size());
    const int map = bpf_map_create(BPF_MAP_TYPE_ARRAY, kRecorderMap.data(), sizeof(uint32_t),
                                   static_cast<uint32_t>(value.size()), 1, nullptr);
    if (map < 0)
        return Error{std::strerror(errno), errno};
    const uint32_t first = 0;
    if (bpf_map_update_elem(map, &first, value.data(), BPF_ANY) != 0) {
        const int failed = errno;
        close(map);
        return Error{std::strerror(failed), failed};
    }
    if (const int former = std::exchange(map_, map); former >= 0)
        close(former);
    return {};
}

Recorder::~Recorder()
{
    if (map_ >= 0)
        close(map_);
}

} // namespace dt

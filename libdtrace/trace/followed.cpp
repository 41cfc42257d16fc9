// Reads a kernel hash that programs at fork, exec and exit change at any time (dcompiler/lower/followed.cpp).
#include "libdtrace/trace/followed.hpp"

#include <bpf/bpf.h>
#include <signal.h>

#include <cerrno>
#include <cstdint>

#include "bpf-runtime/abi.h"
#include "libdtrace/load/loaded_maps.hpp"

namespace dt {
namespace {

constexpr int kMostTries = 1 << 16; // limit, because a walk through a changing map may restart

bool is_gone(uint32_t pid)
{
    return kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH;
}

} // namespace

void Followed::open(const LoadedMaps& maps)
{
    const LoadedMap* const map = maps.find(DT_MAP_FOLLOWED);
    map_ = map ? map->descriptor : -1;
}

void Followed::begin(const std::vector<pid_t>& processes)
{
    for (const pid_t pid : processes) {
        const auto key = static_cast<uint32_t>(pid);
        if (map_ >= 0)
            bpf_map_update_elem(map_, &key, &key, BPF_ANY);
    }
}

bool Followed::contains(pid_t pid) const
{
    const auto key = static_cast<uint32_t>(pid);
    uint32_t origin = 0;
    return map_ >= 0 && bpf_map_lookup_elem(map_, &key, &origin) == 0;
}

std::map<pid_t, pid_t> Followed::followers() const
{
    std::map<pid_t, pid_t> found;
    uint32_t key = 0, next = 0, origin = 0;
    const uint32_t* at = nullptr;
    for (int i = 0; map_ >= 0 && i < kMostTries && bpf_map_get_next_key(map_, at, &next) == 0; ++i) {
        key = next;
        at = &key;
        if (bpf_map_lookup_elem(map_, &key, &origin) == 0 && origin != key && !is_gone(key))
            found[static_cast<pid_t>(key)] = static_cast<pid_t>(origin);
    }
    return found;
}

} // namespace dt

// Creates mmap rings while programs run, and makes them visible to the programs.
#include "libdtrace/consume/lanes.hpp"

#include <bpf/bpf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/side_thread.hpp"
#include "libdtrace/load/inner_maps.hpp"
#include "libdtrace/load/loaded_maps.hpp"
#include "libdtrace/load/map_memory.hpp"

namespace dt::consume {

Lanes::~Lanes()
{
    if (opening_.joinable())
        opening_.join();
    rings_.clear();
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    for (const Lane& lane : lanes_) {
        munmap(lane.head, page);
        close(lane.map);
    }
    if (outer_ >= 0)
        close(outer_);
}

void Lanes::open(const LoadedMaps& maps, const std::vector<int>& cpus)
{
    const LoadedMap* const outer = maps.find(DT_MAP_LANES);
    if (outer_ >= 0 || !outer)
        return;
    for (const int cpu : cpus)
        if (static_cast<uint32_t>(cpu) < outer->max_entries && !add(cpu))
            break;
    outer_ = fcntl(outer->descriptor, F_DUPFD_CLOEXEC, 0);
    opening_ = side_thread([this] { put_in_place(); }); // if no thread can start, no rings are used
}

uint64_t Lanes::memory() const
{
    uint64_t bytes = 0;
    for (const Lane& lane : lanes_)
        bytes += map_memory(lane.map);
    return bytes;
}

bool Lanes::add(int cpu)
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const int map = make_lane_map();
    if (map < 0)
        return false;
    void* const head = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
    if (head == MAP_FAILED) {
        close(map);
        return false;
    }
    lanes_.push_back({map, cpu, static_cast<dt_lane*>(head)});
    rings_.emplace_back(map, lanes_.back().head, page, static_cast<uint32_t>(cpu));
    return true;
}

/// Puts the rings into the outer map. The kernel waits for each until no program uses the previous entry.
void Lanes::put_in_place()
{
    for (const Lane& lane : lanes_)
        bpf_map_update_elem(outer_, &lane.cpu, &lane.map, BPF_ANY);
}

} // namespace dt::consume

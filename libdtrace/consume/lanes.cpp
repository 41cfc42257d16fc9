// Making ring buffers while programs run, and showing them to the programs.
#include "libdtrace/consume/lanes.hpp"

#include <algorithm>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf-runtime/abi.h"
#include "base/side_thread.hpp"
#include "libdtrace/load/map_memory.hpp"

namespace dt::consume {

Lanes::~Lanes()
{
    if (opening_.joinable())
        opening_.join();
    rings_.clear();
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    for (const Lane& lane : lanes_) {
        munmap(lane.consumer, page);
        munmap(lane.producer, page);
        close(lane.map);
    }
    if (outer_ >= 0)
        close(outer_);
}

void Lanes::open(bpf_object* object, const std::vector<int>& cpus, std::size_t bytes, std::size_t wake, int epoll)
{
    bpf_map* const outer = bpf_object__find_map_by_name(object, DT_MAP_LANES);
    bpf_map* const states = bpf_object__find_map_by_name(object, DT_MAP_LANE_STATE);
    if (outer_ >= 0 || !outer || !states || !states_.open(states, bpf_map__max_entries(states)))
        return;
    for (const int cpu : cpus)
        if (static_cast<uint32_t>(cpu) < bpf_map__max_entries(states) && !add(cpu, bytes, epoll))
            break;
    for (const Lane& lane : lanes_)
        state(lane.cpu).wake = wake;
    outer_ = fcntl(bpf_map__fd(outer), F_DUPFD_CLOEXEC, 0);
    opening_ = side_thread([this] { put_in_place(); }); // without one there are no lanes
}

uint64_t Lanes::memory() const
{
    uint64_t bytes = 0;
    for (const Lane& lane : lanes_)
        bytes += map_memory(lane.map);
    return bytes;
}

bool Lanes::add(int cpu, std::size_t bytes, int epoll)
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const int map = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "lane", 0, 0, static_cast<uint32_t>(bytes), nullptr);
    if (map < 0)
        return false;
    Lane lane{map, cpu, mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0), nullptr};
    lane.producer = mmap(nullptr, page, PROT_READ, MAP_SHARED, map, static_cast<off_t>(page));
    epoll_event event{EPOLLIN | EPOLLET,
                      {}}; // a ring buffer is readable while there is anything in it: only what wakes counts
    if (lane.consumer == MAP_FAILED || lane.producer == MAP_FAILED ||
        epoll_ctl(epoll, EPOLL_CTL_ADD, map, &event) != 0) {
        if (lane.consumer != MAP_FAILED)
            munmap(lane.consumer, page);
        if (lane.producer != MAP_FAILED)
            munmap(lane.producer, page);
        close(map);
        return false;
    }
    lanes_.push_back(lane);
    rings_.emplace_back(map, lane.consumer, lane.producer, bytes, page, static_cast<uint32_t>(cpu));
    return true;
}

/// The kernel waits, for each, until no program uses what was there before.
void Lanes::put_in_place()
{
    for (const Lane& lane : lanes_)
        if (bpf_map_update_elem(outer_, &lane.cpu, &lane.map, BPF_ANY) == 0)
            __atomic_store_n(&state(lane.cpu).open, 1, __ATOMIC_RELEASE);
}

dt_lane& Lanes::state(int cpu) const
{
    return static_cast<dt_lane*>(states_.memory())[cpu];
}

} // namespace dt::consume

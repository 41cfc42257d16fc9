// The fast lanes (struct dt_lane): a BPF ring buffer for each CPU, made when samples come in numbers. A sample there
// costs the traced program a third of what it costs in a perf buffer; a ring buffer alone would not do, because it has
// a lock, inside of which a probe may fire.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

#include "libdtrace/consume/lane_ring.hpp"
#include "libdtrace/load/shared_map.hpp"

struct bpf_object;
struct dt_lane;

namespace dt::consume {

class Lanes {
public:
    Lanes() = default;
    Lanes(const Lanes&) = delete;
    ~Lanes();

    /// Makes a lane of `bytes` (a power of two of pages) for each of `cpus` and begins to open them; `epoll` will tell
    /// when one is to be read. Once. The kernel waits a moment for each, in a thread: until then samples go where they
    /// went before. CPUs that find no memory have none.
    void open(bpf_object* object, const std::vector<int>& cpus, std::size_t bytes, std::size_t wake, int epoll);

    std::deque<LaneRing>& rings() { return rings_; }
    const std::deque<LaneRing>& rings() const { return rings_; }
    uint64_t memory() const; ///< bytes of the kernel

private:
    /// What is mapped of one ring buffer.
    struct Lane {
        int map = -1, cpu = 0;
        void* consumer = nullptr;
        void* producer = nullptr;
    };
    bool add(int cpu, std::size_t bytes, int epoll);
    void put_in_place();
    dt_lane& state(int cpu) const;

    std::vector<Lane> lanes_;
    std::deque<LaneRing> rings_;
    SharedMap states_; ///< struct dt_lane by CPU
    int outer_ = -1;   ///< DT_MAP_LANES, which outlives the object
    std::thread opening_;
};

} // namespace dt::consume

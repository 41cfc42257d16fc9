// Maps of the object, by index in its module, each made when the first clause uses it: what is not used is not there.
#pragma once

#include <map>
#include <set>
#include <string>

#include "dcompiler/lower/layout.hpp"

namespace dt::lower {

class Maps {
public:
    Maps(ModuleState& module, const Layout& layout) : module_(module), layout_(layout) {}

    uint32_t add(ir::Map map); ///< or the one of that name
    bool has(const std::string& name) const { return made_.count(name) != 0; }
    uint32_t buffers() { return add({DT_MAP_BUFFERS, kMapPerfEventArray, 4, 4, cpus(), 0}); }
    uint32_t lanes() { return add({DT_MAP_LANES, kMapArrayOfMaps, 4, 4, cpus(), 0}); } ///< their fast lanes
    uint32_t bell() { return add({DT_MAP_BELL, kMapRingbuf, 0, 0, 4096, 0}); }
    uint32_t turn() { return add({DT_MAP_TURN, kMapArray, 4, 8, cpus(), kMmapable}); }
    uint32_t losses() { return add({DT_MAP_LOSSES, kMapArray, 4, sizeof(dt_losses), cpus(), kMmapable}); }
    uint32_t no_programs() { return add({"no_programs", kMapProgArray, 4, 4, 1, 0}); } ///< of tail calls, empty
    uint32_t cgroup() { return add({DT_MAP_CGROUP, kMapCgroupArray, 4, 4, 1, 0}); } ///< the control group of -x cgroup
    uint32_t followed();                                                            ///< the processes of -x follow
    uint32_t scratch();
    uint32_t self();
    uint32_t array(const Variable& variable); ///< associative arrays
    /// A hash that dynvarsize bounds, whose elements never make room for others.
    uint32_t bounded(std::string name, uint32_t key, uint32_t value);
    /// Aggregations without keys share per-CPU values of at most 32 KiB; a larger one has an array with an element for
    /// each CPU.
    uint32_t unkeyed(const AggregationSchema& schema);
    uint32_t aggregation(const Aggregation& aggregation); ///< keyed ones
    uint32_t brief(const Aggregation& aggregation);       ///< keyed ones with long keys: for those that are short
    uint32_t overflow(const Aggregation& aggregation);    ///< keyed ones that may grow: the map of its overflow map
    /// One value of `size` bytes per CPU, zero at the start.
    uint32_t per_cpu(const std::string& name, uint32_t size) { return add({name, kMapPercpuArray, 4, size, 1, 0}); }
    /// All its memory there from the start.
    uint32_t hash(const std::string& name, uint32_t key, uint32_t value, uint32_t entries)
    {
        return add({name, kMapHash, key, value, entries, 0});
    }

    /// Whether aggsize or dynvarsize lets this map have an element.
    bool has_room(uint32_t map) const { return without_room_.count(map) == 0; }
    enum PutFlags : int64_t { kPutAny = 0, kPutNew = 1, kPutThere = 2 }; // BPF_ANY, BPF_NOEXIST, BPF_EXIST
    /// Puts an element into a map; what comes back is not 0 where there is no room.
    ir::Value put(ir::Builder& b, uint32_t map, ir::Value key, ir::Value element, PutFlags flags) const;

private:
    uint32_t cpus() const { return module_.world.target().cpus; }
    uint32_t as_it_fills() const { return module_.world.features().hash_no_prealloc ? kNoPrealloc : 0; }
    uint32_t add_limited(ir::Map map, uint64_t entries);
    uint32_t add_dynamic(std::string name, uint32_t key, uint32_t value);

    ModuleState& module_;
    const Layout& layout_;
    std::map<std::string, uint32_t> made_;
    std::set<uint32_t> without_room_;
};

} // namespace dt::lower

// Maps and data sections of the object, each known by its index in the module. Each is created at its first use, so an
// object contains only those that its script needs.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "dcompiler/lower/core/layout.hpp"

namespace dt::lower {

class Maps {
public:
    Maps(ModuleState& module, const Layout& layout) : module_(module), layout_(layout) {}

    uint32_t add(ir::Map map); ///< adds a map, or returns the map that already exists under its name
    bool has(const std::string& name) const { return made_.count(name) != 0; }
    uint32_t buffers() { return add({DT_MAP_BUFFERS, kMapPerfEventArray, 4, 4, cpus(), 0}); }
    uint32_t mmap_rings()
    {
        return add({DT_MAP_MMAP_RINGS, kMapArrayOfMaps, 4, 4, cpus(), 0});
    } ///< outer map that contains the mmap ring of each CPU
    uint32_t wakeup_ring() { return add({DT_MAP_WAKEUP, kMapRingbuf, 0, 0, 4096, 0}); }
    uint32_t active_epochs() { return add({DT_MAP_ACTIVE_EPOCH, kMapArray, 4, 8, cpus(), kMmapable}); }
    uint32_t losses() { return add({DT_MAP_LOSSES, kMapArray, 4, sizeof(dt_losses), cpus(), kMmapable}); }
    /// map without programs, for tail calls that fail
    uint32_t no_programs() { return add({"no_programs", kMapProgArray, 4, 4, 1, 0}); }
    /// map with the control group to which -x cgroup restricts the probes
    uint32_t cgroup() { return add({DT_MAP_CGROUP, kMapCgroupArray, 4, 4, 1, 0}); }
    uint32_t followed(); ///< map with the processes that are traced because of -x followchildren
    uint32_t scratch();
    uint32_t self();
    /// Adds a map with a value of `size` bytes for each thread (atomics.cpp, Functions::of_thread).
    uint32_t per_thread(const std::string& name, uint32_t size);
    /// Returns the hash maps whose elements belong to threads. When a thread ends, a program deletes its elements.
    const std::set<uint32_t>& threads() const { return threads_; }
    uint32_t array(const Variable& variable); ///< returns the map of an associative array
    /// Adds a hash map whose size option dynvarsize limits; it does not evict elements.
    uint32_t bounded(std::string name, uint32_t key, uint32_t value);
    /// Adds the map with the values of aggregations without keys. They share per-CPU values of at most 32 KiB. A larger
    /// one is stored in an array with an element per CPU.
    uint32_t unkeyed(const AggregationSchema& schema);
    uint32_t aggregation(const Aggregation& aggregation); ///< returns the map of an aggregation with keys
    /// adds a second map for the short keys of an aggregation that also has long keys
    uint32_t short_keys_map(const Aggregation& aggregation);
    /// Returns the map of maps in which the consumer stores the overflow map of an aggregation that may grow.
    uint32_t overflow(const Aggregation& aggregation);
    /// Adds a map with one value of `size` bytes per CPU, initially zero.
    uint32_t per_cpu(const std::string& name, uint32_t size) { return add({name, kMapPercpuArray, 4, size, 1, 0}); }
    /// Adds a preallocated hash.
    uint32_t hash(const std::string& name, uint32_t key, uint32_t value, uint32_t entries)
    {
        return add({name, kMapHash, key, value, entries, 0});
    }

    /// Returns whether options aggsize and dynvarsize leave room for at least one element in this map.
    bool has_room(uint32_t map) const { return without_room_.count(map) == 0; }
    enum PutFlags : int64_t {
        kPutAny = 0,
        kPutNew = 1,
        kPutThere = 2
    }; // the kernel's BPF_ANY, BPF_NOEXIST and BPF_EXIST
    /// Emits an update of a map. Yields a non-zero value if the map has no room.
    ir::Value put(ir::Builder& b, uint32_t map, ir::Value key, ir::Value element, PutFlags flags) const;

private:
    uint32_t cpus() const { return module_.world.target().cpus; }
    uint32_t as_it_fills() const { return module_.world.features().hash_no_prealloc ? kNoPrealloc : 0; }
    uint32_t add_limited(ir::Map map, uint64_t entries);
    uint32_t add_dynamic(std::string name, uint32_t key, uint32_t value);

    ModuleState& module_;
    const Layout& layout_;
    std::map<std::string, uint32_t> made_;
    std::set<uint32_t> without_room_, threads_;
};

class DataSections {
public:
    DataSections(ModuleState& module, const Layout& layout);

    uint32_t add(ir::Data data);
    /// Returns the index of the data object with the given name. The first call creates it with `make`.
    uint32_t once(const std::string& name, const std::function<ir::Data()>& make);
    const ir::Data& at(uint32_t data) const { return module_.out.module.data[data]; }
    ir::Data& at(uint32_t data) { return module_.out.module.data[data]; }

    uint32_t state();
    /// Returns the data object of a global variable. For a string that may be NULL, a presence word (a word that
    /// distinguishes NULL from "") comes before the characters.
    uint32_t global(const Variable& variable);
    /// Returns the data object of an array of -x sharedvars; each element has `value` bytes.
    uint32_t shared(const std::string& name, uint32_t value);
    uint32_t literal(const std::string& text); ///< adds a string with its NUL to .rodata
    uint32_t zeros(uint32_t size);             ///< adds an object of at least `size` zero bytes to .rodata
    /// Returns a data object of at least `size` bytes, as a destination for data that are not needed.
    uint32_t dropped(uint32_t size);
    uint32_t speculations();  ///< state of all speculations: options.nspec elements of struct dt_spec
    uint32_t overflow_keys(); ///< for each aggregation id, the number of keys in its overflow map
    uint32_t sent();          ///< with -x pin: how many samples were written and how many read (struct dt_sent)

private:
    ModuleState& module_;
    const Layout& layout_;
    std::map<std::string, uint32_t> made_, literals_;
};

} // namespace dt::lower

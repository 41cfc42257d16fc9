// Estimate of the kernel memory for an object's maps, computed before loading.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dcompiler/object/schema.hpp"

struct bpf_map;
struct bpf_object;

namespace dt {

/// Machine properties that affect sizes.
struct MachineSizes {
    uint32_t cpus = 1;    ///< possible CPUs
    uint64_t page = 4096; ///< bytes
    uint64_t threads = 0; ///< maximum number of threads
};

/// Returns this machine's properties; `cpus` is the compiler's value.
MachineSizes machine_sizes(uint32_t cpus);

/// A map to be created.
struct PlannedMap {
    std::string name; ///< the section's name for a data section
    uint32_t type = 0, key_size = 0, value_size = 0, flags = 0;
    uint64_t entries = 0;

    /// Returns whether elements are allocated on demand.
    bool grows() const;
};

/// Sets the size of maps whose size depends on the machine (abi.h).
void set_machine_sizes(bpf_object* object, const MachineSizes& machine);

/// Returns the maps that loading the object will create. Returns nothing if the object cannot be read, which loading
/// reports.
std::vector<PlannedMap> planned_maps(const Object& object, const MachineSizes& machine);

/// Returns the bytes of the map with all its elements, by the rules of the kernel and its allocator.
uint64_t most_memory(const PlannedMap& map, const MachineSizes& machine);

} // namespace dt

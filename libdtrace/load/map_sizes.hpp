// What the maps of an object will take of the kernel's memory, known before anything is in the kernel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dcompiler/object/schema.hpp"

struct bpf_map;
struct bpf_object;

namespace dt {

/// What of a machine sizes depend on.
struct MachineSizes {
    uint32_t cpus = 1;    ///< possible ones
    uint64_t page = 4096; ///< bytes
    uint64_t threads = 0; ///< that may exist at a time
};

/// This machine's; `cpus` as for the compiler.
MachineSizes machine_sizes(uint32_t cpus);

/// A map, as it is going to be made.
struct PlannedMap {
    std::string name; ///< of a data section: the section's
    uint32_t type = 0, key_size = 0, value_size = 0, flags = 0;
    uint64_t entries = 0;

    /// Its elements take memory as they come, and not from the start.
    bool grows() const;
};

/// Gives the maps whose size depends on the machine (abi.h) that size.
void set_machine_sizes(bpf_object* object, const MachineSizes& machine);

/// The maps that loading the object makes. Empty when the object cannot be read, which loading tells.
std::vector<PlannedMap> planned_maps(const Object& object, const MachineSizes& machine);

/// Bytes that the map takes with all its elements, by the kernel's rules, those of its allocator included.
uint64_t most_memory(const PlannedMap& map, const MachineSizes& machine);

} // namespace dt

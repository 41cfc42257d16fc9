// Estimates the kernel memory that the maps of an object will need, before the object is loaded. Also measures the
// memory of existing maps and of this process, and registers handlers with libbpf for program sections.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/object/schema.hpp"

struct bpf_map;
struct bpf_object;

namespace dt {

/// Properties of a machine that affect the sizes of maps.
struct MachineSizes {
    uint32_t cpus = 1;    ///< number of possible CPUs
    uint64_t page = 4096; ///< page size in bytes
    uint64_t threads = 0; ///< maximum number of threads
};

/// Returns this machine's properties; `cpus` is the number of possible CPUs for which programs are compiled.
MachineSizes machine_sizes(uint32_t cpus);

/// A map that will be created when an object is loaded.
struct PlannedMap {
    std::string name; ///< name of the map; for a data section, name of the section
    uint32_t type = 0, key_size = 0, value_size = 0, flags = 0;
    uint64_t entries = 0;

    /// Returns whether the kernel allocates the map's elements on demand.
    bool grows() const;
};

/// Sets the sizes of maps that depend on the machine (abi.h).
void set_machine_sizes(bpf_object* object, const MachineSizes& machine);

/// Returns the maps that loading the object will create. Returns an empty list if the object cannot be read; loading
/// will then report the error.
std::vector<PlannedMap> planned_maps(const Object& object, const MachineSizes& machine);

/// Returns the size in bytes of the map when it is full, by the rules of the kernel and its allocator.
uint64_t max_map_memory(const PlannedMap& map, const MachineSizes& machine);

// Memory use of maps in the kernel, and of this process.

/// Returns the memory of a map in bytes, as reported by the kernel for its descriptor, or 0 if not known. Kernels
/// before Linux 6.3 report the maximum size.
uint64_t map_memory(int map);

/// Returns the kernel's id of a map, or 0 if not known.
uint32_t map_id(int map);

/// Returns the resident memory of this process in bytes, including memory-mapped BPF maps and perf buffers.
uint64_t resident_memory();

/// Parses the text of /proc/PID/smaps. Returns the resident bytes in mappings of BPF maps and perf buffers. Memory that
/// is mapped several times counts several times.
uint64_t mapped_from_kernel(std::string_view smaps);

/// Returns the resident memory of this process in bytes, without mappings of BPF maps and perf buffers. Slower than
/// resident_memory().
uint64_t own_memory();

// Handles program sections that name a single kernel function or tracepoint: "fentry/FUNCTION", "fexit/FUNCTION",
// "tp_btf/TRACEPOINT".

/// Registers libbpf handlers for fentry, fexit and tp_btf sections, once per process. Must be called before an object
/// is opened.
void know_function_sections();

/// Keeps the helper calls of an object as they are, for a kernel that is locked down. Such a kernel refuses
/// bpf_probe_read_kernel(). libbpf tries this helper once, and concludes from the refusal that the kernel is old. So
/// libbpf replaces all four helpers that read memory, also those for user memory, by bpf_probe_read(), which a
/// locked-down kernel refuses too. This function hides the calls from libbpf, and the section handlers restore them.
/// Returns false, and does not change the object, if libbpf does not accept section handlers.
bool hide_read_calls(std::span<uint8_t> elf);

} // namespace dt

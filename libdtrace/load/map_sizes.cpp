// Computes map sizes by the rules of the kernel's kernel/bpf/arraymap.c, hashtab.c, ringbuf.c and bpf_local_storage.c.
// Elements that are allocated one by one are rounded up like the kernel's allocator does.
#include "libdtrace/load/map_sizes.hpp"

#include <algorithm>
#include <bit>
#include <fstream>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "bpf-runtime/abi.h"
#include "libdtrace/load/function_sections.hpp"

namespace dt {
namespace {

constexpr uint64_t kWord = 8;
constexpr uint64_t kMapHead = 512;       // a map without elements: struct bpf_array, bpf_htab, …
constexpr uint64_t kHashElement = 48;    // struct htab_elem without key and value
constexpr uint64_t kBucket = 16;         // one per element, rounded up to a power of two
constexpr uint64_t kLocks = 8 * 4;       // locks of a hash, per CPU
constexpr uint64_t kRingPages = 4;       // of a ring buffer: header, and pages for the consumer and producer positions
constexpr uint64_t kStorageElement = 96; // of thread storage: struct bpf_local_storage_elem and a share of its header

/// Returns the size that kmalloc() allocates: powers of two, and 96 and 192.
uint64_t allocated(uint64_t bytes)
{
    const uint64_t power = std::bit_ceil(std::max<uint64_t>(bytes, kWord));
    const uint64_t between = power / 4 * 3;
    return between >= bytes && (between == 96 || between == 192) ? between : power;
}

uint64_t rounded(uint64_t bytes, uint64_t to)
{
    return (bytes + to - 1) / to * to;
}

uint64_t hash_memory(const PlannedMap& map, const MachineSizes& machine)
{
    const bool is_per_cpu = map.type == BPF_MAP_TYPE_PERCPU_HASH;
    const uint64_t value = rounded(map.value_size, kWord), key = rounded(map.key_size, kWord);
    const uint64_t element = kHashElement + key + (is_per_cpu ? kWord : value);
    const uint64_t of_cpus = is_per_cpu ? value * machine.cpus : 0;
    const uint64_t begin = kMapHead + kBucket * std::bit_ceil(map.entries) + kLocks * machine.cpus;
    if (map.grows()) // the allocator's free list needs a pointer in each
        return begin + map.entries * (allocated(element + kWord) + of_cpus + (is_per_cpu ? 2 * kWord : 0));
    return begin + (map.entries + machine.cpus) * (element + of_cpus) + kWord * machine.cpus;
}

uint64_t array_memory(const PlannedMap& map, const MachineSizes& machine)
{
    const uint64_t value = rounded(map.value_size, kWord);
    if (map.type == BPF_MAP_TYPE_PERCPU_ARRAY)
        return kMapHead + map.entries * (kWord + value * machine.cpus);
    if (map.flags & BPF_F_MMAPABLE)
        return machine.page + rounded(map.entries * value, machine.page);
    return kMapHead + map.entries * value;
}

} // namespace

MachineSizes machine_sizes(uint32_t cpus)
{
    MachineSizes machine{std::max(cpus, 1U), static_cast<uint64_t>(sysconf(_SC_PAGESIZE)), 0};
    std::ifstream("/proc/sys/kernel/threads-max") >> machine.threads;
    return machine;
}

bool PlannedMap::grows() const
{
    return type == BPF_MAP_TYPE_TASK_STORAGE || (flags & BPF_F_NO_PREALLOC) != 0;
}

void set_machine_sizes(bpf_object* object, const MachineSizes& machine)
{
    const struct {
        const char* map;
        uint32_t entries;
    } kSizes[] = {{DT_MAP_BUFFERS, machine.cpus},
                  {DT_MAP_LANES, machine.cpus},
                  {DT_MAP_LOSSES, machine.cpus},
                  {DT_MAP_TURN, machine.cpus},
                  {DT_MAP_SCRATCH, machine.cpus * DT_SLOTS},
                  {DT_MAP_BELL, static_cast<uint32_t>(machine.page)}};
    for (const auto& size : kSizes)
        if (bpf_map* map = bpf_object__find_map_by_name(object, size.map))
            bpf_map__set_max_entries(map, size.entries);
}

std::vector<PlannedMap> planned_maps(const Object& object, const MachineSizes& machine)
{
    know_function_sections();
    LIBBPF_OPTS(bpf_object_open_opts, options);
    options.object_name = "dtrace";
    bpf_object* const opened = bpf_object__open_mem(object.elf.data(), object.elf.size(), &options);
    if (!opened)
        return {};
    set_machine_sizes(opened, machine);
    std::vector<PlannedMap> maps;
    const bpf_map* map = nullptr;
    bpf_object__for_each_map(map, opened)
    {
        maps.push_back({bpf_map__name(map), static_cast<uint32_t>(bpf_map__type(map)), bpf_map__key_size(map),
                        bpf_map__value_size(map), bpf_map__map_flags(map), bpf_map__max_entries(map)});
    }
    bpf_object__close(opened);
    return maps;
}

uint64_t most_memory(const PlannedMap& map, const MachineSizes& machine)
{
    switch (map.type) {
    case BPF_MAP_TYPE_HASH:
    case BPF_MAP_TYPE_PERCPU_HASH:
    case BPF_MAP_TYPE_LRU_HASH:
        return hash_memory(map, machine);
    case BPF_MAP_TYPE_ARRAY:
    case BPF_MAP_TYPE_PERCPU_ARRAY:
        return array_memory(map, machine);
    case BPF_MAP_TYPE_RINGBUF:
        return kMapHead + kRingPages * machine.page + map.entries;
    case BPF_MAP_TYPE_TASK_STORAGE:
        return kMapHead + machine.threads * allocated(kStorageElement + map.value_size);
    default: // an array of descriptors
        return kMapHead + map.entries * kWord;
    }
}

} // namespace dt

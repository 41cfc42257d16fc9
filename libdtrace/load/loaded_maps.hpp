// Maps of a loaded object by name, with the descriptor and sizes that readers need. libbpf's structures take some 70 KB
// per object. They are copied here in this short form, so that they can be freed after the programs are attached. Also
// gives access to the contents of maps, by shared memory and batched lookups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/shared_memory.hpp"
#include "dcompiler/object/schema.hpp"

struct bpf_object;

namespace dt {

struct LoadedMap {
    std::string name;    ///< name of the map in the object; the name in the kernel may be truncated
    int descriptor = -1; ///< descriptor of the map; negative if the map is not in the kernel
    uint32_t type = 0, key_size = 0, value_size = 0, max_entries = 0, flags = 0;
    /// Initial contents of a data section that is not in the kernel; owned by libbpf's object.
    std::span<const uint8_t> initial;
};

/// The maps of an object. Owns their descriptors, which stay open after libbpf's object is closed.
class LoadedMaps {
public:
    LoadedMaps() = default;
    /// Copies the descriptions of an object's maps, in the order of the object.
    explicit LoadedMaps(const bpf_object* object);
    /// Creates the list of maps that another process has loaded. This object owns their descriptors.
    explicit LoadedMaps(std::vector<LoadedMap> all) : all_(std::move(all)) {}
    LoadedMaps(LoadedMaps&& other) noexcept = default;
    LoadedMaps& operator=(LoadedMaps&& other) noexcept;
    ~LoadedMaps();

    /// Returns the map, or null if it does not exist.
    const LoadedMap* find(std::string_view name) const;
    /// Returns the map's descriptor, or a negative value if the map does not exist or is not in the kernel.
    int descriptor(std::string_view name) const;
    /// Returns the map of a data section. The name of such a map, which libbpf creates, consists of the names of the
    /// object and the section. Returns null if the map does not exist.
    const LoadedMap* section(std::string_view section) const;

    auto begin() const { return all_.begin(); }
    auto end() const { return all_.end(); }

private:
    std::vector<LoadedMap> all_;
};

// Memory of a map that is shared with the kernel, so that no system calls are needed to read it.

class SharedMap : public SharedMemory {
public:
    /// Maps the first `elements` elements of an array created with BPF_F_MMAPABLE. Must be called only once. The map
    /// must outlive this object if hide() and show() are used. For a map that is not in the kernel, creates a memory
    /// file: its descriptor can be passed to other processes, and the file cannot shrink.
    Result<void> open(const LoadedMap& map, std::size_t elements);
    /// Allocates `bytes` of zeroed memory of this process. Must be called only once.
    Result<void> make(std::size_t bytes);
    /// Returns the descriptor of the memory.
    int descriptor() const { return descriptor_; }

    SharedMap() = default;
    SharedMap(SharedMap&& other) noexcept;
    ~SharedMap();

private:
    int descriptor_ = -1;
    bool is_own_ = false;
};

} // namespace dt

// Examples of inner maps: to create a map of maps, the kernel requires an example of the inner maps that it will
// contain.

struct bpf_object;

namespace dt {

/// Creates an empty mmap ring (DT_MAP_MMAP_RINGS). Returns a negative value if the kernel cannot allocate it.
int make_mmap_ring_map();

/// Gives libbpf an example inner map for each outer map of an object. Must exist until the object is loaded.
class InnerMaps {
public:
    InnerMaps(bpf_object* object, const Schema& schema);
    ~InnerMaps();
    InnerMaps(const InnerMaps&) = delete;
    InnerMaps& operator=(const InnerMaps&) = delete;

private:
    std::vector<int> descriptors_;
};

} // namespace dt

// Reads all entries of a BPF hash with as few system calls as the kernel permits.

namespace dt::consume {

struct MapShape {
    int descriptor = -1;
    uint32_t key_size = 0;
    /// size in bytes of an entry's value when it is read; for a per-CPU map, it contains the values of all CPUs, each
    /// rounded up to 8 bytes
    std::size_t value_size = 0;
    uint32_t entries = 0;
};

class MapReader {
public:
    using Visit = std::function<void(const uint8_t* key, const uint8_t* value)>;

    /// Calls `visit` for every entry. A batched lookup reads some thousand keys; a kernel without batched lookups needs
    /// a system call for each key. Keys that are added or removed during the walk may be missed. The error contains an
    /// errno, but no message.
    Result<void> read(const MapShape& map, const Visit& visit);

private:
    /// Reads the map by batched lookups. Returns false if the kernel has none for this map.
    Result<bool> read_batches(const MapShape& map, const Visit& visit);
    Result<void> read_one_by_one(const MapShape& map, const Visit& visit);

    std::vector<uint8_t> keys_, values_;
};

/// Removes the keys in `keys`, which contains one key after the other; missing keys are ignored.
void remove_keys(const MapShape& map, std::span<const uint8_t> keys);

} // namespace dt::consume

// Maps of a loaded object by name, with the descriptor and sizes that readers need. libbpf's own structures take some
// 70 KB per object and are not needed after the programs are attached.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct bpf_object;

namespace dt {

struct LoadedMap {
    std::string name;    ///< name in the object; the kernel's name may be truncated
    int descriptor = -1; ///< negative if the map is not in the kernel
    uint32_t type = 0, key_size = 0, value_size = 0, max_entries = 0, flags = 0;
    std::span<const uint8_t> initial; ///< initial value of a data section that is not in the kernel; owned by libbpf's
                                      ///< object
};

/// Owns the descriptors, which stay open after libbpf's object is closed.
class LoadedMaps {
public:
    LoadedMaps() = default;
    /// Copies the maps of an object, in its order.
    explicit LoadedMaps(const bpf_object* object);
    /// Takes maps from another process and owns their descriptors.
    explicit LoadedMaps(std::vector<LoadedMap> all) : all_(std::move(all)) {}
    LoadedMaps(LoadedMaps&& other) noexcept = default;
    LoadedMaps& operator=(LoadedMaps&& other) noexcept;
    ~LoadedMaps();

    /// Returns the map, or null if it does not exist.
    const LoadedMap* find(std::string_view name) const;
    /// Returns the descriptor; negative if the map does not exist or is not in the kernel.
    int descriptor(std::string_view name) const;
    /// Returns libbpf's map of a data section, whose name consists of object and section names. Returns null if it does
    /// not exist.
    const LoadedMap* section(std::string_view section) const;

    auto begin() const { return all_.begin(); }
    auto end() const { return all_.end(); }

private:
    std::vector<LoadedMap> all_;
};

} // namespace dt

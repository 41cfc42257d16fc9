// The maps of a loaded object by name: what readers need of them is a descriptor and sizes. libbpf's own structures
// take some 70 KB an object, and nobody needs them once its programs are attached.
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
    std::string name;    ///< in the object, which the kernel may have cut short
    int descriptor = -1; ///< below 0: the map is not in the kernel
    uint32_t type = 0, key_size = 0, value_size = 0, max_entries = 0, flags = 0;
    std::span<const uint8_t> initial; ///< of a data section that is not in the kernel; libbpf's, as long as its object
};

/// Descriptors are its own: they outlive libbpf's object, and end with it.
class LoadedMaps {
public:
    LoadedMaps() = default;
    /// In the object's order.
    explicit LoadedMaps(const bpf_object* object);
    /// Of another process, with descriptors that are its own from now on.
    explicit LoadedMaps(std::vector<LoadedMap> all) : all_(std::move(all)) {}
    LoadedMaps(LoadedMaps&& other) noexcept = default;
    LoadedMaps& operator=(LoadedMaps&& other) noexcept;
    ~LoadedMaps();

    /// Null: there is none.
    const LoadedMap* find(std::string_view name) const;
    /// Below 0: there is none of that name, or not in the kernel.
    int descriptor(std::string_view name) const;
    /// What libbpf made of a data section (its name is the object's and the section's); null when there is none.
    const LoadedMap* section(std::string_view section) const;

    auto begin() const { return all_.begin(); }
    auto end() const { return all_.end(); }

private:
    std::vector<LoadedMap> all_;
};

} // namespace dt

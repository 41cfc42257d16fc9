// Everything a BPF hash holds, in as few system calls as the kernel allows.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/result.hpp"

namespace dt::consume {

struct MapShape {
    int descriptor = -1;
    uint32_t key_size = 0;
    std::size_t value_size = 0; ///< as the kernel copies it out: the values of all CPUs, each rounded up to 8 bytes
    uint32_t entries = 0;
};

class MapReader {
public:
    using Visit = std::function<void(const uint8_t* key, const uint8_t* value)>;

    /// Hands every entry to `visit`: one batched look-up for some thousand keys; where the kernel has none, one system
    /// call a key. Keys that others add or remove meanwhile may be missed. The error has an errno and no message.
    Result<void> read(const MapShape& map, const Visit& visit);

private:
    /// False when the kernel has no batched look-up for this map.
    Result<bool> read_batches(const MapShape& map, const Visit& visit);
    Result<void> read_one_by_one(const MapShape& map, const Visit& visit);

    std::vector<uint8_t> keys_, values_;
};

/// Removes keys that stand one after the other in `keys`; those that are gone already are passed over.
void remove_keys(const MapShape& map, std::span<const uint8_t> keys);

} // namespace dt::consume

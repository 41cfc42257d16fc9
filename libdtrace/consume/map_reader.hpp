// Reads all entries of a BPF hash with as few system calls as the kernel allows.
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
    std::size_t value_size = 0; ///< size of the copied value: the values of all CPUs, each rounded up to 8 bytes
    uint32_t entries = 0;
};

class MapReader {
public:
    using Visit = std::function<void(const uint8_t* key, const uint8_t* value)>;

    /// Calls `visit` for every entry. A batched look-up reads some thousand keys; kernels without it need a system call
    /// for each key. Keys that are added or removed meanwhile may be missed. The error has an errno and no message.
    Result<void> read(const MapShape& map, const Visit& visit);

private:
    /// Returns false if the kernel has no batched look-up for this map.
    Result<bool> read_batches(const MapShape& map, const Visit& visit);
    Result<void> read_one_by_one(const MapShape& map, const Visit& visit);

    std::vector<uint8_t> keys_, values_;
};

/// Removes the keys concatenated in `keys`; missing keys are ignored.
void remove_keys(const MapShape& map, std::span<const uint8_t> keys);

} // namespace dt::consume

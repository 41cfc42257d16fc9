// Reads maps with batched look-ups, or key by key if the kernel lacks those.
#include "libdtrace/consume/map_reader.hpp"

#include <algorithm>
#include <bpf/bpf.h>
#include <cerrno>

namespace dt::consume {

namespace {

constexpr std::size_t kBatchBytes = 256 << 10;
constexpr std::size_t kMostKeysOfBatch = 4096;
constexpr std::size_t kFewestKeysOfBatch = 4; // a batch must hold a whole hash bucket; it grows if one does not fit

} // namespace

Result<void> MapReader::read(const MapShape& map, const Visit& visit)
{
    const auto batched = read_batches(map, visit);
    if (!batched)
        return batched.error();
    return batched.value() ? Result<void>() : read_one_by_one(map, visit);
}

Result<bool> MapReader::read_batches(const MapShape& map, const Visit& visit)
{
    const std::size_t bytes = map.value_size;
    std::size_t most = std::clamp(kBatchBytes / (map.key_size + bytes), kFewestKeysOfBatch, kMostKeysOfBatch);
    std::vector<uint8_t> position(std::max<std::size_t>(map.key_size, 8)), next(position.size());
    bool started = false;
    for (;;) {
        keys_.resize(std::max(keys_.size(), most * map.key_size));
        values_.resize(std::max(values_.size(), most * bytes));
        auto count = static_cast<uint32_t>(most);
        const int failed = bpf_map_lookup_batch(map.descriptor, started ? position.data() : nullptr, next.data(),
                                                keys_.data(), values_.data(), &count, nullptr);
        const int code = failed != 0 ? errno : 0;
        if (code == ENOSPC && most < map.entries) { // a hash bucket has more keys than the batch, and nothing was read
            most *= 2;
            continue;
        }
        if (code != 0 && code != ENOENT) {
            if (!started && (code == EINVAL || code == EOPNOTSUPP || code == 524 /* ENOTSUPP of the kernel */))
                return false;
            return Error{"", code};
        }
        for (uint32_t i = 0; i < count; ++i)
            visit(keys_.data() + i * map.key_size, values_.data() + i * bytes);
        if (code == ENOENT) // ENOENT marks the end of the map
            return true;
        position.swap(next);
        started = true;
    }
}

Result<void> MapReader::read_one_by_one(const MapShape& map, const Visit& visit)
{
    values_.resize(std::max(values_.size(), map.value_size));
    std::vector<uint8_t> key(map.key_size), next(map.key_size);
    bool started = false;
    // With concurrent insertions the walk may run in circles, so it is limited to the map's capacity.
    for (uint32_t i = 0; i < map.entries; ++i) {
        if (bpf_map_get_next_key(map.descriptor, started ? key.data() : nullptr, next.data()) != 0) {
            if (errno == ENOENT)
                return {};
            return Error{"", errno};
        }
        if (bpf_map_lookup_elem(map.descriptor, next.data(), values_.data()) == 0)
            visit(next.data(), values_.data());
        key.swap(next);
        started = true;
    }
    return {};
}

void remove_keys(const MapShape& map, std::span<const uint8_t> keys)
{
    const std::size_t total = keys.size() / map.key_size;
    std::size_t done = 0;
    while (done < total) {
        auto count = static_cast<uint32_t>(total - done);
        const uint32_t asked = count;
        if (bpf_map_delete_batch(map.descriptor, keys.data() + done * map.key_size, &count, nullptr) == 0)
            return;
        // The kernel stopped at a missing key, or has no batched deletion. Delete this key alone, and continue.
        if (count >= asked)
            count = 0;
        done += count;
        bpf_map_delete_elem(map.descriptor, keys.data() + done * map.key_size);
        ++done;
    }
}

} // namespace dt::consume

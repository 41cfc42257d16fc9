// Maps with the kernel's rules for errors and for the validity of pointers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/program/image.hpp"
#include "engine/program/memory.hpp"

namespace dt::vm {

/// One record of bpf_perf_event_output() or bpf_ringbuf_output().
struct Sample {
    uint32_t cpu = 0;
    uint64_t time = 0;
    std::vector<uint8_t> bytes;
};

/// A sample without a copy of its bytes: `bytes` refers to memory of the program.
struct SampleView {
    uint32_t cpu = 0;
    uint64_t time = 0;
    std::span<const uint8_t> bytes;
};

using Bytes = std::vector<uint8_t>;

/// Orders keys bytewise. (GCC 12 warns wrongly about the vector's own comparison.)
struct ByBytes {
    using is_transparent = void;
    bool operator()(std::span<const uint8_t> a, std::span<const uint8_t> b) const
    {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    }
};

/// A map. Each value has an address in Memory. A replaced or deleted value stays readable until Memory::reclaim(). In
/// the kernel, it stays readable until the program ends.
class Map {
public:
    Map(const MapSpec& spec, uint32_t cpus, Memory& memory);

    const MapSpec& spec() const { return spec_; }
    bool per_cpu() const;

    /// Returns the address of the key's value that a program on `cpu` sees, or 0 if the key is missing.
    uint64_t lookup(std::span<const uint8_t> key, uint32_t cpu) const;
    /// Sets the value of a key for a CPU. Returns 0 or a negative errno: -ENOMEM if the memory limit leaves no room.
    /// `flags`: BPF_ANY, BPF_NOEXIST, BPF_EXIST.
    int update(std::span<const uint8_t> key, std::span<const uint8_t> value, uint64_t flags, uint32_t cpu);
    int erase(std::span<const uint8_t> key);

    /// TASK_STORAGE: returns the address of the task's value, or 0.
    uint64_t task_value(uint64_t task);
    /// Creates a zeroed value for a task without one. Returns its address, or 0 if it cannot be created.
    uint64_t make_task_value(uint64_t task);
    int erase_task(uint64_t task);

    /// PERF_EVENT_ARRAY, RINGBUF: returns 0 or a negative errno; -ENOSPC if `sample_limit` samples are stored.
    int output(const SampleView& sample);
    std::vector<Sample> samples;
    std::optional<std::size_t> sample_limit;
    /// If set, samples go to this function instead of `samples`. It returns 0 or a negative errno, as output() does.
    std::function<int(const SampleView&)> taker;

    /// For tests: returns the value's bytes, or nothing.
    std::span<uint8_t> value(std::span<const uint8_t> key, uint32_t cpu = 0) const;
    /// For tests: returns the keys in byte order.
    std::vector<Bytes> keys() const;

    /// Replaces the addresses of values. `addresses` maps old addresses to new ones.
    void move(const std::map<uint64_t, uint64_t>& addresses);

private:
    using Values = std::vector<uint64_t>; ///< addresses of a map value: one, or one per CPU
    /// Entry of a cache of task look-ups. Programs usually look up the same task again, and a search in the tree takes
    /// longer than a clause.
    struct Known {
        uint64_t task = 0, value = 0;
    };
    Known& known(uint64_t task) { return known_[task / kTaskSpan % known_.size()]; }
    static constexpr uint64_t kTaskSpan = 64; ///< minimum distance in bytes between the addresses of two tasks
    bool is_array() const;
    bool has_room() const;
    Values make_values();
    uint64_t pick(const Values& values, uint32_t cpu) const { return values[per_cpu() ? cpu : 0]; }
    void put_in_order();
    int insert(Bytes key, std::span<const uint8_t> value, uint32_t cpu);

    MapSpec spec_;
    uint32_t cpus_;
    Memory& memory_;
    std::map<Bytes, Values, ByBytes> values_;
    std::array<Known, 64> known_{};  ///< for TASK_STORAGE: cache of the last look-ups
    std::vector<uint64_t> in_order_; ///< for arrays: the addresses in values_, indexed by element
};

} // namespace dt::vm

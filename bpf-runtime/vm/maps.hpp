// Maps, with the kernel's rules: what fails, with which error, and which pointers stay valid.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "bpf-runtime/vm/image.hpp"
#include "bpf-runtime/vm/memory.hpp"

namespace dt::vm {

/// One record of bpf_perf_event_output() or bpf_ringbuf_output().
struct Sample {
    uint32_t cpu = 0;
    uint64_t time = 0;
    std::vector<uint8_t> bytes;
};

/// The same, where it lies.
struct SampleView {
    uint32_t cpu = 0;
    uint64_t time = 0;
    std::span<const uint8_t> bytes;
};

using Bytes = std::vector<uint8_t>;

/// Byte order. (GCC 12 warns wrongly about the vector's own comparison.)
struct ByBytes {
    using is_transparent = void;
    bool operator()(std::span<const uint8_t> a, std::span<const uint8_t> b) const
    {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    }
};

/// Values live in Memory at addresses of their own. A value that was replaced or deleted stays readable until
/// Memory::reclaim(), as it does in the kernel until the program ends.
class Map {
public:
    Map(const MapSpec& spec, uint32_t cpus, Memory& memory);

    const MapSpec& spec() const { return spec_; }
    bool per_cpu() const;

    /// Address of the value as a program on `cpu` sees it, or 0.
    uint64_t lookup(std::span<const uint8_t> key, uint32_t cpu) const;
    /// 0 or a negative errno: -ENOMEM when memory's limit leaves no room for a value more. `flags`: BPF_ANY,
    /// BPF_NOEXIST, BPF_EXIST.
    int update(std::span<const uint8_t> key, std::span<const uint8_t> value, uint64_t flags, uint32_t cpu);
    int erase(std::span<const uint8_t> key);

    /// TASK_STORAGE: address of the task's value, or 0.
    uint64_t task_value(uint64_t task);
    /// Of one that has none: of a new one with zeros, or 0.
    uint64_t make_task_value(uint64_t task);
    int erase_task(uint64_t task);

    /// PERF_EVENT_ARRAY, RINGBUF: 0 or a negative errno; -ENOSPC once `sample_limit` samples are held.
    int output(const SampleView& sample);
    std::vector<Sample> samples;
    std::optional<std::size_t> sample_limit;
    /// Set: it gets samples in place of the list, and answers as output() does.
    std::function<int(const SampleView&)> taker;

    /// For tests: the value's bytes, empty when there is none.
    std::span<uint8_t> value(std::span<const uint8_t> key, uint32_t cpu = 0) const;
    /// For tests: keys in byte order.
    std::vector<Bytes> keys() const;

    /// Values have new addresses: old ones to new ones.
    void move(const std::map<uint64_t, uint64_t>& addresses);

private:
    using Values = std::vector<uint64_t>; ///< one address, or one a CPU
    /// The task that was asked for last among those of a place, and where its value is: it is most often asked for
    /// again, and the tree below takes longer than a clause.
    struct Known {
        uint64_t task = 0, value = 0;
    };
    Known& known(uint64_t task) { return known_[task / kTaskSpan % known_.size()]; }
    static constexpr uint64_t kTaskSpan = 64; ///< bytes: no task is smaller
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
    std::array<Known, 64> known_{};  ///< TASK_STORAGE
    std::vector<uint64_t> in_order_; ///< of an array: what values_ has
};

} // namespace dt::vm

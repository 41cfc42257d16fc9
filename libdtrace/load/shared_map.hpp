// A map's memory, shared with the kernel: what programs write is read without a system call.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.hpp"

struct bpf_map;
struct bpf_object;

namespace dt {

class SharedMap {
public:
    SharedMap() = default;
    SharedMap(SharedMap&&) noexcept;
    SharedMap& operator=(SharedMap&&) = delete;
    ~SharedMap();

    /// The first `elements` of an array that was made for it (BPF_F_MMAPABLE). Once.
    Result<void> open(const bpf_map* map, std::size_t elements);

    /// Null before open().
    void* memory() const { return memory_; }
    /// Bytes, whole pages.
    std::size_t size() const { return size_; }

private:
    void* memory_ = nullptr;
    std::size_t size_ = 0;
};

/// The map that libbpf made of a data section (its name is the object's and the section's); null when there is none.
bpf_map* section_map(const bpf_object* object, std::string_view section);

} // namespace dt

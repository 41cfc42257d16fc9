// A map's memory, shared with the kernel: what programs write is read without a system call.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.hpp"
#include "base/shared_memory.hpp"

struct bpf_map;
struct bpf_object;

namespace dt {

class SharedMap : public SharedMemory {
public:
    /// The first `elements` of an array that was made for it (BPF_F_MMAPABLE). Once. The map is to outlive it where it
    /// is hidden and shown.
    Result<void> open(const bpf_map* map, std::size_t elements);
};

/// The map that libbpf made of a data section (its name is the object's and the section's); null when there is none.
bpf_map* section_map(const bpf_object* object, std::string_view section);

} // namespace dt

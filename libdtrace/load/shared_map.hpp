// A map's memory, shared with the kernel: what programs write is read without a system call.
#pragma once

#include <cstddef>

#include "base/result.hpp"
#include "base/shared_memory.hpp"
#include "libdtrace/load/loaded_maps.hpp"

namespace dt {

class SharedMap : public SharedMemory {
public:
    /// The first `elements` of an array that was made for it (BPF_F_MMAPABLE). Once. The map is to outlive it where it
    /// is hidden and shown.
    /// A map that is not in the kernel is memory of this process, which can be handed to others and not be made
    /// smaller.
    Result<void> open(const LoadedMap& map, std::size_t elements);
    /// So many bytes of such memory, zeros. Once.
    Result<void> make(std::size_t bytes);
    /// Of the memory.
    int descriptor() const { return descriptor_; }

    SharedMap() = default;
    SharedMap(SharedMap&& other) noexcept;
    ~SharedMap();

private:
    int descriptor_ = -1;
    bool is_own_ = false;
};

} // namespace dt

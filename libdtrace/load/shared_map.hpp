// Memory of a map that is shared with the kernel, so that reading it needs no system call.
#pragma once

#include <cstddef>

#include "base/result.hpp"
#include "base/shared_memory.hpp"
#include "libdtrace/load/loaded_maps.hpp"

namespace dt {

class SharedMap : public SharedMemory {
public:
    /// Maps the first `elements` of an array created with BPF_F_MMAPABLE. Call it once. The map must outlive this
    /// object if hide() and show() are used.
    /// For a map that is not in the kernel, uses memory of this process. Its descriptor can be passed to other
    /// processes, and the memory cannot shrink.
    Result<void> open(const LoadedMap& map, std::size_t elements);
    /// Allocates `bytes` of zeroed memory of that kind. Call it once.
    Result<void> make(std::size_t bytes);
    /// Returns the descriptor of the memory.
    int descriptor() const { return descriptor_; }

    SharedMap() = default;
    SharedMap(SharedMap&& other) noexcept;
    ~SharedMap();

private:
    int descriptor_ = -1;
    bool is_own_ = false;
};

} // namespace dt

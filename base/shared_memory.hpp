// Shared memory that can be unmapped while it is not in use.
//
// All mapped memory counts as resident memory of a process. A tracer reads some of its BPF maps only now and then. The
// pages of these maps are unmapped in between, and mapped again at the same address.
#pragma once

#include <cstddef>

namespace dt {

class SharedMemory {
public:
    SharedMemory() = default;
    SharedMemory(SharedMemory&&) noexcept;
    SharedMemory& operator=(SharedMemory&&) = delete;
    ~SharedMemory();

    /// Maps `bytes` bytes of the descriptor, rounded up to pages, for reading and writing. The descriptor must stay
    /// open as long as show() is called. Returns false with errno set on failure. May be called only once.
    bool open(int descriptor, std::size_t bytes);

    /// Returns the address of the memory, or null before open().
    void* memory() const { return memory_; }
    /// Returns the size in bytes, a multiple of the page size.
    std::size_t size() const { return size_; }

    /// Maps the memory again. If that fails, returns false, and the memory must not be accessed.
    bool show();
    void hide();

private:
    void* memory_ = nullptr;
    std::size_t size_ = 0;
    int descriptor_ = -1;
    bool is_hidden_ = false;
};

/// Keeps all SharedMemory elements of a list mapped during its own lifetime.
template <typename List> class Shown {
public:
    explicit Shown(List& list) : list_(list)
    {
        for (SharedMemory& each : list_)
            are_shown_ &= each.show();
    }
    ~Shown()
    {
        for (SharedMemory& each : list_)
            each.hide();
    }
    Shown(const Shown&) = delete;
    Shown& operator=(const Shown&) = delete;
    /// Returns false if some elements could not be mapped and must not be accessed.
    explicit operator bool() const { return are_shown_; }

private:
    List& list_;
    bool are_shown_ = true;
};

} // namespace dt

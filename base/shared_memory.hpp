// Memory that is shared through a descriptor, and that can be hidden while nobody looks at it.
//
// What a process has mapped counts as its resident memory, whoever it belongs to. A tracer maps maps of the kernel, of
// which it looks at some once in a while: these are hidden in between, and shown at the same address.
#pragma once

#include <cstddef>

namespace dt {

class SharedMemory {
public:
    SharedMemory() = default;
    SharedMemory(SharedMemory&&) noexcept;
    SharedMemory& operator=(SharedMemory&&) = delete;
    ~SharedMemory();

    /// Maps so many bytes, in whole pages, for reading and writing. The descriptor must stay open if they are hidden
    /// and shown. False: an errno. Once.
    bool open(int descriptor, std::size_t bytes);

    /// Null before open().
    void* memory() const { return memory_; }
    /// Bytes, whole pages.
    std::size_t size() const { return size_; }

    /// False: it cannot be shown now, and must not be looked at.
    bool show();
    void hide();

private:
    void* memory_ = nullptr;
    std::size_t size_ = 0;
    int descriptor_ = -1;
    bool is_hidden_ = false;
};

/// Shows each of a list as long as it lives.
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
    /// False: some must not be looked at.
    explicit operator bool() const { return are_shown_; }

private:
    List& list_;
    bool are_shown_ = true;
};

} // namespace dt

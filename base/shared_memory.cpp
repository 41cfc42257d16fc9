// Implements memory that can be unmapped while it is not in use. Its address range then stays reserved by inaccessible
// pages.
#include "base/shared_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <utility>

namespace dt {

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)), size_(other.size_), descriptor_(other.descriptor_),
      is_hidden_(other.is_hidden_)
{
}

SharedMemory::~SharedMemory()
{
    if (memory_)
        munmap(memory_, size_);
}

bool SharedMemory::open(int descriptor, std::size_t bytes)
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    size_ = (bytes + page - 1) / page * page;
    descriptor_ = descriptor;
    void* const memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory != MAP_FAILED)
        memory_ = memory;
    return memory_ != nullptr;
}

bool SharedMemory::show()
{
    if (is_hidden_ &&
        mmap(memory_, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor_, 0) != MAP_FAILED)
        is_hidden_ = false;
    return memory_ && !is_hidden_;
}

void SharedMemory::hide()
{
    constexpr int kPlace = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (memory_ && !is_hidden_ && mmap(memory_, size_, PROT_NONE, kPlace, -1, 0) != MAP_FAILED)
        is_hidden_ = true;
}

} // namespace dt

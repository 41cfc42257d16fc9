#include "embed/live_channel.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace dt::embed {

Result<LiveChannel> LiveChannel::make()
{
    const auto failed = [](int descriptor) {
        const int code = errno;
        if (descriptor >= 0)
            close(descriptor);
        return Error{std::string("cannot make memory for records: ") + std::strerror(code), code};
    };
    const int descriptor = memfd_create("dtrace-engine", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0 || ftruncate(descriptor, wire::kChannelSize) != 0 ||
        fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return failed(descriptor);
    void* const memory = mmap(nullptr, wire::kChannelSize, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED)
        return failed(descriptor);
    madvise(memory, wire::kChannelSize, MADV_DONTFORK); // a child would interleave its records with those of this
                                                        // process
    return LiveChannel(descriptor, memory);
}

LiveChannel::LiveChannel(int descriptor, void* memory)
    : descriptor_(descriptor), head_(static_cast<wire::Channel*>(memory))
{
}

LiveChannel::LiveChannel(LiveChannel&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), head_(std::exchange(other.head_, nullptr)),
      written_(other.written_), fired_(other.fired_), left_(other.left_)
{
}

LiveChannel::~LiveChannel()
{
    if (head_)
        munmap(head_, wire::kChannelSize);
    if (descriptor_ >= 0)
        close(descriptor_);
}

int LiveChannel::put(const vm::SampleView& sample)
{
    const std::size_t size = sample.bytes.size(), whole = size + sizeof sample.time;
    const uint64_t read = __atomic_load_n(&head_->read, __ATOMIC_ACQUIRE);
    const uint64_t waiting = written_ - read; // unsigned, so safe for any value from the reader
    dt_sample head{};
    std::memcpy(&head, sample.bytes.data(), std::min(size, sizeof head));
    if (size < sizeof head || (head.size & ~DT_SAMPLE_CONTINUES) != size || size % sizeof(uint64_t) != 0 ||
        whole > wire::kChannelMost || waiting > wire::kChannelData - whole)
        return -ENOSPC;
    uint8_t* const at = reinterpret_cast<uint8_t*>(head_) + wire::kChannelHead + written_ % wire::kChannelData;
    std::memcpy(at, sample.bytes.data(), size);
    std::memcpy(at + size, &sample.time, sizeof sample.time);
    written_ += whole;
    __atomic_store_n(&head_->written, written_, __ATOMIC_RELEASE);
    return 0;
}

void LiveChannel::leave(const std::string& name, std::span<const uint8_t> bytes)
{
    const uint32_t sizes[] = {static_cast<uint32_t>(name.size()), static_cast<uint32_t>(bytes.size())};
    const std::size_t whole = sizeof sizes + name.size() + bytes.size();
    if (bytes.size() > wire::kChannelWill || whole > wire::kChannelWill - left_)
        return;
    uint8_t* at = reinterpret_cast<uint8_t*>(head_) + wire::kChannelWillAt + left_;
    std::memcpy(at, sizes, sizeof sizes);
    std::memcpy(at + sizeof sizes, name.data(), name.size());
    if (!bytes.empty())
        std::memcpy(at + sizeof sizes + name.size(), bytes.data(), bytes.size());
    left_ += whole;
    __atomic_store_n(&head_->will, left_, __ATOMIC_RELEASE);
}

} // namespace dt::embed

// Implements the reader wakeup: a program wakes the consumer by a write to the ring buffer. Only the write position is
// read; the written data have no meaning. The layout of the mapped pages is defined in kernel/bpf/ringbuf.c.
#include "libdtrace/buffers/reader_wakeup.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "bpf-runtime/abi.h"
#include "libdtrace/load/loaded_maps.hpp"

namespace dt::consume {

ReaderWakeup::~ReaderWakeup()
{
    if (consumer_)
        munmap(consumer_, page_);
    if (producer_)
        munmap(const_cast<void*>(producer_), page_);
}

bool ReaderWakeup::open(const LoadedMaps& maps, volatile dt_state& state)
{
    state_ = &state;
    const LoadedMap* const map = maps.find(DT_MAP_WAKEUP);
    if (!map)
        return true;
    page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* const consumer = mmap(nullptr, page_, PROT_READ | PROT_WRITE, MAP_SHARED, map->descriptor, 0);
    if (consumer == MAP_FAILED)
        return false;
    consumer_ = consumer;
    const void* const producer =
        mmap(nullptr, page_, PROT_READ, MAP_SHARED, map->descriptor, static_cast<off_t>(page_));
    if (producer == MAP_FAILED)
        return false;
    producer_ = producer;
    map_ = map->descriptor;
    return true;
}

bool ReaderWakeup::listen()
{
    dt_u64 before = DT_READER_AWAKE;
    return __atomic_compare_exchange_n(&state_->reader_state, &before, static_cast<dt_u64>(DT_READER_ASLEEP), false,
                                       __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) ||
           before == DT_READER_ASLEEP;
}

void ReaderWakeup::stop_listening()
{
    dt_u64 before = DT_READER_ASLEEP;
    __atomic_compare_exchange_n(&state_->reader_state, &before, static_cast<dt_u64>(DT_READER_AWAKE), false,
                                __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

bool ReaderWakeup::answer()
{
    if (!producer_)
        return false;
    const uint64_t written = __atomic_load_n(static_cast<const uint64_t*>(producer_), __ATOMIC_ACQUIRE);
    const bool has_woken = *static_cast<const uint64_t*>(consumer_) != written;
    __atomic_store_n(static_cast<uint64_t*>(consumer_), written, __ATOMIC_RELEASE);
    return has_woken;
}

} // namespace dt::consume

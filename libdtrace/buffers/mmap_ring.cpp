// Creates mmap rings while programs run, stores them in the map through which programs find them, and reads them.
#include "libdtrace/buffers/mmap_ring.hpp"

#include <bpf/bpf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/phase_times.hpp"
#include "libdtrace/load/loaded_maps.hpp"
#include "libdtrace/load/map_sizes.hpp"

namespace dt::consume {

MmapRings::~MmapRings()
{
    if (opening_.joinable())
        opening_.join();
    rings_.clear();
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    for (const OpenedRing& ring : mmap_rings_) {
        munmap(ring.head, page);
        close(ring.map);
    }
    if (outer_ >= 0)
        close(outer_);
}

void MmapRings::open(const LoadedMaps& maps, const std::vector<int>& cpus)
{
    const LoadedMap* const outer = maps.find(DT_MAP_MMAP_RINGS);
    if (outer_ >= 0 || !outer)
        return;
    for (const int cpu : cpus)
        if (static_cast<uint32_t>(cpu) < outer->max_entries && !add(cpu))
            break;
    outer_ = fcntl(outer->descriptor, F_DUPFD_CLOEXEC, 0);
    opening_ = side_thread([this] { put_in_place(); }); // if no thread can be started, programs get no rings
}

uint64_t MmapRings::memory() const
{
    uint64_t bytes = 0;
    for (const OpenedRing& ring : mmap_rings_)
        bytes += map_memory(ring.map);
    return bytes;
}

bool MmapRings::add(int cpu)
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const int map = make_mmap_ring_map();
    if (map < 0)
        return false;
    void* const head = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
    if (head == MAP_FAILED) {
        close(map);
        return false;
    }
    mmap_rings_.push_back({map, cpu, static_cast<dt_mmap_ring*>(head)});
    rings_.emplace_back(map, mmap_rings_.back().head, page, static_cast<uint32_t>(cpu));
    return true;
}

/// Stores the rings in the outer map, one after the other. For each ring, the system call waits until no program uses
/// the previous entry.
void MmapRings::put_in_place()
{
    for (const OpenedRing& ring : mmap_rings_)
        bpf_map_update_elem(outer_, &ring.cpu, &ring.map, BPF_ANY);
}

// Reads an mmap ring; bpf-runtime/abi.h defines its layout.

namespace {

/// Minimum and maximum size of the mapped piece of the data area, in bytes. The size grows with the amount of unread
/// data. Mapping takes some microseconds, but reading a full piece of the minimum size takes hundreds of microseconds.
constexpr std::size_t kMinPiece = 64 * 1024, kMaxPiece = 1024 * 1024;
// Number of consecutive calls of refresh() that find no new data, after which the mapped piece of the ring is unmapped.
constexpr unsigned kMaxQuietRefreshes = 16;

std::size_t round_up(std::size_t bytes, std::size_t page)
{
    return (bytes + page - 1) / page * page;
}

} // namespace

MmapRing::MmapRing(int map, dt_mmap_ring* head, std::size_t page_size, uint32_t cpu)
    : Ring(DT_MMAP_RING_BYTES, cpu, head->read), map_(map), head_page_(head), page_size_(page_size), piece_(kMinPiece)
{
}

MmapRing::~MmapRing()
{
    unmap();
}

/// Zeroes the memory of a sample that has been read, because a program that writes there next relies on zeros.
void MmapRing::clear()
{
    if (!shown_ || tail_ < next_)
        return;
    std::memset(shown_, 0, shown_size_);
    shown_ = nullptr;
}

void MmapRing::unmap()
{
    clear();
    if (window_)
        munmap(window_, window_size_);
    window_ = nullptr;
    window_size_ = 0;
}

/// Returns the address of `bytes` bytes at position `position` of the ring. Returns null if they cannot be mapped now;
/// the caller tries again later. May unmap the previous piece, so its addresses become invalid.
uint8_t* MmapRing::at(uint64_t position, std::size_t bytes)
{
    const std::size_t place = offsetof(dt_mmap_ring, data) + position % DT_MMAP_RING_BYTES;
    if (!window_ || place < window_at_ || place + bytes > window_at_ + window_size_) {
        unmap();
        const std::size_t begin = place / page_size_ * page_size_;
        const std::size_t needed = round_up(place + bytes - begin, page_size_);
        const std::size_t waiting = round_up(place + (head_ - position) - begin, page_size_);
        const std::size_t rest = round_up(sizeof(dt_mmap_ring), page_size_) - begin;
        const std::size_t size = std::min(std::max({needed, std::min(waiting, piece_), kMinPiece}), rest);
        piece_ = waiting > piece_ ? std::min(2 * piece_, kMaxPiece) : std::max(piece_ / 2, kMinPiece);
        void* const window = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, map_, static_cast<off_t>(begin));
        if (window == MAP_FAILED)
            return nullptr;
        window_ = static_cast<uint8_t*>(window);
        window_at_ = begin;
        window_size_ = size;
    }
    return window_ + (place - window_at_);
}

uint64_t MmapRing::written() const
{
    return __atomic_load_n(&head_page_->written, __ATOMIC_ACQUIRE);
}

void MmapRing::release_space(uint64_t position)
{
    clear();
    __atomic_store_n(&head_page_->read, position, __ATOMIC_RELEASE);
    if (position == head_ && window_size_ > kMinPiece)
        unmap();
    quiet_refreshes_ = 0;
}

void MmapRing::found_nothing_new()
{
    if (window_ && tail_ == head_ && ++quiet_refreshes_ > kMaxQuietRefreshes) {
        unmap();
        piece_ = kMinPiece;
    }
}

bool MmapRing::find_front()
{
    clear();
    if (tail_ >= head_)
        return false;
    const uint8_t* const word = at(tail_, sizeof(uint64_t));
    if (!word)
        return false;
    const uint64_t first = __atomic_load_n(reinterpret_cast<const uint64_t*>(word), __ATOMIC_ACQUIRE);
    if (first == 0)
        return false; // there is no complete sample: a program is still writing it
    dt_sample sample{};
    std::memcpy(&sample.size, &first, sizeof sample.size);
    const bool continues = (sample.size & DT_SAMPLE_CONTINUES) != 0;
    sample.size &= ~DT_SAMPLE_CONTINUES;
    const uint64_t whole = sample.size + sizeof(uint64_t);
    if (sample.size < sizeof sample || sample.size % sizeof(uint64_t) != 0 || whole > DT_MMAP_RING_MAX_SAMPLE ||
        whole > head_ - tail_)
        return false; // a malformed sample: the following bytes cannot be decoded, and the ring stays full
    uint8_t* const data = at(tail_, whole);
    if (!data)
        return false;
    std::memcpy(&sample, data, sizeof sample);
    sample.size &= ~DT_SAMPLE_CONTINUES;
    uint64_t time = 0;
    std::memcpy(&time, data + sample.size, sizeof time);
    // In a ring, samples may be out of time order: a clause may be interrupted after it has read its clock, and the
    // interrupting clauses then write samples with later times before it. Callers need times that never decrease, so
    // front() returns the latest time so far.
    latest_ = std::max(latest_, time);
    next_ = tail_ + whole;
    shown_ = data;
    shown_size_ = whole;
    front_ = {latest_,
              cpu_,
              sample.spec,
              sample.probe,
              sample.stmt,
              static_cast<uint32_t>(sample.size - sizeof sample),
              data + sizeof sample,
              continues};
    return true;
}

} // namespace dt::consume

// Reading records in place, also one that wraps at the end of the buffer.
#include "libdtrace/consume/ring.hpp"

#include <algorithm>
#include <bit>
#include <bpf/libbpf.h>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <numeric>
#include <linux/perf_event.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "bpf-runtime/abi.h"

#include "probes/attach/perf_permission.hpp"

namespace dt::consume {

namespace {

// PERF_RECORD_SAMPLE with PERF_SAMPLE_TIME | PERF_SAMPLE_RAW; the data follow. Packed: they begin at an odd multiple of four.
struct [[gnu::packed]] RecordHead {
    perf_event_header header;
    uint64_t time;
    uint32_t raw_size;
    dt_sample sample;
};
static_assert(sizeof(RecordHead) == 8 + 8 + 4 + 16);

constexpr std::size_t kWatermark = 64 * 1024; // wake the reader at half a buffer, at most this much
constexpr unsigned kReleaseParts = 8;         // space goes back to the kernel in eighths of a buffer

uint64_t load_head(void* page)
{
    return __atomic_load_n(&static_cast<perf_event_mmap_page*>(page)->data_head, __ATOMIC_ACQUIRE);
}

} // namespace

// "0-3,7": the kernel's list of CPUs that are online.
std::vector<int> online_cpus()
{
    std::vector<int> cpus;
    std::ifstream file("/sys/devices/system/cpu/online");
    for (int first = 0; file >> first; file.ignore(1, ',')) {
        int last = first;
        if (file.peek() == '-') {
            file.ignore();
            file >> last;
        }
        for (int cpu = first; cpu <= last; ++cpu)
            cpus.push_back(cpu);
    }
    if (cpus.empty()) { // no sysfs
        cpus.resize(static_cast<std::size_t>(std::max(libbpf_num_possible_cpus(), 1)));
        std::iota(cpus.begin(), cpus.end(), 0);
    }
    return cpus;
}

std::size_t round_buffer_size(std::size_t bytes, std::size_t page_size)
{
    return std::bit_ceil(std::max<std::size_t>((bytes + page_size - 1) / page_size, 1)) * page_size;
}

std::size_t record_size(std::size_t data_size)
{
    return (sizeof(RecordHead) + data_size + 7) / 8 * 8;
}

Ring::Ring(void* mapping, std::size_t mapping_size, std::size_t page_size, uint32_t cpu)
    : page_(mapping), data_(static_cast<const uint8_t*>(mapping) + page_size), size_(mapping_size - page_size), cpu_(cpu)
{
    tail_ = released_ = static_cast<perf_event_mmap_page*>(page_)->data_tail;
}

void Ring::refresh()
{
    head_ = load_head(page_);
    crowded_ = head_ - tail_ > size_ / 4;
}

// `size` bytes of the ring from position `at`, copied when they go over its end.
const uint8_t* Ring::contiguous(uint64_t at, std::size_t size)
{
    const std::size_t offset = at & (size_ - 1);
    if (offset + size <= size_)
        return data_ + offset;
    wrapped_.resize(std::max(wrapped_.size(), size));
    const std::size_t first = size_ - offset;
    std::memcpy(wrapped_.data(), data_ + offset, first);
    std::memcpy(wrapped_.data() + first, data_, size - first);
    return wrapped_.data();
}

bool Ring::find_front()
{
    while (tail_ < head_) {
        perf_event_header header; // headers are 8-byte aligned and so never go over the end
        std::memcpy(&header, data_ + (tail_ & (size_ - 1)), sizeof header);
        const bool whole = header.size >= sizeof header && header.size % alignof(uint64_t) == 0 && header.size <= std::min(head_ - tail_, size_);
        if (!whole) {
            tail_ = head_; // nothing after this can be understood
            return false;
        }
        next_ = tail_ + header.size;
        if (header.type == PERF_RECORD_SAMPLE && header.size >= sizeof(RecordHead)) {
            const uint8_t* record = contiguous(tail_, header.size);
            RecordHead head;
            std::memcpy(&head, record, sizeof head);
            const std::size_t room = header.size - (sizeof head - sizeof head.sample);
            if (head.sample.size >= sizeof head.sample && head.sample.size <= std::min<std::size_t>(head.raw_size, room)) {
                front_ = {head.time,           cpu_,
                          head.sample.spec,    head.sample.probe,
                          head.sample.stmt,    static_cast<uint32_t>(head.sample.size - sizeof head.sample),
                          record + sizeof head};
                return true;
            }
        }
        tail_ = next_;
    }
    return false;
}

void Ring::pop()
{
    tail_ = next_;
    has_front_ = false;
    if (tail_ - released_ >= size_ / kReleaseParts)
        release();
}

void Ring::release()
{
    if (released_ == tail_)
        return;
    released_ = tail_;
    __atomic_store_n(&static_cast<perf_event_mmap_page*>(page_)->data_tail, tail_, __ATOMIC_RELEASE);
}

// ---- all CPUs -------------------------------------------------------------------------------------------------------

Rings::Rings() = default;
Rings::~Rings() = default;

void Rings::Close::operator()(perf_buffer* buffer) const
{
    perf_buffer__free(buffer);
}

Result<void> Rings::open(int map, std::size_t bytes)
{
    rings_.clear();
    buffers_.clear();
    map_ = map;
    bytes_ = bytes;
    cpus_ = online_cpus();
    return add(cpus_);
}

Result<void> Rings::follow_cpus(const std::vector<int>& online)
{
    std::vector<int> come;
    std::set_difference(online.begin(), online.end(), cpus_.begin(), cpus_.end(), std::back_inserter(come));
    cpus_ = online;
    return come.empty() || buffers_.empty() ? Result<void>() : add(std::move(come));
}

Result<void> Rings::add(std::vector<int> cpus)
{
    const auto page_size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_BPF_OUTPUT;
    attributes.sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_TIME;
    attributes.sample_period = 1;
    attributes.watermark = 1;
    attributes.wakeup_watermark = static_cast<uint32_t>(std::min(bytes_ / 2, kWatermark));
    attributes.use_clockid = 1;
    attributes.clockid = CLOCK_MONOTONIC;

    LIBBPF_OPTS(perf_buffer_raw_opts, options);
    options.cpu_cnt = static_cast<int>(cpus.size());
    options.cpus = cpus.data();
    options.map_keys = cpus.data();
    // The callback is never called: records are read from the mapping itself.
    const perf_buffer_event_fn unused = [](void*, int, perf_event_header*) { return LIBBPF_PERF_EVENT_CONT; };
    Buffer buffer(perf_buffer__new_raw(map_, bytes_ / page_size, &attributes, unused, nullptr, &options));
    if (!buffer) {
        const int code = errno;
        const std::string permission = code == EACCES ? " (" + probes::perf_permission_needed() + ")" : "";
        return Error{std::string("cannot open the principal buffers (") + std::to_string(bytes_) + " bytes a CPU; see option bufsize): " + std::strerror(code) +
                         permission,
                     code};
    }
    for (std::size_t i = 0; i < perf_buffer__buffer_cnt(buffer.get()); ++i) {
        void* mapping = nullptr;
        std::size_t data_size = 0; // without the control page before it
        if (const int error = perf_buffer__buffer(buffer.get(), static_cast<int>(i), &mapping, &data_size); error != 0)
            return Error{std::string("cannot read the principal buffers: ") + std::strerror(-error), -error};
        rings_.emplace_back(mapping, page_size + data_size, page_size, static_cast<uint32_t>(cpus[i]));
    }
    epoll_event event{EPOLLIN, {}};
    if (!buffers_.empty())
        epoll_ctl(descriptor(), EPOLL_CTL_ADD, perf_buffer__epoll_fd(buffer.get()), &event); // else it is read at the next pass
    buffers_.push_back(std::move(buffer));
    return {};
}

void Rings::wait(int timeout_ms)
{
    epoll_event events[1];
    if (!buffers_.empty())
        epoll_wait(descriptor(), events, 1, std::max(timeout_ms, 0));
}

int Rings::descriptor() const
{
    return buffers_.empty() ? -1 : perf_buffer__epoll_fd(buffers_.front().get());
}

} // namespace dt::consume

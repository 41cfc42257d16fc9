// Opens the buffers that the consumer reads, and adds buffers for CPUs that come online.
#include "libdtrace/consume/rings.hpp"

#include <algorithm>
#include <bit>
#include <bpf/libbpf.h>
#include <cerrno>
#include <cstring>
#include <cstdlib>
#include <fcntl.h>
#include <iterator>
#include <numeric>
#include <linux/perf_event.h>
#include <sys/epoll.h>
#include <unistd.h>
#include <utility>

#include "probes/attach/perf_permission.hpp"

namespace dt::consume {

namespace {

constexpr std::size_t kWatermark = 64 * 1024; // wake the reader when half a buffer is filled, but at most this much

std::size_t watermark(std::size_t bytes)
{
    return std::min(bytes / 2, kWatermark);
}

} // namespace

// Returns the kernel's list of online CPUs, for example "0-3,7". It is read once a second.
std::vector<int> online_cpus()
{
    std::vector<int> cpus;
    char text[4096] = "";
    const int file = ::open("/sys/devices/system/cpu/online", O_RDONLY | O_CLOEXEC);
    if (file >= 0 && ::read(file, text, sizeof text - 1) > 0) {
        for (char* at = text; *at >= '0' && *at <= '9'; at += *at == ',') {
            const long first = std::strtol(at, &at, 10);
            const long last = *at == '-' ? std::strtol(at + 1, &at, 10) : first;
            for (long cpu = first; cpu <= last; ++cpu)
                cpus.push_back(static_cast<int>(cpu));
        }
    }
    if (file >= 0)
        ::close(file);
    if (cpus.empty()) { // without sysfs, assume that all possible CPUs are online
        cpus.resize(static_cast<std::size_t>(std::max(libbpf_num_possible_cpus(), 1)));
        std::iota(cpus.begin(), cpus.end(), 0);
    }
    return cpus;
}

std::size_t round_buffer_size(std::size_t bytes, std::size_t page_size)
{
    return std::bit_ceil(std::max<std::size_t>((bytes + page_size - 1) / page_size, 1)) * page_size;
}

Rings::Rings() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {}

Rings::~Rings()
{
    if (epoll_ >= 0)
        close(epoll_);
}

void Rings::Close::operator()(perf_buffer* buffer) const
{
    perf_buffer__free(buffer);
}

Result<void> Rings::open(int map, std::size_t bytes)
{
    rings_ = others_;
    for (LaneRing& lane : lanes_.rings())
        rings_.push_back(&lane);
    perf_rings_.clear();
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
    attributes.wakeup_watermark = static_cast<uint32_t>(watermark(bytes_));
    attributes.use_clockid = 1;
    attributes.clockid = CLOCK_MONOTONIC;

    LIBBPF_OPTS(perf_buffer_raw_opts, options);
    options.cpu_cnt = static_cast<int>(cpus.size());
    options.cpus = cpus.data();
    options.map_keys = cpus.data();
    // libbpf never calls this callback, because records are read directly from the mapping.
    const perf_buffer_event_fn unused = [](void*, int, perf_event_header*) { return LIBBPF_PERF_EVENT_CONT; };
    Buffer buffer(perf_buffer__new_raw(map_, bytes_ / page_size, &attributes, unused, nullptr, &options));
    if (!buffer) {
        const int code = errno;
        const std::string permission = code == EACCES ? " (" + probes::perf_permission_needed() + ")" : "";
        return Error{std::string("cannot open the principal buffers (") + std::to_string(bytes_) +
                         " bytes a CPU; see option bufsize): " + std::strerror(code) + permission,
                     code};
    }
    for (std::size_t i = 0; i < perf_buffer__buffer_cnt(buffer.get()); ++i) {
        void* mapping = nullptr;
        std::size_t data_size = 0; // size of the data area, without the control page before it
        if (const int error = perf_buffer__buffer(buffer.get(), static_cast<int>(i), &mapping, &data_size); error != 0)
            return Error{std::string("cannot read the principal buffers: ") + std::strerror(-error), -error};
        rings_.push_back(
            &perf_rings_.emplace_back(mapping, page_size + data_size, page_size, static_cast<uint32_t>(cpus[i])));
    }
    epoll_event event{EPOLLIN, {}};
    epoll_ctl(epoll_, EPOLL_CTL_ADD, perf_buffer__epoll_fd(buffer.get()),
              &event); // on failure the buffer is read at the next pass
    buffers_.push_back(std::move(buffer));
    return {};
}

void Rings::open_lanes(const LoadedMaps& maps)
{
    if (buffers_.empty() || bytes_ < DT_LANE_DATA || std::exchange(lanes_tried_, true))
        return;
    lanes_.open(maps, cpus_);
    for (LaneRing& lane : lanes_.rings())
        rings_.push_back(&lane);
}

uint64_t Rings::memory() const
{
    const auto page_size = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    return perf_rings_.size() * (page_size + bytes_) + lanes_.memory();
}

void Rings::wait(int timeout_ms)
{
    epoll_event events[8];
    if (!buffers_.empty())
        epoll_wait(epoll_, events, static_cast<int>(std::size(events)), std::max(timeout_ms, 0));
}

int Rings::descriptor() const
{
    return buffers_.empty() ? -1 : epoll_;
}

} // namespace dt::consume

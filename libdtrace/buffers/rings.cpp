// Computes the size of the principal buffers from options and schema, opens them, and adds buffers for CPUs that come
// online.
#include "libdtrace/buffers/rings.hpp"

#include <bpf/libbpf.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "bpf-runtime/abi.h"
#include "libdtrace/load/loaded_maps.hpp"
#include "probes/attach/probe_event.hpp"

namespace dt::consume {

namespace {

// A buffer wakes the reader when it is half full, or when it contains this many bytes, whichever comes first.
constexpr std::size_t kWatermark = 64 * 1024;

std::size_t watermark(std::size_t bytes)
{
    return std::min(bytes / 2, kWatermark);
}

} // namespace

// Returns the CPUs that are online, from the kernel's list, for example "0-3,7". The list is read once a second.
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
    if (cpus.empty()) { // without sysfs, all possible CPUs are assumed to be online
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
    for (MmapRing& ring : mmap_rings_.rings())
        rings_.push_back(&ring);
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
    // libbpf requires this callback but never calls it, because records are read directly from the mapping.
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
        std::size_t data_size = 0; // size in bytes of the data area; the control page before it is not included
        if (const int error = perf_buffer__buffer(buffer.get(), static_cast<int>(i), &mapping, &data_size); error != 0)
            return Error{std::string("cannot read the principal buffers: ") + std::strerror(-error), -error};
        rings_.push_back(
            &perf_rings_.emplace_back(mapping, page_size + data_size, page_size, static_cast<uint32_t>(cpus[i])));
    }
    epoll_event event{EPOLLIN, {}};
    // If epoll_ctl() fails, data in this buffer do not wake the reader, but the next pass reads the buffer anyway.
    epoll_ctl(epoll_, EPOLL_CTL_ADD, perf_buffer__epoll_fd(buffer.get()), &event);
    buffers_.push_back(std::move(buffer));
    return {};
}

void Rings::open_mmap_rings(const LoadedMaps& maps)
{
    if (buffers_.empty() || bytes_ < DT_MMAP_RING_BYTES || std::exchange(mmap_rings_tried_, true))
        return;
    mmap_rings_.open(maps, cpus_);
    for (MmapRing& ring : mmap_rings_.rings())
        rings_.push_back(&ring);
}

uint64_t Rings::memory() const
{
    const auto page_size = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    return perf_rings_.size() * (page_size + bytes_) + mmap_rings_.memory();
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

// Computes the size of the principal buffers from options and schema, and opens them.

namespace {

constexpr std::size_t kMinKernelBuffer = 1 << 20;

std::size_t bytes_of_page()
{
    return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Returns the maximum size of one CPU's buffer: all CPUs together get a quarter of the machine's memory.
std::size_t max_buffer_size()
{
    const auto pages = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES));
    return pages * bytes_of_page() / 4 / static_cast<uint64_t>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
}

// Returns a size with its suffix, for example "2m".
std::string size_text(uint64_t size)
{
    static constexpr char kSuffixes[] = "\0kmgt";
    std::size_t suffix = 0;
    for (; suffix < 4 && size % 1024 == 0; size /= 1024)
        ++suffix;
    return suffix == 0 ? std::to_string(size) + " bytes" : std::to_string(size) + kSuffixes[suffix];
}

} // namespace

Result<void> PrincipalBuffers::open_rings(std::size_t size)
{
    Result<void> opened = rings_.open(map_, size);
    if (opened)
        size_ = size;
    return opened;
}

// Returns whether the program has only the probes BEGIN, END and ERROR.
bool PrincipalBuffers::runs_only_once() const
{
    const auto& programs = schema_.programs;
    return std::all_of(programs.begin(), programs.end(),
                       [](const ProgramPlan& plan) { return plan.plan->kind_info().run_by_tracer; });
}

// Returns the buffer space in bytes for one sample of each statement.
std::size_t PrincipalBuffers::room_for(const std::vector<uint32_t>& statements) const
{
    std::size_t size = 0;
    for (const uint32_t id : statements)
        size += record_size(schema_.statements[id].data_size);
    return size;
}

Result<void> PrincipalBuffers::open(const LoadedMaps& maps, bool retained, bool may_extend,
                                    const std::vector<uint32_t>& end_statements,
                                    const std::vector<uint32_t>& error_statements,
                                    const std::function<void(const output::Note&)>& tell)
{
    // For each clause of END, reserves space for its sample and, in case it fails, for a fault record and the samples
    // of the clauses of ERROR.
    const std::size_t faulting = record_size(sizeof(dt_fault)) + room_for(error_statements);
    const auto room = [&](const std::vector<uint32_t>& ids) {
        return kLostRecordSize + room_for(ids) + ids.size() * faulting;
    };
    end_size_ = room(end_statements);
    std::vector<uint32_t> all(schema_.statements.size());
    std::iota(all.begin(), all.end(), 0);
    whole_size_ = room(all);

    const LoadedMap* const map = maps.find(DT_MAP_BUFFERS);
    if (!map || map->descriptor < 0)
        return {}; // the programs write no samples, so no buffers are needed
    map_ = map->descriptor;
    const RunOptions& run = options_.run();
    const std::size_t page = bytes_of_page();
    if (retained)
        return open_rings(std::max(round_buffer_size(run.bufsize, page), kMinKernelBuffer));
    if (run.bufsize == 0)
        return Error{"Enabling exceeds size of buffer", ENOSPC};
    const std::size_t least = kLostRecordSize + record_size(schema_.largest_sample),
                      rounded = round_buffer_size(run.bufsize, page);
    std::size_t size = std::max(rounded, round_buffer_size(least, page));
    if (run.bufsize > page && rounded != run.bufsize && !options_.print().quietresize)
        dprintf(STDERR_FILENO, "bufsize increased to %zu\n", rounded);
    // For a program with only BEGIN, END and ERROR, a small buffer suffices and is faster to open: the kernel needs 0.3
    // ms to allocate a megabyte.
    if (runs_only_once() && !may_extend && !run.bufsize_set)
        size = std::min(size, round_buffer_size(std::max(whole_size_ + 1, least), page));
    return run.bufresize == "manual" ? open_rings(size) : open_what_fits(least, size, tell);
}

// Opens the largest buffers that fit, by halving the size. The kernel may kill other processes rather than refuse a
// large buffer, so unreasonable sizes are never requested.
Result<void> PrincipalBuffers::open_what_fits(std::size_t least, std::size_t size,
                                              const std::function<void(const output::Note&)>& tell)
{
    const std::size_t page = bytes_of_page(), asked = size;
    while (size > max_buffer_size() && size > page && size / 2 >= least)
        size /= 2;
    Result<void> opened = open_rings(size);
    const auto is_too_large = [&] {
        return opened.error().code == ENOMEM || opened.error().code == EPERM;
    }; // the kernel returns EPERM if the buffer needs CAP_IPC_LOCK
    while (!opened && is_too_large() && size > page && size / 2 >= least)
        opened = open_rings(size /= 2);
    if (opened && size != asked && !options_.print().quietresize)
        tell({"BUFFER_SIZE", {{"bytes", size}}, "buffer size lowered to " + size_text(size)});
    return opened;
}

Result<void> PrincipalBuffers::make_room_for_end()
{
    if (size_ == 0 || size_ > end_size_)
        return {};
    return open_rings(round_buffer_size(end_size_ + 1, bytes_of_page()));
}

void PrincipalBuffers::open_mmap_rings(const LoadedMaps& maps)
{
    if (2 * size_ <= max_buffer_size())
        rings_.open_mmap_rings(maps);
}

} // namespace dt::consume

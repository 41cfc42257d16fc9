// Computes the size of the principal buffers from options and schema, and opens them.
#include "libdtrace/consume/principal_buffers.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <numeric>
#include <string>
#include <unistd.h>

#include "bpf-runtime/abi.h"
#include "libdtrace/load/loaded_maps.hpp"

namespace dt::consume {

namespace {

constexpr std::size_t kLeastKernelBuffer = 1 << 20;

std::size_t bytes_of_page()
{
    return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Returns the maximum size of one CPU's buffer: all CPUs together get a quarter of the machine's memory.
std::size_t most_buffer_size()
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

// Returns whether the program has no probes but BEGIN, END and ERROR.
bool PrincipalBuffers::runs_only_once() const
{
    const auto& programs = schema_.programs;
    return std::all_of(programs.begin(), programs.end(),
                       [](const ProgramPlan& plan) { return plan.plan->kind == ProgramKind::TestRun; });
}

// Returns the bytes that one sample of each statement takes in a buffer.
std::size_t PrincipalBuffers::room_for(const std::vector<uint32_t>& statements) const
{
    std::size_t size = 0;
    for (const uint32_t id : statements)
        size += record_size(schema_.statements[id].data_size);
    return size;
}

Result<void> PrincipalBuffers::open(const LoadedMaps& maps, bool retained, const std::vector<uint32_t>& end_statements,
                                    const std::vector<uint32_t>& error_statements,
                                    const std::function<void(const output::Note&)>& tell)
{
    // A clause of END records a sample, or a fault and the samples of ERROR's clauses.
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
        return {}; // the kernel records no samples, so no buffers are needed
    map_ = map->descriptor;
    const RunOptions& run = options_.run();
    const std::size_t page = bytes_of_page();
    if (retained)
        return open_rings(std::max(round_buffer_size(run.bufsize, page), kLeastKernelBuffer));
    if (run.bufsize == 0)
        return Error{"Enabling exceeds size of buffer", ENOSPC};
    const std::size_t least = kLostRecordSize + record_size(schema_.largest_sample),
                      rounded = round_buffer_size(run.bufsize, page);
    std::size_t size = std::max(rounded, round_buffer_size(least, page));
    if (run.bufsize > page && rounded != run.bufsize && !options_.print().quietresize)
        dprintf(STDERR_FILENO, "bufsize increased to %zu\n", rounded);
    if (runs_only_once() && !run.bufsize_set) // the kernel needs 0.3 ms to allocate a megabyte
        size = std::min(size, round_buffer_size(std::max(whole_size_ + 1, least), page));
    return run.bufresize == "manual" ? open_rings(size) : open_what_fits(least, size, tell);
}

// Opens the largest buffers that fit, by halving the size. The kernel may kill other processes rather than refuse a
// large buffer, so unreasonable sizes are never requested.
Result<void> PrincipalBuffers::open_what_fits(std::size_t least, std::size_t size,
                                              const std::function<void(const output::Note&)>& tell)
{
    const std::size_t page = bytes_of_page(), asked = size;
    while (size > most_buffer_size() && size > page && size / 2 >= least)
        size /= 2;
    Result<void> opened = open_rings(size);
    const auto is_too_large = [&] {
        return opened.error().code == ENOMEM || opened.error().code == EPERM;
    }; // EPERM means that CAP_IPC_LOCK is missing
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

void PrincipalBuffers::open_lanes(const LoadedMaps& maps)
{
    if (2 * size_ <= most_buffer_size())
        rings_.open_lanes(maps);
}

} // namespace dt::consume

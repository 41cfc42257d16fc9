// Stores the mappings of processes with their times. The kernel's events report the mappings, and /proc/PID/maps
// provides mappings that no event reported. The mappings of a process that started before the events were subscribed to
// are read once, at the first query.
#include "libdtrace/symbols/mapping_history.hpp"

#include <dirent.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "base/time.hpp"
#include "libdtrace/symbols/jit_symbols.hpp"

namespace dt {
namespace {

// minimum time in ms between two readings of a process's maps that are caused by queries for unknown addresses
constexpr uint64_t kRereadMs = 100;
// Number of first readings of a process's maps for which the interval kRereadMs does not apply, because the process may
// be short-lived.
constexpr uint32_t kMaxChecks = 4;
// maximum number of times that the maps of a process are read if the process calls exec during each reading
constexpr int kTries = 3;
// Time limit per call of update() for reading the maps of processes that started before the subscription to events.
constexpr auto kReadingBudget = std::chrono::milliseconds(2);

uint64_t monotonic_ms()
{
    return now_monotonic() / 1'000'000;
}

std::vector<int64_t> all_processes(const std::string& proc)
{
    std::vector<int64_t> pids;
    DIR* const entries = opendir(proc.c_str());
    for (const dirent* entry = entries ? readdir(entries) : nullptr; entry; entry = readdir(entries))
        if (const int64_t pid = std::strtoll(entry->d_name, nullptr, 10); pid > 0)
            pids.push_back(pid);
    if (entries)
        closedir(entries);
    return pids;
}

} // namespace

void MappingHistory::follow(FollowScope whom)
{
    following_ = events_.open();
    heard_ns_ = now_monotonic();
    if (whom == FollowScope::AllProcesses)
        to_read_ = all_processes(proc_);
}

void MappingHistory::set_max_bytes(std::size_t of_processes, std::size_t of_files)
{
    table_.set_max_bytes(of_processes);
    files_.set_max_bytes(of_files);
}

/// Opens the mapped file and leaves it open, because the process may have ended when an address in the file is looked
/// up.
void MappingHistory::hold(const MappedFiles::MappedRange& place, MappedFile& file)
{
    if (file.path == kVdso && CompatVdso::is_at(place.start))
        compat_vdso_.read(proc_, place.pid, place.start, place.end);
    else
        files_.hold(place, file);
}

void MappingHistory::apply_map(const MappingEvent& event)
{
    Process& process = table_.of(event.pid);
    table_.runs(process, event.time);
    const int64_t age = now_ns(CLOCK_MONOTONIC) - static_cast<int64_t>(event.time);
    const MappedFiles::MappedRange place{event.pid, event.start, event.end, event.inode, now_ns(CLOCK_REALTIME) - age};
    MappedPart part{event.start, event.end,  event.offset,
                    event.inode, event.time, files_.of(place, event.path, event.build_id)};
    hold(place, *part.file);
    table_.add(process, SIZE_MAX, std::move(part));
}

void MappingHistory::update()
{
    take_events(0);
    table_.make_room();
    read_some();
    files_.settle();
}

void MappingHistory::forget()
{
    events_.close();
    following_ = false;
    to_read_.clear();
    table_.forget_all();
    files_.forget();
}

/// Applies the pending events. `reading` is the process that is being read at the moment, so it must not be removed.
void MappingHistory::take_events(int64_t reading)
{
    if (!following_)
        return;
    const uint64_t heard_before = std::exchange(heard_ns_, now_monotonic());
    events_.take([&](const MappingEvent& event) {
        if (event.kind == MappingEvent::Kind::Map)
            apply_map(event);
        else if (event.kind == MappingEvent::Kind::Lost)
            table_.lose(heard_before, event.time);
        else
            table_.apply(event);
        table_.make_room(reading);
    });
}

void MappingHistory::read_some()
{
    const auto end = std::chrono::steady_clock::now() + kReadingBudget;
    for (; !to_read_.empty() && std::chrono::steady_clock::now() < end; to_read_.pop_back())
        process(to_read_.back());
}

void MappingHistory::read(int64_t pid, Process& process)
{
    process.read_at_ms = monotonic_ms();
    ++process.checks;
    if (auto jit = read_jit_map(proc_, pid, process.owner, *untrusted_); !jit.empty())
        table_.set_jit(process, std::move(jit));
    for (int i = 0; i < kTries && !read_mappings(pid, process); ++i) {
    }
}

/// Reads the process's mappings and opens their files. Then reads the maps again and stores only mappings that are in
/// both readings. Returns false if the process executed another program meanwhile, because mappings of two programs
/// must not be mixed.
bool MappingHistory::read_mappings(int64_t pid, Process& process)
{
    take_events(pid);
    const uint64_t became = process.became;
    const std::string folder = proc_ + "/" + std::to_string(pid);
    const std::string text = read_maps(folder);
    const std::vector<Mapping> mappings = parse_maps(text);
    if (mappings.empty())
        return true; // the process has ended or is a kernel thread; mappings recorded before are not changed
    std::vector<MappedPart> parts = parts_of(pid, mappings, process.images.empty() ? 0 : process.images.back().since);
    const std::string again = read_maps(folder);
    take_events(pid);
    if (process.became != became)
        return false;
    if (again != text) {
        const std::vector<Mapping> still = parse_maps(again);
        std::vector<MappedPart> both;
        for (std::size_t i = 0; i < mappings.size(); ++i)
            if (std::find(still.begin(), still.end(), mappings[i]) != still.end())
                both.push_back(std::move(parts[i]));
        parts = std::move(both);
    }
    if (parts.empty())
        return false;
    table_.runs(process, UINT64_MAX);
    if (!following_)
        table_.unmap(process); // without kernel events, only this reading of the maps reveals that a file was unmapped
    const std::size_t known = table_.image(process).parts->list().size();
    for (MappedPart& part : parts)
        table_.add(process, known, std::move(part));
    return true;
}

std::vector<MappedPart> MappingHistory::parts_of(int64_t pid, const std::vector<Mapping>& mappings, uint64_t since)
{
    std::vector<MappedPart> parts;
    const Mapping* previous = nullptr;
    std::shared_ptr<MappedFile> file;
    for (const Mapping& mapping : mappings) {
        const MappedFiles::MappedRange place{pid, mapping.start, mapping.end, mapping.inode, now_ns(CLOCK_REALTIME)};
        if (!previous || previous->inode != mapping.inode || previous->path != mapping.path)
            file = files_.of(place, mapping.path, "");
        previous = &mapping;
        file->deleted |= mapping.deleted;
        if (mapping.is_code)
            hold(place, *file);
        parts.push_back({mapping.start, mapping.end, mapping.offset, mapping.inode, since, file});
    }
    return parts;
}

MappingHistory::Process& MappingHistory::process(int64_t pid)
{
    Process& process = table_.of(pid);
    if (process.checks == 0)
        read(pid, process);
    return process;
}

MappingHistory::Found MappingHistory::look_up(const Process& process, uint64_t address, uint64_t time) const
{
    Found found = table_.look_up(process, address, time);
    found.jit = found.part ? nullptr : find_jit(process.jit, address);
    return found;
}

MappingHistory::Found MappingHistory::find(int64_t pid, uint64_t address, uint64_t time)
{
    if (pid <= 0)
        return {};
    if (time > heard_ns_)
        take_events(0);
    table_.make_room();
    Process& owner = process(pid);
    Found found = look_up(owner, address, time);
    if (!found.part && !found.jit && (owner.checks < kMaxChecks || monotonic_ms() - owner.read_at_ms > kRereadMs)) {
        read(pid, owner);
        found = look_up(owner, address, time);
    }
    if (!found.part && !found.jit && owner.parent > 0 && owner.images.empty())
        return find(owner.parent, address, 0);
    if (!found.part && !found.jit && !found.is_of_several)
        table_.miss(pid);
    return found;
}

void MappingHistory::remember(int64_t pid)
{
    update();
    read(pid, table_.of(pid));
}

const ElfSymbols& MappingHistory::symbols_of(int64_t pid, const MappedPart& part)
{
    if (part.file->path == kVdso)
        return CompatVdso::is_at(part.start) ? compat_vdso_.symbols(*untrusted_) : vdso_symbols(proc_);
    return files_.symbols_of({pid, part.start, part.end, part.inode, 0}, *part.file);
}

uint64_t MappingHistory::first_address(int64_t pid, const MappedPart& part)
{
    uint64_t first = part.start;
    for (const ProcessTable::Image& image : process(pid).images)
        for (const MappedPart& other : image.parts->list())
            if (is_same_file(other, part))
                first = std::min(first, other.start);
    return first;
}

} // namespace dt

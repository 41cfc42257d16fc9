// Mappings with times. The kernel's events come first, and what /proc/PID/maps says fills the gaps: a process that was there before the events
// began is read once, when it is first asked about.
#include "libdtrace/process/images.hpp"

#include <dirent.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>

#include "libdtrace/process/jit_symbols.hpp"
#include "base/time.hpp"
#include "base/proc_file.hpp"

namespace dt {
namespace {

constexpr std::size_t kMostProcesses = 16384;                 // then those that ended first are forgotten
constexpr std::size_t kMostParts = 8192;                      // of a process, then all are
constexpr uint64_t kRereadMs = 100;                           // an unknown address re-reads the maps at most this often,
constexpr uint32_t kLooks = 4;                                // but the first few times at once: the process may have been short
constexpr int kTries = 3;                                     // to read maps in which nothing changed meanwhile
constexpr auto kReadingBudget = std::chrono::milliseconds(2); // of an update, for those who were there before

uint64_t monotonic_ms()
{
    return static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC)) / 1'000'000;
}

// A process whose first thread has ended has no maps of its own: its other threads have them.
std::string read_maps(const std::string& process)
{
    std::string text = read_proc_file(process + "/maps");
    DIR* threads = text.empty() ? opendir((process + "/task").c_str()) : nullptr;
    if (!threads)
        return text;
    for (const dirent* entry = readdir(threads); entry && text.empty(); entry = readdir(threads))
        if (entry->d_name[0] != '.')
            text = read_proc_file(process + "/task/" + entry->d_name + "/maps");
    closedir(threads);
    return text;
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

bool is_same_file(const MappedPart& a, const MappedPart& b)
{
    const bool by_id = !a.file->build_id.empty() && !b.file->build_id.empty();
    const bool by_inode = a.inode != 0 && b.inode != 0;
    const bool same_path = a.file->path == b.file->path;
    return a.file == b.file || (by_id ? a.file->build_id == b.file->build_id : same_path && (!by_inode || a.inode == b.inode));
}

bool is_same_place(const MappedPart& a, const MappedPart& b)
{
    return a.start - a.offset == b.start - b.offset && is_same_file(a, b);
}

} // namespace

void ProcessImages::follow(Whom whom)
{
    following_ = events_.open();
    if (whom == Whom::Everyone)
        to_read_ = all_processes(proc_);
}

/// `among`: the part may be one of the first so many.
void ProcessImages::add(Process& process, std::size_t among, MappedPart part)
{
    Image& image = process.images.back();
    if (image.parts.use_count() > 1)
        image.parts = std::make_shared<Parts>(*image.parts);
    Parts& known = *image.parts;
    for (std::size_t i = 0; i < std::min(among, known.size()); ++i)
        if (MappedPart& other = known[i]; other.start == part.start && other.end == part.end && is_same_place(other, part) && other.since <= part.since) {
            other.inode = std::max(other.inode, part.inode);
            other.file->deleted |= part.file->deleted;
            return;
        }
    if (known.size() >= kMostParts)
        known.clear();
    known.push_back(std::move(part));
    process.version = ++changes_;
}

/// The process may be gone when somebody wants to know what its code is.
void ProcessImages::hold(const MappedFiles::Place& place, MappedFile& file)
{
    if (file.path == kVdso && NarrowVdso::is_at(place.start))
        narrow_vdso_.read(proc_, place.pid, place.start, place.end);
    else
        files_.hold(place, file);
}

void ProcessImages::apply_map(Process& process, const MappingEvent& event)
{
    if (process.images.empty())
        process.images.emplace_back();
    process.died = 0; // its first thread only
    const int64_t age = now_ns(CLOCK_MONOTONIC) - static_cast<int64_t>(event.time);
    const MappedFiles::Place place{event.pid, event.start, event.end, event.inode, now_ns(CLOCK_REALTIME) - age};
    MappedPart part{event.start, event.end, event.offset, event.inode, event.time, files_.of(place, event.path, event.build_id)};
    hold(place, *part.file);
    add(process, SIZE_MAX, std::move(part));
}

void ProcessImages::apply(const MappingEvent& event)
{
    if (event.kind == MappingEvent::Kind::Lost) {
        ++changes_;
        for (auto& [pid, process] : processes_)
            process = Process{{}, {}, process.owner, 0, 0, 0, changes_, 0};
        return;
    }
    if (event.kind == MappingEvent::Kind::Exit) {
        if (const auto process = processes_.find(event.pid); process != processes_.end())
            process->second.died = event.time;
        return;
    }
    Process& process = processes_[event.pid];
    if (event.kind == MappingEvent::Kind::Fork) {
        const auto parent = processes_.find(event.parent);
        process = Process{{}, {}, 0, 0, 0, event.parent, ++changes_, 0};
        if (parent != processes_.end() && !parent->second.images.empty()) {
            process.images.push_back(parent->second.images.back());
            process.images.back().since = 0;
        }
        return;
    }
    if (event.kind == MappingEvent::Kind::Exec) {
        process.images.push_back({event.time});
        process.parent = 0;
        process.looks = 0;
        process.version = ++changes_;
        return;
    }
    apply_map(process, event);
}

void ProcessImages::update()
{
    make_room();
    take_events();
    read_some();
    files_.settle();
}

void ProcessImages::make_room()
{
    if (processes_.size() <= kMostProcesses)
        return;
    std::vector<std::pair<uint64_t, int64_t>> dead;
    for (const auto& [pid, process] : processes_)
        if (process.died != 0)
            dead.emplace_back(process.died, pid);
    std::sort(dead.begin(), dead.end());
    dead.resize(std::min(dead.size(), kMostProcesses / 4));
    for (const auto& [died, pid] : dead)
        processes_.erase(pid);
    if (processes_.size() > kMostProcesses)
        processes_.clear();
}

void ProcessImages::forget()
{
    events_.close();
    following_ = false;
    to_read_.clear();
    processes_.clear();
    files_.forget();
}

void ProcessImages::take_events()
{
    if (following_)
        for (const MappingEvent& event : events_.take())
            apply(event);
}

void ProcessImages::read_some()
{
    const auto end = std::chrono::steady_clock::now() + kReadingBudget;
    for (; !to_read_.empty() && std::chrono::steady_clock::now() < end; to_read_.pop_back())
        process(to_read_.back());
}

void ProcessImages::read(int64_t pid, Process& process)
{
    process.read_at_ms = monotonic_ms();
    ++process.looks;
    if (auto jit = read_jit_map(proc_, pid, process.owner); !jit.empty()) {
        process.jit = std::move(jit);
        process.version = ++changes_;
    }
    std::vector<Mapping> fresh;
    uint64_t before = 0;
    for (int i = 0; i < kTries; ++i) { // what is read must be of the image it is taken for
        before = process.version;
        fresh = parse_maps(read_maps(proc_ + "/" + std::to_string(pid)));
        take_events();
        if (process.version == before)
            break;
    }
    if (fresh.empty())
        return; // gone, or a kernel thread: what was known stays
    if (process.images.empty())
        process.images.emplace_back();
    Image& image = process.images.back();
    if (!following_)
        image.parts = std::make_shared<Parts>(); // nobody tells what was unmapped
    image.read = true;
    const std::size_t known = image.parts->size();
    const uint64_t since = image.since;
    const Mapping* previous = nullptr;
    std::shared_ptr<MappedFile> file;
    for (const Mapping& mapping : fresh) {
        const MappedFiles::Place place{pid, mapping.start, mapping.end, mapping.inode, now_ns(CLOCK_REALTIME)};
        if (!previous || previous->inode != mapping.inode || previous->path != mapping.path)
            file = files_.of(place, mapping.path, "");
        previous = &mapping;
        file->deleted |= mapping.deleted;
        if (mapping.is_code)
            hold(place, *file);
        add(process, known, {mapping.start, mapping.end, mapping.offset, mapping.inode, since, file});
    }
    if (!following_)
        process.version = ++changes_;
}

ProcessImages::Process& ProcessImages::process(int64_t pid)
{
    Process& process = processes_[pid];
    if (process.looks == 0)
        read(pid, process);
    return process;
}

ProcessImages::Found ProcessImages::look_up(const Process& process, uint64_t address, uint64_t time) const
{
    Found found;
    found.at_any_time = true;
    for (auto image = process.images.rbegin(); image != process.images.rend(); ++image)
        for (auto part = image->parts->rbegin(); part != image->parts->rend(); ++part) {
            if (address < part->start || address >= part->end)
                continue;
            const bool is_later = time != 0 && (image->since > time || part->since > time);
            const bool differs = found.part && !is_same_place(*found.part, *part);
            found.at_any_time &= !is_later && !differs;
            if (time == 0 && differs)
                return {nullptr, nullptr, true};
            if (!found.part && !is_later)
                found.part = &*part;
        }
    return found;
}

ProcessImages::Found ProcessImages::find(int64_t pid, uint64_t address, uint64_t time)
{
    if (pid <= 0)
        return {};
    Process& owner = process(pid);
    Found found = look_up(owner, address, time);
    found.jit = found.part ? nullptr : find_jit(owner.jit, address);
    if (!found.part && !found.jit && (owner.looks < kLooks || monotonic_ms() - owner.read_at_ms > kRereadMs)) {
        read(pid, owner);
        found = look_up(owner, address, time);
        found.jit = found.part ? nullptr : find_jit(owner.jit, address);
    }
    if (!found.part && !found.jit && owner.parent > 0 && owner.images.empty())
        return find(owner.parent, address, 0);
    return found;
}

void ProcessImages::remember(int64_t pid)
{
    update();
    read(pid, processes_[pid]);
}

const ElfSymbols& ProcessImages::symbols_of(int64_t pid, const MappedPart& part)
{
    if (part.file->path == kVdso)
        return NarrowVdso::is_at(part.start) ? narrow_vdso_.symbols() : vdso_symbols(proc_);
    return files_.symbols_of({pid, part.start, part.end, part.inode, 0}, *part.file);
}

uint64_t ProcessImages::first_address(int64_t pid, const MappedPart& part)
{
    uint64_t first = part.start;
    for (const Image& image : process(pid).images)
        for (const MappedPart& other : *image.parts)
            if (is_same_file(other, part))
                first = std::min(first, other.start);
    return first;
}

} // namespace dt

// Mappings with times. The kernel's events come first, and what /proc/PID/maps says fills the gaps: a process that was there before the events
// began is read once, when it is first asked about.
#include "libdtrace/process/images.hpp"

#include <dirent.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "libdtrace/process/jit_symbols.hpp"
#include "libdtrace/process/proc_file.hpp"
#include "libdtrace/process/source_lines.hpp"

namespace dt {
namespace {

constexpr std::size_t kMostProcesses = 16384; // some 9 KB each; then all are forgotten
constexpr std::size_t kMostMappings = 8192;   // of a process, then likewise
constexpr std::size_t kMostHeld = 4096;       // files that are kept open, then likewise
constexpr uint64_t kRereadMs = 100;           // an unknown address re-reads the maps at most this often,
constexpr uint32_t kLooks = 4;                // but the first few times at once: the process may have been short
constexpr int kTries = 3;                     // to read maps in which nothing changed meanwhile

uint64_t monotonic_ms()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1000 + static_cast<uint64_t>(now.tv_nsec) / 1'000'000;
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

/// The very file that is mapped, also when it was deleted, as long as the process lives.
std::string mapped_file(const std::string& proc, int64_t pid, const Mapping& mapping)
{
    char range[48];
    std::snprintf(range, sizeof range, "/map_files/%llx-%llx", static_cast<unsigned long long>(mapping.start), static_cast<unsigned long long>(mapping.end));
    return proc + "/" + std::to_string(pid) + range;
}

bool is_same_file(const Mapping& a, const Mapping& b)
{
    const bool by_id = !a.build_id.empty() && !b.build_id.empty();
    const bool by_inode = a.inode != 0 && b.inode != 0;
    return by_id ? a.build_id == b.build_id : by_inode ? a.inode == b.inode && a.path == b.path : a.path == b.path;
}

bool is_same_place(const Mapping& a, const Mapping& b)
{
    return is_same_file(a, b) && a.start - a.offset == b.start - b.offset;
}

} // namespace

void ProcessImages::add(Process& process, std::size_t index, Mapping mapping)
{
    std::vector<Mapping>& known = process.images[index].mappings;
    for (Mapping& other : known)
        if (other.start == mapping.start && other.end == mapping.end && is_same_place(other, mapping) && other.since <= mapping.since) {
            other.inode = std::max(other.inode, mapping.inode);
            other.deleted |= mapping.deleted;
            return;
        }
    if (known.size() >= kMostMappings)
        known.clear();
    known.push_back(std::move(mapping));
    process.version = ++changes_;
}

void ProcessImages::apply(MappingEvent& event)
{
    if (event.kind == MappingEvent::Kind::Lost) {
        ++changes_;
        for (auto& [pid, process] : processes_)
            process = Process{{}, {}, process.owner, 0, 0, 0, changes_};
        return;
    }
    Process& process = processes_[event.pid];
    if (event.kind == MappingEvent::Kind::Fork) {
        const auto parent = processes_.find(event.parent);
        process = Process{{}, {}, 0, 0, 0, event.parent, ++changes_};
        if (parent != processes_.end() && !parent->second.images.empty()) {
            process.images.push_back(parent->second.images.back());
            process.images.back().since = 0;
        }
        return;
    }
    if (event.kind == MappingEvent::Kind::Exec) {
        process.images.push_back({event.time, {}, false});
        process.parent = 0;
        process.looks = 0;
        process.version = ++changes_;
        return;
    }
    if (process.images.empty())
        process.images.emplace_back();
    Mapping mapping;
    mapping.start = event.start;
    mapping.end = event.end;
    mapping.offset = event.offset;
    mapping.path = std::move(event.path);
    mapping.since = event.time;
    mapping.inode = event.inode;
    mapping.build_id = std::move(event.build_id);
    add(process, process.images.size() - 1, std::move(mapping));
}

void ProcessImages::update()
{
    if (processes_.size() > kMostProcesses)
        processes_.clear();
    take_events();
}

void ProcessImages::forget()
{
    events_.close();
    following_ = false;
    processes_.clear();
    held_.clear();
    std::erase_if(files_, [](const auto& file) { return !file.second.by_build_id; });
}

void ProcessImages::take_events()
{
    if (following_)
        for (MappingEvent& event : events_.take())
            apply(event);
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
        image.mappings.clear(); // nobody tells what was unmapped
    image.read = true;
    for (Mapping& mapping : fresh) {
        mapping.since = image.since;
        add(process, process.images.size() - 1, std::move(mapping));
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

ProcessImages::Found ProcessImages::look_up(Process& process, uint64_t address, uint64_t time)
{
    Found found;
    found.at_any_time = true;
    for (auto image = process.images.rbegin(); image != process.images.rend(); ++image)
        for (auto mapping = image->mappings.rbegin(); mapping != image->mappings.rend(); ++mapping) {
            if (address < mapping->start || address >= mapping->end)
                continue;
            const bool is_later = time != 0 && (image->since > time || mapping->since > time);
            const bool differs = found.mapping && !is_same_place(*found.mapping, *mapping);
            found.at_any_time &= !is_later && !differs;
            if (time == 0 && differs)
                return {nullptr, nullptr, true};
            if (!found.mapping && !is_later)
                found.mapping = &*mapping;
        }
    return found;
}

ProcessImages::Found ProcessImages::find(int64_t pid, uint64_t address, uint64_t time)
{
    if (pid <= 0)
        return {};
    Process& owner = process(pid);
    Found found = look_up(owner, address, time);
    found.jit = found.mapping ? nullptr : find_jit(owner.jit, address);
    if (!found.mapping && !found.jit && (owner.looks < kLooks || monotonic_ms() - owner.read_at_ms > kRereadMs)) {
        read(pid, owner);
        found = look_up(owner, address, time);
        found.jit = found.mapping ? nullptr : find_jit(owner.jit, address);
    }
    if (!found.mapping && !found.jit && owner.parent > 0 && owner.images.empty())
        return find(owner.parent, address, 0);
    return found;
}

void ProcessImages::hold(int64_t pid, const Mapping& mapping)
{
    if (held_.size() >= kMostHeld)
        held_.clear();
    std::unique_ptr<ElfFile>& held = held_[std::to_string(mapping.inode) + mapping.path];
    if (!held)
        held = std::make_unique<ElfFile>(mapped_file(proc_, pid, mapping));
}

void ProcessImages::remember(int64_t pid)
{
    update();
    Process& process = processes_[pid];
    read(pid, process);
    if (following_ && !process.images.empty())
        for (const Mapping& mapping : process.images.back().mappings)
            if (mapping.path.front() == '/' && mapping.inode != 0)
                hold(pid, mapping);
}

const ElfSymbols& ProcessImages::symbols_of(int64_t pid, Mapping& mapping)
{
    if (mapping.symbols && (mapping.lines || !wants_lines_))
        return *mapping.symbols;
    const bool by_build_id = !mapping.build_id.empty();
    File& file_known = files_[(by_build_id ? mapping.build_id : std::to_string(mapping.inode)) + mapping.path];
    file_known.by_build_id = by_build_id;
    std::shared_ptr<const ElfSymbols>& known = file_known.symbols;
    // After a file that was kept open comes the process's own view of its path: it may live in a container. That ends with the process.
    const auto held = held_.find(std::to_string(mapping.inode) + mapping.path);
    bool another = false;
    for (const std::string& file : {held != held_.end() ? held->second->path() : std::string(), mapped_file(proc_, pid, mapping),
                                    proc_ + "/" + std::to_string(pid) + "/root" + mapping.path, mapping.path}) {
        if (known && known->found())
            break;
        auto symbols = std::make_shared<const ElfSymbols>(file);
        if (symbols->found() && !symbols->is_file_of(mapping)) {
            another = true;
        } else {
            known = std::move(symbols);
            file_known.name = file;
        }
    }
    if (!known)
        known = std::make_shared<const ElfSymbols>(std::string());
    if (wants_lines_ && !file_known.lines)
        file_known.lines = std::make_shared<SourceLines>(file_known.name);
    mapping.symbols = known;
    mapping.lines = file_known.lines;
    mapping.deleted = !known->found() && (mapping.deleted || another);
    return *mapping.symbols;
}

uint64_t ProcessImages::first_address(int64_t pid, const Mapping& mapping)
{
    uint64_t first = mapping.start;
    for (const Image& image : process(pid).images)
        for (const Mapping& other : image.mappings)
            if (is_same_file(other, mapping))
                first = std::min(first, other.start);
    return first;
}

} // namespace dt

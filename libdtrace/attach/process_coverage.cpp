// Sorts the mapping events of all CPUs, so that a child is never processed before its parent. Counts the processes
// whose probes were attached in time, late or never. Also reads the kernel's set of followed processes.
#include "libdtrace/attach/process_coverage.hpp"

#include <bpf/bpf.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <utility>

#include "base/proc_file.hpp"
#include "base/time.hpp"
#include "bpf-runtime/abi.h"
#include "libdtrace/load/loaded_maps.hpp"
#include "libdtrace/mappings/loaded_objects.hpp"

namespace dt {
namespace {

constexpr uint64_t kEventDelay = kMillisecond;

/// Returns the start time of a process in clock ticks from its stat file; 0 if it has ended.
uint64_t start_ticks(const std::string& process)
{
    // Start time: field 22 of /proc/PID/stat, which is field 20 after the process name.
    constexpr int kStartTime = 22 - 2;
    const std::string stat = read_proc_file(process + "/stat");
    std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
    std::string field;
    for (int i = 0; i < kStartTime; ++i)
        fields >> field;
    uint64_t start = 0;
    std::from_chars(field.data(), field.data() + field.size(), start);
    return start;
}

/// Returns the process id in a provider name, 123 for "shop123"; 0 if there is none.
pid_t process_of_probe(const Probe& probe)
{
    const std::string& name = probe.provider;
    pid_t pid = 0;
    std::from_chars(name.data() + name.find_last_not_of("0123456789") + 1, name.data() + name.size(), pid);
    return pid;
}

std::string counted_text(uint64_t number, const char* one, const char* several)
{
    return std::to_string(number) + (number == 1 ? one : several);
}

/// Formats a duration, for example "3.1 ms".
std::string milliseconds_text(uint64_t ns)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f ms", static_cast<double>(ns) / 1e6);
    return text;
}

} // namespace

ProcessCoverage::ProcessCoverage(std::string proc, std::set<std::string> descriptions) : proc_(std::move(proc))
{
    for (const std::string& text : descriptions)
        descriptions_.push_back({text});
}

ProcessCoverage::File ProcessCoverage::file_at(const std::string& path) const
{
    struct stat status {};
    return stat(path.c_str(), &status) == 0 ? File{status.st_dev, status.st_ino} : File{};
}

/// Records for each file the descriptions that have probes in it.
void ProcessCoverage::know(const Program& program, const Schema& schema, uint64_t since)
{
    std::map<const Probe*, std::set<std::size_t>> meant_by;
    for (const Statement& statement : program.statements)
        for (std::size_t i = 0; i < descriptions_.size(); ++i)
            if (descriptions_[i].text == statement.description)
                for (const Probe* probe : statement.probes)
                    meant_by[probe].insert(i);
    for (const ProgramPlan& plan : schema.programs)
        for (const AttachTarget& target : plan.plan->targets)
            if (const auto meant = plan.plan->everywhere ? meant_by.find(target.probe) : meant_by.end();
                meant != meant_by.end())
                if (const File file = file_at(target.where); file != File{}) {
                    Hooked& hooked = files_.try_emplace(file, Hooked{{}, since}).first->second;
                    hooked.descriptions.insert(meant->second.begin(), meant->second.end());
                }
}

void ProcessCoverage::begin(const Program& program, const Schema& schema)
{
    know(program, schema, 0);
    for (const Statement& statement : program.statements)
        for (std::size_t i = 0; i < descriptions_.size(); ++i)
            if (descriptions_[i].text == statement.description)
                for (const Probe* probe : statement.probes)
                    if (const pid_t pid = process_of_probe(*probe))
                        cover(processes_[pid], i, false);
    add_new_processes();
}

/// Counts processes that map hooked files. Normally these are only processes that started after the tracer. Processes
/// that started before it were already counted, because the names of their probes contain the process id. But probes by
/// build ID have no process id, so with such descriptions all processes are checked.
void ProcessCoverage::add_new_processes()
{
    const bool with_others = std::any_of(descriptions_.begin(), descriptions_.end(), [](const Description& each) {
        return each.text.find('@') != std::string::npos;
    });
    const uint64_t begin = start_ticks(proc_ + "/self");
    std::error_code ignored;
    for (std::filesystem::directory_iterator entry(files_.empty() ? "" : proc_, ignored), last; entry != last;
         entry.increment(ignored)) {
        const std::string name = entry->path().filename();
        pid_t pid = 0;
        const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (error != std::errc{} || stop != name.data() + name.size() || processes_.contains(pid) || pid == getpid())
            continue;
        const bool is_later = start_ticks(entry->path()) >= begin;
        if (!is_later && !with_others)
            continue;
        const LoadedObjects objects(proc_, pid);
        for (const LoadedObjects::Object& object : objects.all())
            if (const auto hooked = object.has_code ? files_.find(file_at(object.file)) : files_.end();
                hooked != files_.end())
                for (const std::size_t description : hooked->second.descriptions)
                    cover(processes_[pid], description, is_later);
    }
}

void ProcessCoverage::take(const MappingEvent& event, bool is_new)
{
    queue_.push_back({event, event.kind == MappingEvent::Kind::Map ? file_of(proc_, event) : File{}, is_new});
    constexpr std::size_t kSome = 256;
    if (queue_.size() >= kSome)
        process_until(now_monotonic() - kEventDelay);
}

void ProcessCoverage::process_until(uint64_t time)
{
    std::stable_sort(queue_.begin(), queue_.end(),
                     [](const Event& a, const Event& b) { return a.of.time < b.of.time; });
    std::size_t done = 0;
    for (; done < queue_.size() && queue_[done].of.time < time; ++done)
        process(queue_[done]);
    queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(done));
}

void ProcessCoverage::process(const Event& event)
{
    switch (event.of.kind) {
    case MappingEvent::Kind::Fork:
        fork(event);
        break;
    case MappingEvent::Kind::Exec:
        handle_exec(event.of.pid);
        break;
    case MappingEvent::Kind::Map:
        map(event);
        break;
    case MappingEvent::Kind::Exit:
        end(event);
        break;
    case MappingEvent::Kind::LeaderExit:
        break;
    case MappingEvent::Kind::Lost:
        is_incomplete_ = true;
        break;
    }
}

void ProcessCoverage::fork(const Event& event)
{
    const auto parent = processes_.find(event.of.parent);
    if (parent == processes_.end())
        return;
    Process child;
    for (const std::size_t description : parent->second.covered_by)
        cover(child, description, true);
    child.inherited = child.counted;
    for (const auto& [file, since] : parent->second.waits)
        child.waits[file] = event.of.time;
    processes_[event.of.pid] = std::move(child);
}

/// Handles an exec: a forked child that executes another program loses its parent's probes, so it no longer counts as
/// covered.
void ProcessCoverage::handle_exec(pid_t pid)
{
    const auto known = processes_.find(pid);
    if (known == processes_.end())
        return;
    Process& process = known->second;
    for (const std::size_t description : std::exchange(process.inherited, {})) {
        --descriptions_[description].processes;
        --descriptions_[description].later;
        process.counted.erase(description);
    }
    process.covered_by.clear();
    process.waits.clear();
}

void ProcessCoverage::map(const Event& event)
{
    const auto hooked = files_.find(event.file);
    if (event.file == File{} || event.of.pid == getpid())
        return;
    if (hooked == files_.end()) {
        if (event.is_new)
            awaited_.insert(event.file);
        if (awaited_.contains(event.file))
            processes_[event.of.pid].waits.emplace(event.file, event.of.time);
        return;
    }
    if (event.of.time < hooked->second.since)
        return cover_late(processes_[event.of.pid], hooked->second, event.of.time);
    for (const std::size_t description : hooked->second.descriptions)
        cover(processes_[event.of.pid], description, true);
}

/// Handles the end of a process. If it ended before its probes existed, it counts as missed, not as covered.
void ProcessCoverage::end(const Event& event)
{
    const auto known = processes_.find(event.of.pid);
    if (known == processes_.end())
        return;
    for (const auto& [file, since] : known->second.waits)
        ++had_ended_[file];
    for (const auto& [description, since] : known->second.late)
        if (Description& of = descriptions_[description];
            event.of.time < since && known->second.counted.contains(description)) {
            --of.processes;
            --of.later;
            --of.late;
            ++of.missed;
        }
    processes_.erase(known);
}

void ProcessCoverage::cover(Process& process, std::size_t description, bool is_later)
{
    process.covered_by.insert(description);
    if (!process.counted.insert(description).second)
        return;
    ++descriptions_[description].processes;
    descriptions_[description].later += is_later;
}

void ProcessCoverage::cover_late(Process& process, const Hooked& file, uint64_t mapped)
{
    for (const std::size_t description : file.descriptions) {
        const bool is_counted = process.counted.contains(description);
        cover(process, description, true);
        if (is_counted)
            continue; // the process was already counted because it has mapped another file of the description
        process.late.emplace(description, file.since);
        Description& of = descriptions_[description];
        ++of.late;
        of.longest = std::max(of.longest, file.since - std::min(mapped, file.since));
    }
}

void ProcessCoverage::hook(const Program& program, const Schema& added)
{
    know(program, added, now_monotonic());
    for (const File& file : awaited_) {
        const auto hooked = files_.find(file);
        const uint64_t ended = std::exchange(had_ended_[file], 0);
        for (auto& [pid, process] : processes_)
            if (const auto waits = process.waits.find(file); waits != process.waits.end()) {
                if (hooked != files_.end())
                    cover_late(process, hooked->second, waits->second);
                process.waits.erase(waits);
            }
        if (hooked != files_.end())
            for (const std::size_t description : hooked->second.descriptions)
                descriptions_[description].missed += ended;
    }
    awaited_.clear();
    had_ended_.clear();
}

std::vector<output::Note> ProcessCoverage::report(bool all)
{
    process_until(UINT64_MAX);
    std::vector<output::Note> notes;
    for (const Description& of : descriptions_) {
        const bool has_missed = of.late != 0 || of.missed != 0;
        if (!all && of.later == 0 && !has_missed)
            continue;
        std::string text = "description '" + of.text + "' covered " + (is_incomplete_ ? "at least " : "") +
                           counted_text(of.processes, " process", " processes");
        if (of.later != 0)
            text += of.later == of.processes ? (of.later == 1 ? ", which appeared after the start"
                                                              : ", all of which appeared after the start")
                                             : ", " + std::to_string(of.later) + " of which appeared after the start";
        if (of.late != 0)
            text += "; " + counted_text(of.late, " ran", " ran") + " for up to " + milliseconds_text(of.longest) +
                    " before its probes were attached";
        if (of.missed != 0)
            text += "; " + counted_text(of.missed, " ended before its probes were attached and was missed",
                                        " ended before their probes were attached and were missed");
        notes.push_back({"COVERED",
                         {{"processes", of.processes},
                          {"later", of.later},
                          {"late", of.late},
                          {"late_ns", of.longest},
                          {"missed", of.missed},
                          {"incomplete", is_incomplete_}},
                         std::move(text),
                         has_missed});
    }
    return notes;
}

// Reads the hash map of followed processes, which BPF programs at fork, exec and exit change at any time
// (dcompiler/lower/core/helper_programs.cpp).

namespace {

constexpr int kMaxTries = 1 << 16; // limit of steps, because a walk through a changing map may restart again and again

bool is_gone(uint32_t pid)
{
    return kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH;
}

} // namespace

void FollowedProcesses::open(const LoadedMaps& maps)
{
    const LoadedMap* const map = maps.find(DT_MAP_FOLLOWED);
    map_ = map ? map->descriptor : -1;
}

void FollowedProcesses::begin(const std::vector<pid_t>& processes)
{
    for (const pid_t pid : processes) {
        const auto key = static_cast<uint32_t>(pid);
        if (map_ >= 0)
            bpf_map_update_elem(map_, &key, &key, BPF_ANY);
    }
}

bool FollowedProcesses::contains(pid_t pid) const
{
    const auto key = static_cast<uint32_t>(pid);
    uint32_t origin = 0;
    return map_ >= 0 && bpf_map_lookup_elem(map_, &key, &origin) == 0;
}

std::map<pid_t, pid_t> FollowedProcesses::followers() const
{
    std::map<pid_t, pid_t> found;
    uint32_t key = 0, next = 0, origin = 0;
    const uint32_t* at = nullptr;
    for (int i = 0; map_ >= 0 && i < kMaxTries && bpf_map_get_next_key(map_, at, &next) == 0; ++i) {
        key = next;
        at = &key;
        if (bpf_map_lookup_elem(map_, &key, &origin) == 0 && origin != key && !is_gone(key))
            found[static_cast<pid_t>(key)] = static_cast<pid_t>(origin);
    }
    return found;
}

} // namespace dt

// For each description that also matches future processes (such as shop*), counts the processes that it covers and
// those that it missed. Class FollowedProcesses reads the set of processes for -x followchildren.
//
// Probes are attached to files. So a process that maps a hooked file, or is forked by such a process, is covered from
// its first instruction. If no process has mapped a file before, the file's probes are attached some milliseconds after
// the first mapping. A process that runs during these milliseconds is late; if it ends during them, it was missed.
// Mappings, forks and ends are known from kernel events, which do not slow the processes down.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "dcompiler/sema/program/program.hpp"
#include "libdtrace/mappings/mapping_events.hpp"
#include "libdtrace/output/messages.hpp"

namespace dt {

class ProcessCoverage {
public:
    /// `descriptions` are the probe descriptions that match future processes.
    ProcessCoverage(std::string proc, std::set<std::string> descriptions);

    /// Counts the processes that have probes now, and those that started while probes were attached. Call it once
    /// mapping events are being recorded.
    void begin(const Program& program, const Schema& schema);

    /// Adds a mapping event. Events may be out of order by up to a millisecond. `is_new`: the file was not mapped
    /// before, so probes will be attached to it if a description matches it.
    void take(const MappingEvent& event, bool is_new);

    /// Records that probes have just been attached to the locations in `added`.
    void hook(const Program& program, const Schema& added);

    /// Returns notes for the end of the trace: one for each description that missed processes, or covered processes
    /// from after the start. With `all`, returns a note for every description.
    std::vector<output::Note> report(bool all);

private:
    using File = std::array<uint64_t, 2>; ///< identity of a file: device, inode
    struct Event {
        MappingEvent of;
        File file = {};
        bool is_new = false;
    };
    struct Hooked {
        std::set<std::size_t> descriptions;
        uint64_t since = 0;
    };
    struct Process {
        std::set<std::size_t> covered_by; ///< probe descriptions that cover the process now
        /// descriptions in `covered_by` that already covered the parent process when it forked this process
        std::set<std::size_t> inherited;
        std::set<std::size_t> counted; ///< probe descriptions in whose counts the process is already included
        /// for each probe description, the time when its probes were attached
        std::map<std::size_t, uint64_t> late;
        /// files without attached probes that descriptions match, each with the time at which the process mapped it
        std::map<File, uint64_t> waits;
    };
    struct Description {
        std::string text;
        uint64_t processes = 0, later = 0, late = 0, missed = 0;
        uint64_t longest = 0; ///< longest time for which a late process ran without probes, in ns
    };

    File file_at(const std::string& path) const;
    void know(const Program& program, const Schema& schema, uint64_t since);
    void add_new_processes();
    void process_until(uint64_t time);
    void process(const Event& event);
    void fork(const Event& event);
    void handle_exec(pid_t pid);
    void map(const Event& event);
    void end(const Event& event);
    void cover(Process& process, std::size_t description, bool is_later);
    void cover_late(Process& process, const Hooked& file, uint64_t mapped);

    const std::string proc_;
    std::vector<Description> descriptions_;
    std::map<File, Hooked> files_;
    std::set<File> awaited_; ///< files to which probes will be attached, but are not attached yet
    /// Number of processes that mapped the file and have ended, for each file in `awaited_`.
    std::map<File, uint64_t> had_ended_;
    std::map<pid_t, Process> processes_;
    std::vector<Event> queue_;
    bool is_incomplete_ = false; ///< whether the counts are too low because the kernel dropped events
};

// The set of processes that the kernel maintains for -x followchildren.

class LoadedMaps;

class FollowedProcesses {
public:
    /// Opens the set of followed processes of a loaded object. If -x followchildren is not set, the set is always
    /// empty.
    void open(const LoadedMaps& maps);

    /// Adds the processes of -c and -p. Their later children are followed too.
    void begin(const std::vector<pid_t>& processes);

    bool contains(pid_t pid) const;
    /// Returns the followed children. The value of each is the process of -c or -p from which the child descends.
    std::map<pid_t, pid_t> followers() const;

private:
    int map_ = -1;
};

} // namespace dt

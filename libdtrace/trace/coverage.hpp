// How many processes a description covers that means those to come as well (shop*), and what is missed of them.
//
// Sites are hooked by file, so whoever maps a hooked file, or is forked by a process that does, is covered from its
// first instruction on. Of a file that nobody had mapped the probes come some milliseconds after the mapping: what ran
// meanwhile is late, and what had ended by then was missed. The kernel's events say who maps, forks and ends, at no
// cost for the processes.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "dcompiler/sema/program.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/process/mapping_events.hpp"

namespace dt {

class Coverage {
public:
    /// `descriptions`: those that mean processes to come.
    Coverage(std::string proc, std::set<std::string> descriptions);

    /// After events are gathered: who has probes by these names, and who came while they were attached.
    void begin(const Program& program, const Schema& schema);

    /// In any order within a millisecond. `is_new`: of a mapping, its file is going to be hooked if a description means
    /// it.
    void take(const MappingEvent& event, bool is_new);

    /// These places have just been hooked.
    void hook(const Program& program, const Schema& added);

    /// At the end. `all`: also where nothing came later and nothing was missed.
    std::vector<output::Note> report(bool all);

private:
    using File = std::array<uint64_t, 2>; ///< device, inode
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
        std::set<std::size_t> covered_by;     ///< now
        std::set<std::size_t> inherited;      ///< of these, by being forked
        std::set<std::size_t> counted;        ///< in all of its life
        std::map<std::size_t, uint64_t> late; ///< by description: since when there are probes
        std::map<File, uint64_t> waits;       ///< files that are to be hooked, and since when it has them
    };
    struct Description {
        std::string text;
        uint64_t processes = 0, later = 0, late = 0, missed = 0;
        uint64_t longest = 0; ///< ns that a late one ran
    };

    File file_at(const std::string& path) const;
    void know(const Program& program, const Schema& schema, uint64_t since);
    void look_at_newcomers();
    void process_until(uint64_t time);
    void process(const Event& event);
    void fork(const Event& event);
    void become_another(pid_t pid);
    void map(const Event& event);
    void end(const Event& event);
    void cover(Process& process, std::size_t description, bool is_later);
    void cover_late(Process& process, const Hooked& file, uint64_t mapped);

    const std::string proc_;
    std::vector<Description> descriptions_;
    std::map<File, Hooked> files_;
    std::set<File> awaited_;             ///< files that are to be hooked
    std::map<File, uint64_t> had_ended_; ///< of those: processes that are gone
    std::map<pid_t, Process> processes_;
    std::vector<Event> queue_;
    bool is_incomplete_ = false; ///< there were more events than the kernel could keep
};

} // namespace dt

// The user space side of traceid, spanid and ctxattr(): where the threads of each process have the variable of the
// OpenTelemetry thread context (OTEP 4947).
//
// Nobody is named in advance. A reading that meets a process of which nothing is known says so in the shared memory; a
// pass of the consumer reads there, some 20 ms later, and publishes where the variable is. The executable's own is at
// an offset from the thread pointer that its file tells. Where the variable of a library is the loader has worked out
// and written into words of the process that files name, in one of three forms; what is not filled yet is looked at
// later.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "bpf-runtime/thread_context.h"
#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/elf/identification.hpp"
#include "libdtrace/elf/thread_local.hpp"

namespace dt {

class ForeignFiles;

class ThreadContexts {
public:
    /// `proc`: where proc(5) is mounted. `foreign`: has files read.
    ThreadContexts(std::string proc, std::shared_ptr<ForeignFiles> foreign);
    ~ThreadContexts();
    ThreadContexts(const ThreadContexts&) = delete;
    ThreadContexts& operator=(const ThreadContexts&) = delete;

    /// Descriptors, which are to outlive this; below 0: there is none.
    struct Maps {
        int shared = -1, processes = -1; ///< DT_MAP_CONTEXTS, DT_MAP_CONTEXT_PROCESSES
    };
    /// False when the object reads no thread contexts: then nothing else needs to be called, and does nothing.
    bool open(const Maps& maps);
    /// Looks at a process now: for those whose first reading should be right.
    void add(int64_t pid);
    /// Has a reading met what update() would make known? Cheap.
    bool has_news() const;
    /// Makes known what readings have met since, for some 20 ms at most.
    void update();

private:
    using Clock = std::chrono::steady_clock;
    using File = std::array<uint64_t, 4>; ///< device, inode, time of its last change, size
    struct Content {
        ThreadLocal variable;
        std::vector<ElfIdentification::Segment> loaded;
    };
    struct Used { ///< a file that says something of the variable, where a process has it
        const Content* content = nullptr;
        uint64_t bias = 0; ///< from link-time addresses
        bool is_executable = false;
    };
    struct Look {
        Clock::time_point next{};
        Clock::duration wait{}; ///< from there to the one after it
    };

    void look_at(int64_t pid);
    std::vector<Used> files_of(int64_t pid, const std::vector<Mapping>& mapped);
    const Content* content_of(int64_t pid, const Mapping& mapping, bool& is_executable);
    static std::optional<dt_context_process> place_in(int memory, const std::vector<Used>& files);
    bool is_due(uint32_t wanted) const;

    const std::string proc_;
    const std::shared_ptr<ForeignFiles> foreign_;
    dt_contexts* shared_ = nullptr;
    int processes_map_ = -1;
    std::map<File, Content> files_;
    std::unordered_map<int64_t, Look> looks_; ///< at processes
    std::set<int64_t> due_;                   ///< to be looked at
};

} // namespace dt

// The user-space part of traceid, spanid and ctxattr(): finds the variable with the OpenTelemetry thread context (OTEP
// 4947) in each process.
//
// Processes need not be named in advance. A probe that fires in an unknown process reports it in shared memory. A pass
// of the consumer sees the report about 20 ms later and publishes the variable's location. The variable of an
// executable is at an offset from the thread pointer, which its file contains. The location in a library is in words of
// the process that the loader fills, in one of three forms; words that are not filled yet are read again later.
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
    /// `proc` is the mount point of proc(5); `foreign` reads files.
    ThreadContexts(std::string proc, std::shared_ptr<ForeignFiles> foreign);
    ~ThreadContexts();
    ThreadContexts(const ThreadContexts&) = delete;
    ThreadContexts& operator=(const ThreadContexts&) = delete;

    /// Descriptors, which must outlive this object; negative if there is none.
    struct Maps {
        int shared = -1, processes = -1; ///< DT_MAP_CONTEXTS, DT_MAP_CONTEXT_PROCESSES
    };
    /// Returns false if the object reads no thread contexts: then all other functions do nothing.
    bool open(const Maps& maps);
    /// Examines a process now, so that its first reading is right.
    void add(int64_t pid);
    /// Returns whether update() has work to do. Cheap.
    bool has_news() const;
    /// Processes the reports of probes, for about 20 ms at most.
    void update();

private:
    using Clock = std::chrono::steady_clock;
    using File = std::array<uint64_t, 4>; ///< device, inode, modification time, size
    struct Content {
        ThreadLocal variable;
        std::vector<ElfIdentification::Segment> loaded;
    };
    struct Used { ///< a file that describes the variable, and its position in a process
        const Content* content = nullptr;
        uint64_t bias = 0; ///< difference to link-time addresses
        bool is_executable = false;
    };
    struct Look {
        Clock::time_point next{};
        Clock::duration wait{}; ///< interval until the following examination
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
    std::unordered_map<int64_t, Look> looks_; ///< examinations of processes
    std::set<int64_t> due_;                   ///< processes to be examined
};

} // namespace dt

// The user-space part of traceid, spanid and ctxattr(): finds the variable that contains the OpenTelemetry thread
// context (OTEP 4947) in each process.
//
// Processes need not be named in advance. If a probe fires in a process whose variable was not located yet, the probe
// reports the process in shared memory. About 20 ms later the consumer reads the report and publishes the variable's
// location. If the variable is in an executable, its offset from the thread pointer is computed from the file. If the
// variable is in a library, the loader stores its location in words of the process, in one of three forms. If the
// loader has not stored the location yet, the words are read again later.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bpf-runtime/processes/thread_context.h"
#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/elf/identification.hpp"

// Reads the names of the attributes in thread contexts. A process publishes them in its process context, a message
// (OTEP 4719) in a named mapping.

namespace dt {

struct Mapping;

/// Returns the names in the order of the indexes by which thread contexts refer to them. Empty if there are no names or
/// the message is invalid. `memory` is a descriptor of /proc/PID/mem.
std::vector<std::string> context_names(int memory, const std::vector<Mapping>& mapped);

/// Returns the attribute names in a process context message.
std::vector<std::string> context_names_in(std::string_view message);

// Describes how a file's code finds a thread-local variable: the variable's offset in the file's TLS block, and the
// words in which the loader stores the variable's location in a thread.

class UntrustedFiles;

struct ThreadLocal {
    enum class Filled : uint32_t {
        Offset,     ///< one word: the variable's offset from the thread pointer
        Descriptor, ///< two words, a TLS descriptor: a function, and its argument
        Module      ///< two words: the id of a module, and an offset in the module's TLS block
    };
    struct Word {
        uint64_t address = 0; ///< link-time address of the word, or of the first of two words
        Filled how = Filled::Offset;
        uint32_t unused = 0;
    };
    bool is_defined = false;
    /// offset of the variable in the file's TLS block, if the file defines the variable
    uint64_t offset = 0;
    uint64_t begin = 0, size = 0, alignment = 1; ///< position, size and alignment of the PT_TLS block
    std::vector<Word> words;

    /// Returns whether the file defines or uses the variable.
    bool is_there() const { return is_defined || !words.empty(); }
    /// Returns the variable's offset from the thread pointer if the file is an executable. The offset is the same in
    /// all processes of the executable.
    int64_t offset_in_executable() const;
};

/// Finds the variable that contains the OpenTelemetry thread context (OTEP 4947) in a file.
ThreadLocal thread_context_variable(UntrustedFiles& files, const std::string& path);

class UntrustedFiles;

class ThreadContexts {
public:
    /// `proc` is the mount point of proc(5); `untrusted` reads the files of processes.
    ThreadContexts(std::string proc, std::shared_ptr<UntrustedFiles> untrusted);
    ~ThreadContexts();
    ThreadContexts(const ThreadContexts&) = delete;
    ThreadContexts& operator=(const ThreadContexts&) = delete;

    /// Descriptors of maps, which must stay open during the lifetime of this object. A descriptor is negative if its
    /// map does not exist.
    struct Maps {
        int shared = -1, processes = -1; ///< the maps DT_MAP_CONTEXTS and DT_MAP_CONTEXT_PROCESSES
    };
    /// Returns false if the compiled program reads no thread contexts; in that case all other functions do nothing.
    bool open(const Maps& maps);
    /// Examines a process now, so that even the first probe that fires in it finds the thread context.
    void add(int64_t pid);
    /// Returns whether update() has work to do. The function is cheap, so it may be called often.
    bool has_news() const;
    /// Examines the processes that probes have reported. Takes at most about 20 ms.
    void update();

private:
    using Clock = std::chrono::steady_clock;
    using File = std::array<uint64_t, 4>; ///< identity of a file: device, inode number, modification time, size
    struct Content {
        ThreadLocal variable;
        std::vector<ElfIdentification::Segment> loaded;
    };
    struct Used { ///< describes a mapped file that defines or uses the variable
        const Content* content = nullptr;
        uint64_t bias = 0; ///< load bias: addresses in the process minus link-time addresses
        bool is_executable = false;
    };
    struct Retry {
        Clock::time_point next{};
        Clock::duration wait{}; ///< interval between the last examination of the process and the next one
    };

    void look_at(int64_t pid);
    std::vector<Used> files_of(int64_t pid, const std::vector<Mapping>& mapped);
    const Content* content_of(int64_t pid, const Mapping& mapping, bool& is_executable);
    static std::optional<dt_context_process> place_in(int memory, const std::vector<Used>& files);
    bool is_due(uint32_t wanted) const;

    const std::string proc_;
    const std::shared_ptr<UntrustedFiles> untrusted_;
    dt_contexts* shared_ = nullptr;
    int processes_map_ = -1;
    std::map<File, Content> files_;
    /// time of the next examination of each process
    std::unordered_map<int64_t, Retry> retries_;
    std::set<int64_t> due_; ///< processes that update() must examine
};

} // namespace dt

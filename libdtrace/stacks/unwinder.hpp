// The user-space part of ustack() for programs without frame pointers: publishes unwind tables for the processes whose
// stacks BPF programs unwind.
//
// Processes need not be named in advance. A BPF program that finds a process or an address without a table reports it
// in shared memory. About 20 ms later the consumer reads the report, creates missing tables and publishes the process;
// another thread reads large files. Until then, the kernel unwinds stacks of the process by frame pointers. Each file
// has one table, which is also used for copies of the file with the same build id. When memory runs out, the least
// recently used processes are removed. Processes whose end is reported are removed earlier.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/mappings/mapped_files.hpp"
#include "libdtrace/mappings/vdso.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"
#include "libdtrace/stacks/unwind_rows.hpp"
#include "libdtrace/stacks/unwind_table.hpp"

// Reads the unwind information of large files in a thread of its own. Reading a library of 100 MB takes 160 ms, and
// without the thread the consumer's records would wait meanwhile.
//
// The thread reads files and allocates memory for their tables. Only the consumer changes data that BPF programs read.

namespace dt {

class UnwindReader {
public:
    /// A file to read. The caller chooses `number`, by which it recognises the finished job.
    struct Job {
        uint64_t number = 0;
        OpenFile file;
        PackedUnwindRows rows;
        /// The file and the reason why it could not be read; empty if it was read.
        std::vector<UntrustedFiles::UnreadableFile> refused;
    };

    /// The thread calls `after` with each finished job.
    explicit UnwindReader(ReadBy by, std::function<void(const Job&)> after = {})
        : after_(std::move(after)), untrusted_(by)
    {
    }
    /// Abandons the jobs that are not finished and ends the thread.
    ~UnwindReader();
    UnwindReader(const UnwindReader&) = delete;
    UnwindReader& operator=(const UnwindReader&) = delete;

    /// Returns whether the file is so large that a caller should not wait for it.
    static bool is_slow(UntrustedFiles& files, const OpenFile& file);

    /// Queues the file and takes ownership of its descriptor. Returns false, and does not change `file`, if no thread
    /// can be started.
    bool start(uint64_t number, OpenFile& file);
    /// Returns whether take_finished() has jobs to return. The function is cheap, so it may be called often.
    bool has_finished() const { return finished_.load(std::memory_order_relaxed) != 0; }
    /// Returns the jobs finished since the last call.
    std::vector<Job> take_finished();

private:
    void work();

    const std::function<void(const Job&)> after_;
    std::mutex mutex_; ///< guards the lists of jobs
    std::condition_variable wanted_;
    std::deque<Job> jobs_;
    std::vector<Job> done_;
    std::atomic<std::size_t> finished_ = 0;
    std::atomic<bool> stop_ = false;
    UntrustedFiles untrusted_; ///< used only by thread_
    std::thread thread_;
};

class Unwinder {
public:
    /// Callbacks to the component that follows the mappings of processes.
    struct Follower {
        std::function<void(int64_t pid)> met; ///< called before the mappings of a process are read
        /// Returns a version number that changes when the mappings of a process may have changed, and when the process
        /// ends; 0 if unknown.
        std::function<uint64_t(int64_t pid)> version;
        /// Called with the mappings of a process before its stacks can be unwound, and with an empty list after its
        /// end. The callback may be missing.
        std::function<void(int64_t pid, const std::vector<Mapping>& mapped)> mapped = {};
    };

    /// `proc` is the mount point of proc(5); `untrusted` reads the files.
    Unwinder(std::string proc, std::shared_ptr<UntrustedFiles> untrusted, Follower follower);
    ~Unwinder();
    Unwinder(const Unwinder&) = delete;
    Unwinder& operator=(const Unwinder&) = delete;

    /// Descriptors of maps, which must stay open during the lifetime of this object. A descriptor is negative if its
    /// map does not exist.
    struct Maps {
        /// descriptors of the maps DT_MAP_UNWIND, DT_MAP_UNWIND_PROCESSES and DT_MAP_UNWIND_MEMORY
        int shared = -1, processes = -1, memory = -1;
    };
    /// Returns false if the loaded object records no user stacks; then no other function has an effect.
    bool open(const Maps& maps);

    /// Publishes a process with all its mappings now, so that even its first stack is unwound.
    void add(int64_t pid);

    /// Returns whether update() has work to do. The function is cheap, so it may be called often.
    bool has_news() const;

    /// Publishes the processes that BPF programs have reported, and updates processes whose mappings have changed.
    /// Takes at most about 20 ms.
    void update();

    /// Returns how many times running processes were removed from the published ones because memory for tables ran out.
    uint64_t times_full() const { return times_full_; }

private:
    using Clock = std::chrono::steady_clock;
    struct File { ///< identity of a file, independent of its name
        uint64_t device = 0, inode = 0, modified = 0, size = 0;
        bool operator==(const File&) const = default;
    };
    struct HashFile {
        std::size_t operator()(const File& file) const { return file.inode * 31 + file.device * 17 + file.modified; }
    };
    using Table = std::shared_ptr<const UnwindTable>;
    struct Content {          ///< unwind data of a file
        std::string build_id; ///< bytes of the build id; empty if the file has none
        std::vector<CodeSegment> segments;
        Table table;
        bool is_narrow = false; ///< whether the code is for 32-bit programs
        uint64_t job = 0;       ///< number of the unfinished job for the file; 0 if the table is complete
    };
    struct Process {
        std::vector<Table> tables;
        UnwindMemory::Allocation list;
        uint64_t version = 0;
        Clock::time_point read{};
        bool waits = false;     ///< whether tables are missing because a file is still being read
        bool is_narrow = false; ///< whether the process is a 32-bit program
    };
    /// Which thread reads large files. Now: the calling thread. Later: the thread of UnwindReader.
    enum class ReadPolicy { Now, Later };

    void load(int64_t pid, ReadPolicy read_policy);
    void take_finished();
    std::vector<dt_unwind_mapping> mappings_of(int64_t pid, const std::vector<Mapping>& mapped, Process& process,
                                               ReadPolicy read_policy);
    const Content* content_of(int64_t pid, const Mapping& mapping, ReadPolicy read_policy);
    const Content* read_content(const File& file, const std::string& name, ReadPolicy read_policy);
    const Content& vdso(int64_t pid, const Mapping& mapping);
    Table make_table(const PackedUnwindRows& rows);
    bool publish(int64_t pid, Process& process, const std::vector<dt_unwind_mapping>& mappings);
    void make_room();
    void drop_unused_tables();
    void drop(int64_t pid);
    bool is_stale(int64_t pid) const;

    const std::string proc_;
    const std::shared_ptr<UntrustedFiles> untrusted_;
    const Follower follower_;
    dt_unwind* shared_ = nullptr;
    int processes_map_ = -1;
    std::unique_ptr<UnwindRules> rules_;
    std::unique_ptr<UnwindMemory> memory_;
    bool full_ = false; ///< whether memory for tables has run out
    uint64_t times_full_ = 0;
    Clock::time_point idle_until_{};
    CompatVdso compat_vdso_image_;
    std::unique_ptr<Content> vdso_, compat_vdso_;
    // Declared after memory_, because files_ must be destroyed before memory_.
    std::unordered_map<File, Content, HashFile> files_;
    std::unordered_map<int64_t, Process> processes_;
    std::set<int64_t> due_; ///< processes to be published or updated
    uint64_t jobs_ = 0;
    // Declared last, because the thread of reader_ uses memory_ and must end before memory_ is destroyed.
    UnwindReader reader_;
};

} // namespace dt

// The user space side of ustack() without frame pointers: which processes walks meet, and the tables of what they map.
//
// Nobody is named in advance. A walk that meets a process or an address that is not known says so in the shared memory;
// a pass of the consumer reads there, some 20 ms later, makes the tables that are missing and publishes the process; a
// large file is read by another thread meanwhile. Until then the kernel follows frame pointers. Tables belong to files,
// copies of one (by build id) share theirs, and stay while there is room; when there is none, the processes that were
// met least recently go. Those that have ended go before, when that is told.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/process/unwind_reader.hpp"
#include "libdtrace/process/unwind_table.hpp"
#include "libdtrace/process/vdso.hpp"

namespace dt {

class Unwinder {
public:
    /// Who else follows what processes map.
    struct Follower {
        std::function<void(int64_t pid)> met; ///< is told of a process before its mappings are read
        std::function<uint64_t(int64_t pid)>
            version; ///< changes when something that a process maps may have changed, and when it ends; 0: nobody knows
    };

    /// `proc`: where proc(5) is mounted. `foreign`: has files read.
    Unwinder(std::string proc, std::shared_ptr<ForeignFiles> foreign, Follower follower);
    ~Unwinder();
    Unwinder(const Unwinder&) = delete;
    Unwinder& operator=(const Unwinder&) = delete;

    /// Descriptors, which are to outlive this; below 0: there is none.
    struct Maps {
        int shared = -1, processes = -1, memory = -1; ///< DT_MAP_UNWIND, …_PROCESSES, …_MEMORY
    };
    /// False when the object walks no user stacks: then nothing else needs to be called, and does nothing.
    bool open(const Maps& maps);

    /// Makes a process known now, with all that it maps: for those whose first stack should be right.
    void add(int64_t pid);

    /// Has a walk met what update() would make known? Cheap.
    bool has_news() const;

    /// Makes known what walks have met since, for some 20 ms at most, and brings up to date what has changed.
    void update();

    /// How often memory for tables ran out, and processes that still run were forgotten.
    uint64_t times_full() const { return times_full_; }

private:
    using Clock = std::chrono::steady_clock;
    struct File { ///< which file it is, whatever its name
        uint64_t device = 0, inode = 0, modified = 0, size = 0;
        bool operator==(const File&) const = default;
    };
    struct HashFile {
        std::size_t operator()(const File& file) const { return file.inode * 31 + file.device * 17 + file.modified; }
    };
    using Table = std::shared_ptr<const UnwindTable>;
    struct Content {          ///< what a file has
        std::string build_id; ///< bytes; empty: it has none
        std::vector<CodeSegment> segments;
        Table table;
        bool is_narrow = false; ///< code for 32-bit programs
        uint64_t job = 0;       ///< of the reader, which has not finished; 0: the table is there
    };
    struct Process {
        std::vector<Table> tables;
        UnwindMemory::Place list;
        uint64_t version = 0;
        Clock::time_point read{};
        bool waits = false;     ///< for a file that is being read
        bool is_narrow = false; ///< a 32-bit program
    };
    enum class Patience { Now, Later }; ///< should large files be read at once?

    void load(int64_t pid, Patience patience);
    void take_finished();
    std::vector<dt_unwind_mapping> mappings_of(int64_t pid, const std::vector<Mapping>& mapped, Process& process,
                                               Patience patience);
    const Content* content_of(int64_t pid, const Mapping& mapping, Patience patience);
    const Content* read_content(const File& file, const std::string& name, Patience patience);
    const Content& vdso(int64_t pid, const Mapping& mapping);
    Table make_table(const PackedUnwindRows& rows);
    bool publish(int64_t pid, Process& process, const std::vector<dt_unwind_mapping>& mappings);
    void make_room();
    void drop_unused_tables();
    void drop(int64_t pid);
    bool is_stale(int64_t pid) const;

    const std::string proc_;
    const std::shared_ptr<ForeignFiles> foreign_;
    const Follower follower_;
    dt_unwind* shared_ = nullptr;
    int processes_map_ = -1;
    std::unique_ptr<UnwindRules> rules_;
    std::unique_ptr<UnwindMemory> memory_;
    bool full_ = false; ///< memory ran out
    uint64_t times_full_ = 0;
    Clock::time_point rest_until_{};
    NarrowVdso narrow_vdso_image_;
    std::unique_ptr<Content> vdso_, narrow_vdso_;
    std::unordered_map<File, Content, HashFile> files_; // destroyed before the memory
    std::unordered_map<int64_t, Process> processes_;
    std::set<int64_t> due_; ///< to be made known, or brought up to date
    uint64_t jobs_ = 0;
    UnwindReader reader_; // uses the memory
};

} // namespace dt

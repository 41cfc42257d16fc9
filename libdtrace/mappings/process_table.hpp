// The known processes: the programs that each process has executed, the mappings of each program, and the times of
// both.
//
// A tracer that is always on sees more processes than it can keep. Ended processes matter most, because no other source
// knows them, but their number is unlimited. So the table has limits of processes and bytes. It first removes processes
// without data, then the ended processes in the order of their ends. Last, it removes the living processes that were
// seen least recently, because /proc still contains their data. Each removal takes constant time.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/mappings/mapped_files.hpp"
#include "libdtrace/mappings/mapping_events.hpp"

namespace dt {

/// A part of a file that a process has mapped.
struct MappedPart {
    uint64_t start = 0, end = 0, offset = 0;
    uint64_t inode = 0; ///< inode number reported by the kernel; 0 if unknown
    uint64_t since = 0; ///< time of the mapping in CLOCK_MONOTONIC ns; 0 if the part counts as mapped at all times
    std::shared_ptr<MappedFile> file;
};

/// Returns whether both mapped parts belong to the same file.
bool is_same_file(const MappedPart& a, const MappedPart& b);

/// Mapped parts in the order of discovery. Several images (programs that processes have executed) may share one list,
/// and its memory is counted only once.
class MappedParts {
public:
    explicit MappedParts(std::size_t& bytes) : bytes_(bytes) {}
    MappedParts(const MappedParts& other) : bytes_(other.bytes_), list_(other.list_) { count(0); }
    MappedParts& operator=(const MappedParts&) = delete;
    ~MappedParts() { bytes_ -= memory(); }

    const std::vector<MappedPart>& list() const { return list_; }
    MappedPart& at(std::size_t index) { return list_[index]; }
    void push_back(MappedPart part);
    /// Removes the half of the mapped parts that were discovered first.
    void drop_older_half();
    /// Moves the mapped parts of files that were mapped after `time` to another list.
    void move_later_parts(uint64_t time, MappedParts& to);

private:
    std::size_t memory() const { return list_.capacity() * sizeof(MappedPart); }
    void count(std::size_t before) { bytes_ += memory() - before; }

    std::size_t& bytes_;
    std::vector<MappedPart> list_;
};

/// A set of process ids: one bit per possible id, at most 512 KiB.
class PidSet {
public:
    void insert(int64_t pid);
    void erase(int64_t pid);
    bool contains(int64_t pid) const
    {
        return pid > 0 && static_cast<std::size_t>(pid) < bits_.size() && bits_[static_cast<std::size_t>(pid)];
    }
    void clear() { bits_.clear(); }

private:
    std::vector<bool> bits_;
};

class ProcessTable {
public:
    static constexpr std::size_t kMaxKnown = 16384;
    struct Bounds {
        std::size_t processes = kMaxKnown;
        std::size_t bytes = std::size_t{128} << 20;
        /// maximum number of mapped parts per program; if it is exceeded, the older half is removed
        std::size_t parts = 8192;
        /// maximum number of executed programs per process; if it is exceeded, the oldest one is removed
        std::size_t images = 64;
        std::size_t ended = kMaxKnown; ///< maximum number of ended processes
    };
    struct Image {
        uint64_t since = 0; ///< time when the program was executed, in CLOCK_MONOTONIC ns
        /// The mapped parts; a child shares its parent's list until the two lists differ.
        std::shared_ptr<MappedParts> parts;
    };
    struct Process {
        std::vector<Image> images; ///< executed programs, ordered by time
        std::vector<ElfSymbols::Symbol> jit;
        std::size_t jit_bytes = 0;
        uint32_t owner = 0; ///< user id of the process; its JIT map must belong to this user or root
        uint32_t checks = 0;
        uint64_t read_at_ms = 0;
        /// Parent whose mappings the process inherited, if these mappings were not known yet at the time of the fork;
        /// otherwise 0.
        int64_t parent = 0;
        uint64_t version = 0;   ///< version number, which changes whenever data of the process change
        uint64_t became = 0;    ///< value of `version` at the last fork or exec
        uint64_t died = 0;      ///< time of the end in CLOCK_MONOTONIC ns; 0 if no end is known
        bool has_ended = false; ///< whether the process has ended, or may have ended because events were lost
        /// whether some data of the process are missing, because they were removed or events were lost
        bool is_partial = false;
        std::list<int64_t>::iterator place;

        bool is_known() const { return !images.empty() || !jit.empty(); }
    };
    struct Found {
        /// The mapping at the address; null if `jit` is set, or if the table contains no mapping at the address.
        const MappedPart* part = nullptr;
        /// function at the address, from the process's map of JIT-compiled functions
        const ElfSymbols::Symbol* jit = nullptr;
        bool at_any_time = false; ///< whether a query with any other time would have the same result
        /// Set if the query had no time and the address belonged to different mappings at different times; `part` is
        /// then null.
        bool is_of_several = false;
    };

    ProcessTable() : ProcessTable(Bounds{}) {}
    explicit ProcessTable(Bounds bounds) : bounds_(bounds) {}
    /// Set a limit. If the limit is exceeded, the next make_room() removes processes; these functions do not.
    void set_max_bytes(std::size_t bytes) { bounds_.bytes = bytes; }
    void set_max_ended(std::size_t processes) { bounds_.ended = processes; }
    ProcessTable(const ProcessTable&) = delete;
    ProcessTable& operator=(const ProcessTable&) = delete;

    /// Returns the process, and adds it if it is new. The reference is valid until make_room().
    Process& of(int64_t pid);
    /// Returns the process, or null if the table does not contain it.
    const Process* find(int64_t pid) const;
    /// Returns a version number that changes when data of a process change and when it ends; 0 if the process is
    /// unknown.
    uint64_t version(int64_t pid) const;
    std::size_t size() const { return processes_.size(); }
    std::size_t bytes() const { return bytes_ + processes_.size() * (sizeof(Process) + kOverhead); }

    /// Updates the process table for an event: a fork, exec or exit. Mappings are added by add().
    void apply(const MappingEvent& event);
    /// Updates the process table for an interval in which events were lost. Processes that ended before the interval
    /// are not changed. Every other process may have executed another program, or ended, in the interval. So such a
    /// process has no known mappings in the interval. After the interval it has only mappings that are added later.
    void lose(uint64_t since, uint64_t until);
    /// Returns the process's current image, which is the program that it executed last.
    Image& image(Process& process);
    /// Adds a mapped part to the process's current image. If one of the first `among` parts of that image has the same
    /// range and file, updates that part instead.
    void add(Process& process, std::size_t among, MappedPart part);
    /// Marks all current mappings as unmapped.
    void unmap(Process& process);
    void set_jit(Process& process, std::vector<ElfSymbols::Symbol> symbols);
    /// Records that the process was running at `time`. If an exit event before `time` was recorded, only the first
    /// thread had ended then, and the event is discarded.
    void runs(Process& process, uint64_t time);

    /// Removes processes until the limits are met, but never the process `except`.
    void make_room(int64_t except = 0);
    void forget_all();

    /// Returns the mapping that contained an address at `time`, or at any time if `time` is 0.
    Found look_up(const Process& process, uint64_t address, uint64_t time) const;

    /// Records that an address of the process was printed without a name because the table has no data about it.
    void miss(int64_t pid);
    /// Returns the number of processes whose addresses were printed without a name because data of the process were
    /// removed to meet the limits, or because events were lost.
    uint64_t missed() const { return missed_; }

private:
    // approximate memory of an entry besides its data, in bytes: a table node and a list node
    static constexpr std::size_t kOverhead = 64 + sizeof(Image);

    void fork(const MappingEvent& event);
    void exec(const MappingEvent& event);
    void exit(const MappingEvent& event);
    void push_image(Process& process, uint64_t since);
    void become(Process& process);
    void move(Process& process, bool has_ended);
    void erase(int64_t pid);
    bool is_full() const
    {
        return processes_.size() > bounds_.processes || ended_.size() > bounds_.ended || bytes() > bounds_.bytes;
    }
    std::shared_ptr<MappedParts> no_parts() { return std::make_shared<MappedParts>(bytes_); }

    Bounds bounds_;
    // memory in bytes of mapped parts and of JIT symbols; the destructor of MappedParts subtracts the memory of its
    // list
    std::size_t bytes_ = 0;
    uint64_t changes_ = 0; // number of changes to the data of all processes so far
    uint64_t missed_ = 0;
    // process ids: the living ones in the order in which they were last seen, the ended ones in the order of their ends
    std::list<int64_t> living_, ended_;
    bool has_lost_ = false; // whether events were lost, so that processes may have started and ended unseen
    // `forgotten_`: processes that were removed from the table. `counted_`: processes that are already counted in
    // missed_.
    PidSet forgotten_, counted_;
    std::unordered_map<int64_t, Process> processes_;
};

} // namespace dt

// The processes that are known: what programs each has been, what these mapped, and since when.
//
// A tracer that is always on meets more processes than it has room for. Those that are gone are what it is kept for,
// because nobody else can tell of them, and they are also what there is without end. So the table has a bound, in
// processes and in bytes. What must go is chosen in this order: of what nothing is known, who ended first, and of the
// living who was met least recently, of whom /proc can tell again. Each choice takes constant time.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/process/mapped_files.hpp"
#include "libdtrace/process/mapping_events.hpp"

namespace dt {

/// A part of a file as a process mapped it.
struct MappedPart {
    uint64_t start = 0, end = 0, offset = 0;
    uint64_t inode = 0; ///< as the kernel told it; 0: not known
    uint64_t since = 0; ///< CLOCK_MONOTONIC ns; 0: always
    std::shared_ptr<MappedFile> file;
};

/// Is it the same file?
bool is_same_file(const MappedPart& a, const MappedPart& b);

/// Parts in the order they were learned of. Their memory is counted once, however many images share them.
class MappedParts {
public:
    explicit MappedParts(std::size_t& bytes) : bytes_(bytes) {}
    MappedParts(const MappedParts& other) : bytes_(other.bytes_), list_(other.list_) { count(0); }
    MappedParts& operator=(const MappedParts&) = delete;
    ~MappedParts() { bytes_ -= memory(); }

    const std::vector<MappedPart>& list() const { return list_; }
    MappedPart& at(std::size_t index) { return list_[index]; }
    void push_back(MappedPart part);
    /// Those that were learned of first.
    void forget_half();
    /// Moves those that are younger.
    void give_younger(uint64_t time, MappedParts& to);

private:
    std::size_t memory() const { return list_.capacity() * sizeof(MappedPart); }
    void count(std::size_t before) { bytes_ += memory() - before; }

    std::size_t& bytes_;
    std::vector<MappedPart> list_;
};

/// Process ids: a bit for each there can be, 512 KiB at most.
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
    static constexpr std::size_t kMostKnown = 16384;
    struct Bounds {
        std::size_t processes = kMostKnown;
        std::size_t bytes = std::size_t{128} << 20;
        std::size_t parts = 8192;       ///< of a program; then the first half of them goes
        std::size_t images = 64;        ///< programs that one process has been; then the first goes
        std::size_t ended = kMostKnown; ///< of the processes, so many that have ended
    };
    struct Image {
        uint64_t since = 0; ///< CLOCK_MONOTONIC ns
        std::shared_ptr<MappedParts>
            parts; ///< a child begins with those of its parent, which are not copied until they differ
    };
    struct Process {
        std::vector<Image> images; ///< by time
        std::vector<ElfSymbols::Symbol> jit;
        std::size_t jit_bytes = 0;
        uint32_t owner = 0; ///< user; root's files are believed anyway
        uint32_t looks = 0;
        uint64_t read_at_ms = 0;
        int64_t parent = 0;      ///< whose mappings it began with, when they were not known then
        uint64_t version = 0;    ///< of all that is known of it
        uint64_t became = 0;     ///< the version in which it became what it is now, by fork or exec
        uint64_t died = 0;       ///< CLOCK_MONOTONIC ns; 0: it is not known to have ended
        bool has_ended = false;  ///< or may have
        bool is_partial = false; ///< something of it was forgotten
        std::list<int64_t>::iterator place;

        bool is_known() const { return !images.empty() || !jit.empty(); }
    };
    struct Found {
        const MappedPart* part = nullptr;        ///< null: nothing is known of the address, unless:
        const ElfSymbols::Symbol* jit = nullptr; ///< code that the process itself told of
        bool at_any_time = false;                ///< the answer is the same for all times so far
        bool is_of_several = false;              ///< which of them depends on the time, and that is not known
    };

    ProcessTable() : ProcessTable(Bounds{}) {}
    explicit ProcessTable(Bounds bounds) : bounds_(bounds) {}
    /// From now on; what is beyond goes with make_room().
    void set_most_bytes(std::size_t bytes) { bounds_.bytes = bytes; }
    void set_most_ended(std::size_t processes) { bounds_.ended = processes; }
    ProcessTable(const ProcessTable&) = delete;
    ProcessTable& operator=(const ProcessTable&) = delete;

    /// The process, which is known from now on. Valid until make_room().
    Process& of(int64_t pid);
    /// Null: it is not known.
    const Process* find(int64_t pid) const;
    /// Changes with what is known of a process, and when it ends; 0: it is not known.
    uint64_t version(int64_t pid) const;
    std::size_t size() const { return processes_.size(); }
    std::size_t bytes() const { return bytes_ + processes_.size() * (sizeof(Process) + kOverhead); }

    /// Fork, exec and exit. Of a mapping: add().
    void apply(const MappingEvent& event);
    /// Events of a time are missing. Who had ended before is what he was. The others may have become anything, and may
    /// have ended: of that time nothing is known of them, and of what they are now only what is learned from now on.
    void lose(uint64_t since, uint64_t until);
    /// The image that the process has now.
    Image& image(Process& process);
    /// `among`: the part may be one of the first so many that the image has. Both are the process's present image.
    void add(Process& process, std::size_t among, MappedPart part);
    /// Whatever it has mapped is not known any more.
    void unmap(Process& process);
    void set_jit(Process& process, std::vector<ElfSymbols::Symbol> symbols);
    /// It ran at that time: what seemed its end before was none, but of its first thread perhaps.
    void runs(Process& process, uint64_t time);

    /// Forgets what the bounds say, but not `except`.
    void make_room(int64_t except = 0);
    void forget_all();

    /// What is at an address. `time` 0: at any time.
    Found look_up(const Process& process, uint64_t address, uint64_t time) const;

    /// An address has no name, in a process of which nothing is known any more, or not all.
    void miss(int64_t pid);
    /// Processes of which that was so because the bounds were reached.
    uint64_t missed() const { return missed_; }

private:
    static constexpr std::size_t kOverhead = 64 + sizeof(Image); // of a node of the table and of the list

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
    std::size_t bytes_ = 0; // of parts and symbols; images that die give theirs back
    uint64_t changes_ = 0;  // of all processes
    uint64_t missed_ = 0;
    std::list<int64_t> living_, ended_; // by when they were met, and by when they ended
    bool has_lost_ = false;             // events, so that somebody may have come and gone unseen
    PidSet forgotten_, told_;           // who was known; who was missed, and counted
    std::unordered_map<int64_t, Process> processes_;
};

} // namespace dt

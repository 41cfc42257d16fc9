// Which file lay at an address of a process, at a time: for naming addresses that were recorded earlier.
//
// A process becomes another program by exec, unmaps and maps libraries, and ends, mostly before its samples are read. So what it maps is kept
// with times, from the kernel's events where there are some, else from /proc/PID/maps as it is when first asked. Where two files are possible
// (an address without a time, in a process that has been two programs) there is no answer: no name is better than a wrong one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "libdtrace/process/mapped_files.hpp"
#include "libdtrace/process/mapping_events.hpp"
#include "libdtrace/process/vdso.hpp"

namespace dt {

/// A part of a file as a process mapped it.
struct MappedPart {
    uint64_t start = 0, end = 0, offset = 0;
    uint64_t inode = 0; ///< as the kernel told it; 0: not known
    uint64_t since = 0; ///< CLOCK_MONOTONIC ns; 0: always
    std::shared_ptr<MappedFile> file;
};

class ProcessImages {
public:
    struct Found {
        const MappedPart* part = nullptr;        ///< null: nothing is known of the address, unless:
        const ElfSymbols::Symbol* jit = nullptr; ///< code that the process itself told of
        bool at_any_time = false;                ///< the answer is the same for all times so far
    };

    explicit ProcessImages(std::string proc) : proc_(std::move(proc)), files_(proc_) {}

    enum class Whom : uint8_t { Later, Everyone };
    /// From now on the kernel tells of changes; without it /proc alone has to do. Everyone: who is there already is read in the next updates.
    void follow(Whom whom);
    /// From now on files have their lines too.
    void want_lines(bool wanted) { files_.want_lines(wanted); }
    /// The kernel need tell nothing more, and processes may be others than they were: only files that are what they were remain known.
    void forget();
    /// Notes what has happened. Cheap; to be called before samples are looked at.
    void update();

    /// What is at an address. `time` 0: at any time. Valid until the next call of any member.
    Found find(int64_t pid, uint64_t address, uint64_t time);
    /// Reads the mappings of a process now, and keeps its files open: it may be gone when the next address is asked for, and they with it.
    void remember(int64_t pid);
    /// Changes when something that was told about a process may not be true any more.
    uint64_t version(int64_t pid) { return processes_[pid].version; }

    /// The symbols of the file that is mapped, or of the kernel's code ([vdso]); an empty table when it cannot be had any more, and then the file is
    /// marked as deleted.
    const ElfSymbols& symbols_of(int64_t pid, const MappedPart& part);
    /// Lowest address of the part's file in the process.
    uint64_t first_address(int64_t pid, const MappedPart& part);
    /// Files that could not be read because too many were open.
    uint64_t unread_files() const { return files_.unread(); }

private:
    using Parts = std::vector<MappedPart>; // in the order they were learned of
    struct Image {
        uint64_t since = 0;
        std::shared_ptr<Parts> parts = std::make_shared<Parts>(); // a child begins with those of its parent, which are not copied until they differ
        bool read = false;                                        // from /proc
    };
    struct Process {
        std::vector<Image> images; // by time
        std::vector<ElfSymbols::Symbol> jit;
        uint32_t owner = 0; // user; root's files are believed anyway
        uint32_t looks = 0;
        uint64_t read_at_ms = 0;
        int64_t parent = 0; // whose mappings it began with, when they were not known then
        uint64_t version = 0;
        uint64_t died = 0; // CLOCK_MONOTONIC ns; 0: lives
    };

    void take_events();
    void apply(const MappingEvent& event);
    void apply_map(Process& process, const MappingEvent& event);
    void read(int64_t pid, Process& process);
    void read_some();
    void make_room();
    void add(Process& process, std::size_t among, MappedPart part);
    void hold(const MappedFiles::Place& place, MappedFile& file);
    Found look_up(const Process& process, uint64_t address, uint64_t time) const;
    Process& process(int64_t pid);

    std::string proc_;
    bool following_ = false;
    uint64_t changes_ = 0; // of all processes
    MappingEvents events_;
    std::unordered_map<int64_t, Process> processes_;
    std::vector<int64_t> to_read_; // who was there before the events began
    MappedFiles files_;
    NarrowVdso narrow_vdso_;
};

} // namespace dt

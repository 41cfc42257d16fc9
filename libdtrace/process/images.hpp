// Which file lay at an address of a process, at a time: for naming addresses that were recorded earlier.
//
// A process becomes another program by exec, unmaps and maps libraries, and ends, mostly before its samples are read. So what it maps is kept
// with times, from the kernel's events where there are some, else from /proc/PID/maps as it is when first asked. Where two files are possible
// (an address without a time, in a process that has been two programs) there is no answer: no name is better than a wrong one.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "libdtrace/process/elf_file.hpp"
#include "libdtrace/process/mapping_events.hpp"
#include "libdtrace/process/elf_symbols.hpp"

namespace dt {

class ProcessImages {
public:
    struct Found {
        Mapping* mapping = nullptr;              ///< null: nothing is known of the address, unless:
        const ElfSymbols::Symbol* jit = nullptr; ///< code that the process itself told of
        bool at_any_time = false;                ///< the answer is the same for all times so far
    };

    explicit ProcessImages(std::string proc) : proc_(std::move(proc)) {}

    /// From now on the kernel tells of changes; without it /proc alone has to do.
    void follow() { following_ = events_.open(); }
    /// From now on symbols_of() sets mapping.lines too.
    void want_lines(bool wanted) { wants_lines_ = wanted; }
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

    /// The symbols of the file that is mapped; an empty table when it cannot be had any more, and then mapping.deleted is set.
    const ElfSymbols& symbols_of(int64_t pid, Mapping& mapping);
    /// Lowest address of the mapping's file in the process.
    uint64_t first_address(int64_t pid, const Mapping& mapping);

private:
    struct Image {
        uint64_t since = 0;
        std::vector<Mapping> mappings; // in the order they were learned of
        bool read = false;             // from /proc
    };
    struct Process {
        std::vector<Image> images; // by time
        std::vector<ElfSymbols::Symbol> jit;
        uint32_t owner = 0; // user; root's files are believed anyway
        uint32_t looks = 0;
        uint64_t read_at_ms = 0;
        int64_t parent = 0; // whose mappings it began with, when they were not known then
        uint64_t version = 0;
    };

    struct File {
        std::shared_ptr<const ElfSymbols> symbols;
        std::shared_ptr<SourceLines> lines;
        std::string name;         // by which it was opened
        bool by_build_id = false; // else by its inode, which another file may have one day
    };

    void take_events();
    void apply(MappingEvent& event);
    void read(int64_t pid, Process& process);
    void add(Process& process, std::size_t image, Mapping mapping);
    void hold(int64_t pid, const Mapping& mapping);
    Found look_up(Process& process, uint64_t address, uint64_t time);
    Process& process(int64_t pid);

    std::string proc_;
    bool following_ = false, wants_lines_ = false;
    uint64_t changes_ = 0; // of all processes
    MappingEvents events_;
    std::unordered_map<int64_t, Process> processes_;
    std::unordered_map<std::string, File> files_;                    // by identity and path
    std::unordered_map<std::string, std::unique_ptr<ElfFile>> held_; // by inode and path
};

} // namespace dt

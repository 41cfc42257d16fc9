// Which file lay at an address of a process, at a time: for naming addresses that were recorded earlier.
//
// A process becomes another program by exec, unmaps and maps libraries, and ends, mostly before its samples are read.
// So what it maps is kept with times, from the kernel's events where there are some, else from /proc/PID/maps as it is
// when first asked. Where two files are possible (an address without a time, in a process that has been two programs)
// there is no answer: no name is better than a wrong one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "libdtrace/process/mapped_files.hpp"
#include "libdtrace/process/mapping_events.hpp"
#include "libdtrace/process/process_table.hpp"
#include "libdtrace/process/vdso.hpp"

namespace dt {

class ProcessImages {
public:
    using Found = ProcessTable::Found;

    explicit ProcessImages(std::string proc, std::shared_ptr<ForeignFiles> foreign = ForeignFiles::make())
        : proc_(std::move(proc)), foreign_(std::move(foreign)), files_(proc_, foreign_)
    {
    }

    enum class Whom : uint8_t { Later, Everyone };
    /// From now on the kernel tells of changes; without it /proc alone has to do. Everyone: who is there already is
    /// read in the next updates.
    void follow(Whom whom);
    /// From now on files have their lines too.
    void want_lines(bool wanted) { files_.want_lines(wanted); }
    /// Of the table of processes, and of what was read of their files.
    void set_most_bytes(std::size_t of_processes, std::size_t of_files);
    /// Of processes that have ended so many are known.
    void set_most_ended(std::size_t processes) { table_.set_most_ended(processes); }
    /// The kernel need tell nothing more, and processes may be others than they were: only files that are what they
    /// were remain known.
    void forget();
    /// Notes what has happened. Cheap; to be called before samples are looked at.
    void update();
    /// Becomes readable when much has happened that was not noted. -1: nobody is followed.
    int descriptor() const { return events_.descriptor(); }

    /// What is at an address. `time` 0: at any time. Valid until the next call of any member.
    Found find(int64_t pid, uint64_t address, uint64_t time);
    /// Reads the mappings of a process now, and keeps its files open: it may be gone when the next address is asked
    /// for, and they with it.
    void remember(int64_t pid);
    /// Changes when something that was told about a process may not be true any more; 0: nothing is known of it.
    uint64_t version(int64_t pid) const { return table_.version(pid); }

    /// The symbols of the file that is mapped, or of the kernel's code ([vdso]); an empty table when it cannot be had
    /// any more, and then the file is marked as deleted.
    const ElfSymbols& symbols_of(int64_t pid, const MappedPart& part);
    /// Lowest address of the part's file in the process.
    uint64_t first_address(int64_t pid, const MappedPart& part);
    /// Files that could not be read because too many were open.
    uint64_t unread_files() const { return files_.unread(); }
    /// Processes whose addresses were asked for when they had been forgotten, because so many came after them.
    uint64_t forgotten_processes() const { return table_.missed(); }

private:
    using Process = ProcessTable::Process;

    void take_events(int64_t reading);
    void apply_map(const MappingEvent& event);
    void read(int64_t pid, Process& process);
    bool read_mappings(int64_t pid, Process& process);
    std::vector<MappedPart> parts_of(int64_t pid, const std::vector<Mapping>& mappings, uint64_t since);
    void read_some();
    void hold(const MappedFiles::Place& place, MappedFile& file);
    Found look_up(const Process& process, uint64_t address, uint64_t time) const;
    Process& process(int64_t pid);

    std::string proc_;
    std::shared_ptr<ForeignFiles> foreign_;
    bool following_ = false;
    uint64_t heard_ns_ = 0; // what happened until then is known
    MappingEvents events_;
    MappedFiles files_;
    ProcessTable table_;           // has files
    std::vector<int64_t> to_read_; // who was there before the events began
    NarrowVdso narrow_vdso_;
};

} // namespace dt

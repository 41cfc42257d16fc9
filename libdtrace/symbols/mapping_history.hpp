// Finds the file that a process had mapped at an address and time, so that addresses recorded earlier can be named.
//
// A process may execute another program, map and unmap libraries, or end before its samples are read. So mappings are
// stored with their times. The kernel's events report them; without events, /proc/PID/maps is read at the first query.
// If two files are possible (an address without a time, in a process that ran two programs), the address gets no name,
// because a wrong name would be worse than no name.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "libdtrace/mappings/mapped_files.hpp"
#include "libdtrace/mappings/mapping_events.hpp"
#include "libdtrace/mappings/process_table.hpp"
#include "libdtrace/mappings/vdso.hpp"

namespace dt {

class MappingHistory {
public:
    using Found = ProcessTable::Found;

    explicit MappingHistory(std::string proc, std::shared_ptr<UntrustedFiles> untrusted = UntrustedFiles::make())
        : proc_(std::move(proc)), untrusted_(std::move(untrusted)), files_(proc_, untrusted_)
    {
    }

    enum class FollowScope : uint8_t { Later, AllProcesses };
    /// Subscribes to the kernel's mapping events; without the events, mappings are only read from /proc. With
    /// FollowScope::AllProcesses, the next calls of update() also read the processes that already exist.
    void follow(FollowScope whom);
    /// Enables or disables source lines for files that are opened from now on.
    void want_lines(bool wanted) { files_.want_lines(wanted); }
    /// Sets the memory limits in bytes: `of_processes` limits the table of processes, `of_files` limits the data that
    /// were read from files.
    void set_max_bytes(std::size_t of_processes, std::size_t of_files);
    /// Sets the maximum number of ended processes that are stored.
    void set_max_ended(std::size_t processes) { table_.set_max_ended(processes); }
    /// Stops the events and removes the recorded mappings, because later changes of processes would not be noticed.
    /// Only symbols of files with a build id remain cached.
    void forget();
    /// Applies the pending events. The function is cheap. It must be called before samples are decoded.
    void update();
    /// Returns a descriptor that is readable if many events are pending; -1 if no events are received.
    int descriptor() const { return events_.descriptor(); }

    /// Returns the mapping that contained an address at `time`; if `time` is 0, at any time. The result is valid until
    /// the next call of any member function.
    Found find(int64_t pid, uint64_t address, uint64_t time);
    /// Reads the mappings of a process now and opens its files, because the process may end before the next query.
    void remember(int64_t pid);
    /// Returns a version number, which changes when earlier results for the process may no longer be correct; 0 if the
    /// process is unknown.
    uint64_t version(int64_t pid) const { return table_.version(pid); }

    /// Returns the symbols of the mapped file, or of the kernel's code in processes ([vdso]). If the file is no longer
    /// available, returns an empty table and marks the mapping as deleted.
    const ElfSymbols& symbols_of(int64_t pid, const MappedPart& part);
    /// Returns the lowest address at which the process has mapped the file of this mapping.
    uint64_t first_address(int64_t pid, const MappedPart& part);
    /// Returns the number of files that were not read because too many were open.
    uint64_t unread_files() const { return files_.unread(); }
    /// Returns the number of processes whose addresses were printed without names because their data were removed to
    /// make room, or because events were lost.
    uint64_t forgotten_processes() const { return table_.missed(); }

private:
    using Process = ProcessTable::Process;

    void take_events(int64_t reading);
    void apply_map(const MappingEvent& event);
    void read(int64_t pid, Process& process);
    bool read_mappings(int64_t pid, Process& process);
    std::vector<MappedPart> parts_of(int64_t pid, const std::vector<Mapping>& mappings, uint64_t since);
    void read_some();
    void hold(const MappedFiles::MappedRange& place, MappedFile& file);
    Found look_up(const Process& process, uint64_t address, uint64_t time) const;
    Process& process(int64_t pid);

    std::string proc_;
    std::shared_ptr<UntrustedFiles> untrusted_;
    bool following_ = false;
    uint64_t heard_ns_ = 0; // time up to which all events have been applied, in CLOCK_MONOTONIC ns
    MappingEvents events_;
    MappedFiles files_;
    ProcessTable table_; // table_ must be destroyed before files_, because its entries use the files
    // processes that started before the events were subscribed to, and whose maps were not read yet
    std::vector<int64_t> to_read_;
    CompatVdso compat_vdso_;
};

} // namespace dt

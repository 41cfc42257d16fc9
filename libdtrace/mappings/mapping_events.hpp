// The kernel's events about the mappings of processes: fork, exec, each file that is mapped as code, and exit.
//
// /proc/PID/maps contains only the present mappings. When a sample is evaluated, its process may already have executed
// another program or ended. So this class collects the kernel's events, which contain the time of each change
// (perf_event_open(2): mmap2, comm_exec, task, build_id; Linux 5.12).
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

struct perf_buffer;
struct perf_event_header;

namespace dt {

struct MappingEvent {
    enum class Kind : uint8_t {
        Fork,
        Exec,
        Map,
        Exit, ///< the process has ended
        /// The first thread of the process has ended while other threads run. For a process that started before the
        /// events were opened, the other threads are not known, so the event is Exit instead.
        LeaderExit,
        Lost,
    };
    Kind kind = Kind::Lost;
    uint64_t time = 0; ///< time of the event (CLOCK_MONOTONIC ns)
    pid_t pid = 0, parent = 0;
    // The following members are set only in events of kind Map.
    uint64_t start = 0, end = 0, offset = 0;
    uint64_t inode = 0;   ///< inode number of the file; 0 if the build id identifies the file
    std::string build_id; ///< bytes of the file's build id; empty if unknown
    std::string path;     ///< path of the file as the process knows it
};

/// Returns device and inode of the mapped file. Looks up its path in the process's root, or in the tracer's root if the
/// process has ended. Returns zeros if the file is not found.
std::array<uint64_t, 2> file_of(const std::string& proc, const MappingEvent& event);

class MappingEvents {
public:
    MappingEvents();
    ~MappingEvents();

    /// Starts collecting the events of all processes. Returns false if the kernel does not support them.
    bool open();

    void close();

    /// Returns a descriptor that is readable if a buffer is half full; -1 if the events are not open.
    int descriptor() const;

    /// Calls `visit` for all events since the last call, ordered by time. A Lost event means that events before its
    /// time are missing. `visit` must not call take(), because events are not copied from the buffers.
    void take(const std::function<void(const MappingEvent&)>& visit);

private:
    class Ring;
    void open_rings();
    void follow_threads(const perf_event_header& header, std::optional<MappingEvent>& event);

    /// Known threads of a process with several threads.
    struct Threads {
        int others = 0; ///< number of threads except the first one
        bool has_no_leader = false;
    };
    /// threads of processes with several threads; the key is the process id
    std::unordered_map<pid_t, Threads> threads_;

    struct Close {
        void operator()(perf_buffer* buffer) const;
    };
    int map_ = -1;
    std::unique_ptr<perf_buffer, Close> buffer_;
    std::vector<Ring> rings_; ///< ring buffers, one per CPU
};

} // namespace dt

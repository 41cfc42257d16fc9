// What processes map, as it happens: fork, exec, each file that is mapped to be executed, and the end.
//
// /proc/PID/maps says what a process is now. A sample is of a moment before, and its process may have become another
// program since, or be gone. The kernel tells of each change with its time (perf_event_open(2): mmap2, comm_exec, task,
// build_id; Linux 5.12).
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
        Exit,       ///< of the process
        LeaderExit, ///< of its first thread, while others live; of a process that was there before the events began
                    ///< that is told as its exit
        Lost,
    };
    Kind kind = Kind::Lost;
    uint64_t time = 0; ///< CLOCK_MONOTONIC ns
    pid_t pid = 0, parent = 0;
    // Map:
    uint64_t start = 0, end = 0, offset = 0;
    uint64_t inode = 0;   ///< 0: the build id says which file it is
    std::string build_id; ///< bytes
    std::string path;     ///< as the process knows it
};

/// Device and inode of the file that was mapped, by its name where the process sees it; when that has ended, where this
/// one does. Zeros: nobody knows.
std::array<uint64_t, 2> file_of(const std::string& proc, const MappingEvent& event);

class MappingEvents {
public:
    MappingEvents();
    ~MappingEvents();

    /// From now on events are gathered, of all processes. False when the kernel does not tell of them.
    bool open();

    void close();

    /// Becomes readable when a buffer is half full. -1: it is not open.
    int descriptor() const;

    /// What has happened since the last call, in the order of time. Lost: events before its time are missing. Events
    /// are read where the kernel wrote them, one after the other: thousands may wait. What `visit` calls may not take
    /// any.
    void take(const std::function<void(const MappingEvent&)>& visit);

private:
    class Ring;
    void open_rings();
    void follow_threads(const perf_event_header& header, std::optional<MappingEvent>& event);

    /// The threads of a process, as far as they were seen to begin.
    struct Threads {
        int others = 0; ///< but for the first one
        bool has_lost_leader = false;
    };
    std::unordered_map<pid_t, Threads> threads_; ///< of processes that have others

    struct Close {
        void operator()(perf_buffer* buffer) const;
    };
    int map_ = -1;
    std::unique_ptr<perf_buffer, Close> buffer_;
    std::vector<Ring> rings_; ///< of the buffer's CPUs
};

} // namespace dt

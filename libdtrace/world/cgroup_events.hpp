// Kernel notifications about created and removed control groups.
//
// fanotify(7) reports events of a whole file system, and a removed folder's id and name, so even short-lived groups are
// seen. It does so for cgroup2 since Linux 6.6 and requires CAP_SYS_ADMIN. Otherwise inotify(7) watches folders one by
// one. It reports only the name of a created folder; if the folder is removed before its id is looked up, the id is
// lost.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace dt {

struct CgroupEvent {
    enum class What : uint8_t {
        Made,    ///< group `name` created in `parent`; the event has no id
        Removed, ///< group `id` removed; fanotify also reports parent and name
        Lost,    ///< too many events: the kernel dropped some
    } what;
    uint64_t parent = 0;
    std::string name{};
    uint64_t id = 0;
};

class CgroupEvents {
public:
    CgroupEvents() = default;
    ~CgroupEvents();
    CgroupEvents(const CgroupEvents&) = delete;
    CgroupEvents& operator=(const CgroupEvents&) = delete;

    /// Starts the notifications. `mount` is the root folder of a cgroup2 file system; other folders (as in tests) use
    /// inotify. Returns false if neither source is available.
    bool open(const std::string& mount);

    /// Watches the folder `id` at this path. Call it for each folder before reading the folder's content.
    void watch(const std::string& path, uint64_t id);

    /// Returns the events since the last call, oldest first. Does not block.
    std::vector<CgroupEvent> read();

    /// Returns whether events of folders that watch() adds too late are reported as well.
    bool tells_all() const { return is_whole_; }

    /// Returns a descriptor that is readable when events are pending, or -1 if there is no event source. Unless
    /// tells_all(), call read() at once, before folders are removed.
    int descriptor() const { return descriptor_; }

private:
    void take_fanotify(const char* bytes, std::size_t size, std::vector<CgroupEvent>& into) const;
    void take_inotify(const char* bytes, std::size_t size, std::vector<CgroupEvent>& into);

    int descriptor_ = -1;
    bool is_whole_ = false;                     ///< the source is fanotify
    std::unordered_map<int, uint64_t> watched_; ///< inotify: folder by watch descriptor
};

} // namespace dt

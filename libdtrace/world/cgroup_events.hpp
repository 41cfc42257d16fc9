// What the kernel tells of control groups that are made and removed.
//
// fanotify(7) tells of a whole file system, and of a removed folder its number and name: whatever came and went in
// between is known. It does so for cgroup2 from Linux 6.6 on, to those who may (CAP_SYS_ADMIN). Elsewhere inotify(7)
// tells of folders one by one, of a made one only its name: who asks too late for its number finds nothing.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace dt {

struct CgroupEvent {
    enum class What : uint8_t {
        Made,    ///< in `parent`, called `name`; its number is not told
        Removed, ///< `id`; where fanotify tells it, with parent and name
        Lost,    ///< some of these: there were too many
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

    /// From now on things are told. `mount`: the folder that is the root of a cgroup2 file system; below any other
    /// folder (a test's) inotify tells. False: nobody tells.
    bool open(const std::string& mount);

    /// The folder `id` is there at this path: to be called for each, before one looks what is in it.
    void watch(const std::string& path, uint64_t id);

    /// What was told since the last call, in its order. Does not wait.
    std::vector<CgroupEvent> read();

    /// Is nothing missed in folders that watch() comes to late?
    bool tells_all() const { return is_whole_; }

    /// Readable when something is told; -1: nobody tells. Unless tells_all(), it is to be read at once, before folders
    /// go.
    int descriptor() const { return descriptor_; }

private:
    void take_fanotify(const char* bytes, std::size_t size, std::vector<CgroupEvent>& into) const;
    void take_inotify(const char* bytes, std::size_t size, std::vector<CgroupEvent>& into);

    int descriptor_ = -1;
    bool is_whole_ = false;                     ///< fanotify
    std::unordered_map<int, uint64_t> watched_; ///< inotify: folder by watch
};

} // namespace dt

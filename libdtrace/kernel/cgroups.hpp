// Registry of control groups: maps the ids recorded by BPF programs to names, even for groups that were removed. Kernel
// notifications keep the registry up to date.
//
// A group is a folder of a cgroup2 file system, and its id is the folder's inode. The folder of a service or container
// may be removed before its records are printed. So the registry tracks all groups from open() on. The first name
// returned for a group stays valid for all later calls.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/kernel/container_state.hpp"

// Kernel notifications about created and removed control groups.
//
// fanotify(7) reports events of a whole file system, and a removed folder's id and name, so even short-lived groups are
// seen. fanotify works with cgroup2 since Linux 6.6 and requires CAP_SYS_ADMIN. Without fanotify, inotify(7) watches
// each folder. inotify reports only the name of a created folder; if the folder is removed before its id is looked up,
// the id is lost.

namespace dt {

struct CgroupEvent {
    enum class What : uint8_t {
        Made,    ///< group `name` was created in `parent`; the event contains no id
        Removed, ///< group `id` was removed; fanotify also reports its parent and name
        Lost,    ///< the kernel dropped some events, because too many were pending
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

    /// Starts to collect the events of the groups below `mount`: by fanotify if it is the root folder of a cgroup2 file
    /// system, otherwise (as in tests) by inotify. Returns false if neither works.
    bool open(const std::string& mount);

    /// Watches the folder at `path`, whose inode number is `id`. Must be called before a folder's contents are read.
    void watch(const std::string& path, uint64_t id);

    /// Returns the events since the last call, oldest first. Does not block.
    std::vector<CgroupEvent> read();

    /// Returns whether events in a new folder are reported even if watch() was not called for this folder.
    bool reports_all() const { return is_whole_; }

    /// Returns a descriptor that is readable when events are pending, or -1 if there is no event source. If
    /// reports_all() is false, read() must be called as soon as the descriptor is readable, so that created folders are
    /// looked up before they are removed.
    int descriptor() const { return descriptor_; }

private:
    void take_fanotify(const char* bytes, std::size_t size, std::vector<CgroupEvent>& into) const;
    void take_inotify(const char* bytes, std::size_t size, std::vector<CgroupEvent>& into);

    int descriptor_ = -1;
    bool is_whole_ = false;                     ///< whether the source is fanotify, which reports all events
    std::unordered_map<int, uint64_t> watched_; ///< for each inotify watch, the inode number of the watched folder
};

/// Returns the mount point of cgroup2, or an empty string.
std::string cgroup_mount();

/// Returns the path of the group with this name below `mount`; if several groups have this name, the path of the one
/// nearest to the root. Returns an empty string if there is no such group.
std::string find_cgroup(const std::string& mount, const std::string& name);

class ControlGroups {
public:
    using Part = Datum::Part;

    /// Maximum number of groups in the registry after update(); the groups that were removed first are forgotten first.
    /// If more than twice as many groups exist at the same time, the excess groups have no names.
    static constexpr std::size_t kMax = 65'536;
    static constexpr uint64_t kBytesOfOne = 512; ///< estimated memory per group in bytes; most groups need less

    /// `mount` is the root folder of the groups; `state` provides names of containers; `most` is the maximum number of
    /// groups in the registry.
    explicit ControlGroups(std::string mount = cgroup_mount(), ContainerState state = ContainerState(),
                           std::size_t most = kMax);

    /// Scans all existing groups and subscribes to changes. If `named` is set, also looks up the names of containers
    /// and pods, before their runtime removes them. Costs one directory read per group. A second call can set `named`.
    void open(bool named);

    /// Updates the registry: adds groups that were created and marks groups that were removed since the last call.
    /// Called in each pass of the consumer.
    void update();
    /// Returns a descriptor that is readable when update() should be called now, or -1 if update() is never urgent. If
    /// container names are needed, update() is urgent, because runtimes remove their files when a container ends.
    int descriptor() const { return events_.reports_all() && !is_named_ ? -1 : events_.descriptor(); }

    /// Returns one of the names of a group, such as its path or its container: "" if the group has no such name,
    /// "<unknown>" if the group was never seen. The result is valid until update().
    std::string_view text(uint64_t id, Part part);

    bool is_anywhere() const { return !mount_.empty(); } ///< whether a cgroup2 hierarchy exists
    uint64_t unknown() const { return unknown_.size(); } ///< number of groups for which text() has returned "<unknown>"

private:
    struct Names {
        std::string unit, container_id, container, pod, pod_namespace;
    };
    struct Node {
        uint64_t parent = 0;
        std::string name;
        uint64_t seen = 0; ///< sequence number of the last scan that found the group
        bool is_gone = false;
        /// names of the group; read when they are first requested, or earlier if the runtime is about to remove its
        /// files
        std::unique_ptr<Names> names;
    };

    void scan(const std::string& path, uint64_t id);
    void scan_all();
    void add(uint64_t id, uint64_t parent, std::string name);
    void note_removed(uint64_t id);
    void forget_oldest();
    void take(const CgroupEvent& event);
    void take_events();
    std::string path_of(uint64_t id) const;
    Names& names_of(uint64_t id, Node& node);
    void keep_names(uint64_t id, Node& node);

    const std::string mount_;
    ContainerState state_;
    const std::size_t most_;
    CgroupEvents events_;
    bool is_open_ = false, is_named_ = false;
    uint64_t root_ = 0, scans_ = 0;
    std::unordered_map<uint64_t, Node> nodes_;
    std::deque<uint64_t> gone_; ///< removed groups, in the order of removal
    std::unordered_set<uint64_t> unknown_;
};

} // namespace dt

// Determines whether a program prints names of control groups or containers.

namespace dt::consume {

struct NamedCgroups {
    bool containers = false; ///< whether the program also needs container and pod names from the container runtimes
};

/// Returns which names of control groups the program needs, or nothing if it prints no names of control groups.
std::optional<NamedCgroups> named_cgroups(const Schema& schema);

} // namespace dt::consume

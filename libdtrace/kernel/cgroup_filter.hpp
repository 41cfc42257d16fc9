// Control group of -x cgroup: probes fire only in its processes. When a service is restarted, or a container is created
// again, it has a new group at the old path. This class then switches to the new group.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace dt {

class CgroupFilter {
public:
    CgroupFilter() = default;
    ~CgroupFilter();
    CgroupFilter(const CgroupFilter&) = delete;
    CgroupFilter& operator=(const CgroupFilter&) = delete;

    /// Stores a descriptor of the group in the only element of a CGROUP_ARRAY map, which must outlive this object.
    /// `given` is one of three texts: a path that begins with "/"; a path below the cgroup2 mount point, without "/" at
    /// its start; or the name of a group at any path. The group of a systemd unit need not exist yet. The error message
    /// is complete; the caller adds no prefix.
    Result<void> open(int map, const std::string& given);

    /// Returns a descriptor that is readable when update() should be called immediately. Returns -1 if update() must be
    /// called periodically.
    int descriptor() const { return events_; }
    /// Looks for a new group at the path and makes probes fire in the new group's processes. Returns a message about a
    /// change, or an empty string.
    std::string update();

    /// Result of a search for a group below `mount`. If `may_be_missing` is set, it is no error that `path` does not
    /// exist yet.
    struct GroupPath {
        std::string path;
        bool may_be_missing = false;
    };
    static GroupPath find(const std::string& mount, const std::string& given);

private:
    Result<void> put(uint64_t id);
    void watch();

    int map_ = -1, events_ = -1;
    std::string path_;
    uint64_t id_ = 0;     ///< id of the group in the map; 0 if the map is empty
    uint64_t looked_ = 0; ///< time of the last update() (CLOCK_MONOTONIC ns)
};

} // namespace dt

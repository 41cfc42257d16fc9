// -x cgroup: the control group in whose processes probes fire, as programs ask for it. A service that starts again, and
// a container of the same name, has another group at the same path: that is followed.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace dt {

class TracedCgroup {
public:
    TracedCgroup() = default;
    ~TracedCgroup();
    TracedCgroup(const TracedCgroup&) = delete;
    TracedCgroup& operator=(const TracedCgroup&) = delete;

    /// Puts the group into the only element of a CGROUP_ARRAY map, which must outlive this. `given`: a path that begins
    /// with "/", or one below where cgroup2 is mounted, as /proc/PID/cgroup tells it but for its "/"; or the name of a
    /// group, wherever it is. A unit of systemd may yet be to come. The error is complete.
    Result<void> open(int map, const std::string& given);

    /// Readable when update() should be called at once; -1: it is to be called now and then.
    int descriptor() const { return events_; }
    /// Follows the group. Not empty: what is to be told of it.
    std::string update();

    /// Looked for below `mount`: the path of the group, and whether it may be missing.
    struct Place {
        std::string path;
        bool may_be_missing = false;
    };
    static Place find(const std::string& mount, const std::string& given);

private:
    Result<void> put(uint64_t id);
    void watch();

    int map_ = -1, events_ = -1;
    std::string path_;
    uint64_t id_ = 0;     ///< of the group in the map; 0: there is none
    uint64_t looked_ = 0; ///< CLOCK_MONOTONIC ns, at the last update()
};

} // namespace dt

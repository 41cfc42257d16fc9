// Parser of control group paths. systemd, container runtimes and Kubernetes name the folders after the units,
// containers and pods that run in them.
#pragma once

#include <string>
#include <string_view>

namespace dt {

/// Parts of a control group's path. If parts of one kind are nested, the innermost counts; empty parts are not in the
/// path.
struct CgroupPath {
    std::string unit;         ///< systemd unit of a kind that has processes: "sshd.service", "session-3.scope"
    std::string container_id; ///< 64 hexadecimal digits
    std::string machine;      ///< name of a container without an id (systemd-nspawn, LXC, machined)
    std::string pod_uid;      ///< uid with dashes, as Kubernetes prints it
};

/// Parses a `path` in the form of /proc/PID/cgroup: "/system.slice/sshd.service".
CgroupPath read_cgroup_path(std::string_view path);

} // namespace dt

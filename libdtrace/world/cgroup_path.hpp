// What the path of a control group tells of who is in it: systemd, container runtimes and Kubernetes name folders after
// what they run.
#pragma once

#include <string>
#include <string_view>

namespace dt {

/// Of several of a kind, one in the other, the innermost. Empty: there is none.
struct CgroupPath {
    std::string unit;         ///< of systemd, of a kind that has processes: "sshd.service", "session-3.scope"
    std::string container_id; ///< 64 hexadecimal digits
    std::string machine;      ///< name of a container that has no such id: of systemd-nspawn, LXC, machined
    std::string pod_uid;      ///< as Kubernetes writes it, with dashes
};

/// `path` as /proc/PID/cgroup has it: "/system.slice/sshd.service".
CgroupPath read_cgroup_path(std::string_view path);

} // namespace dt

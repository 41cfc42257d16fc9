// Names of containers and pods, read from the state files of container runtimes. The id of a container is part of the
// path of its control group, which this file also parses.
//
// Runtimes are not queried: they may be busy, and their sockets require privileges. The files are untrusted: each is
// read up to a size limit, and a malformed file provides no names.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace dt {

struct ContainerNames {
    /// names of the container, the pod and the pod's namespace; a name is empty if it does not exist or is unknown
    std::string container, pod, pod_namespace;

    bool empty() const { return container.empty() && pod.empty(); }
};

class ContainerState {
public:
    /// Adds the prefix `root` to all paths (for tests).
    explicit ContainerState(std::string root = {}) : root_(std::move(root)) {}

    /// Returns the names for a container id and a pod uid, either of which may be empty. Costs a few file lookups and
    /// one or two reads.
    ContainerNames names(std::string_view container_id, std::string_view pod_uid);

private:
    /// Cached list of all containers from one file.
    struct List {
        int64_t changed_ns = 0, size = -1;
        /// first name of each container; the key is the container's id
        std::map<std::string, std::string, std::less<>> names;
    };

    ContainerNames of_files(std::string_view id) const;
    std::string in_lists(std::string_view id);
    void add_pod(std::string_view uid, ContainerNames& names) const;
    std::string root_;
    std::map<std::string, List> lists_; ///< cached lists; the key is the path of the file
};

// Parser of control group paths. systemd, container runtimes and Kubernetes name the folders after the units,
// containers and pods that run in them.

/// Parts of a control group's path. If the path contains several parts of the same kind, the innermost part is
/// returned. Parts that the path does not contain are empty.
struct CgroupPath {
    std::string unit;         ///< systemd unit that contains the processes: "sshd.service", "session-3.scope"
    std::string container_id; ///< id of the container: 64 hexadecimal digits
    std::string machine;      ///< name of a container without an id (systemd-nspawn, LXC, machined)
    std::string pod_uid;      ///< uid of the pod with dashes, as Kubernetes prints it
};

/// Parses a `path` in the form of /proc/PID/cgroup: "/system.slice/sshd.service".
CgroupPath read_cgroup_path(std::string_view path);

} // namespace dt

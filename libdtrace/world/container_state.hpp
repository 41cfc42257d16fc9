// Names of containers and pods, from the files in which container runtimes keep what they know of their own.
//
// Nobody is asked: a runtime may be busy, and its socket is not for everybody. Files are foreign: each is read up to a
// bound, and one that is not what it should be has no names.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace dt {

struct ContainerNames {
    std::string container, pod, pod_namespace; ///< empty: it has none, or none is known

    bool empty() const { return container.empty() && pod.empty(); }
};

class ContainerState {
public:
    /// `root`: what paths begin with; a test's own tree.
    explicit ContainerState(std::string root = {}) : root_(std::move(root)) {}

    /// The names of a container by its id, and those of the pod by its own. Either may be empty. Costs a few looks for
    /// files, and the reading of one or two.
    ContainerNames names(std::string_view container_id, std::string_view pod_uid);

private:
    /// A list of all containers, as it was read last.
    struct List {
        int64_t changed_ns = 0, size = -1;
        std::map<std::string, std::string, std::less<>> names; ///< by id
    };

    ContainerNames of_files(std::string_view id) const;
    std::string in_lists(std::string_view id);
    void add_pod(std::string_view uid, ContainerNames& names) const;
    std::string root_;
    std::map<std::string, List> lists_; ///< by path
};

} // namespace dt

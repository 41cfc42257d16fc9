// Locates and parses the state files of each runtime.
//
// Docker (since 1.10): config.v2.json of the container. containerd, CRI-O and other OCI runtimes: config.json of the
// bundle, with annotations. Podman: one list of all containers (containers/storage). Kubelet: one log folder per pod,
// NAMESPACE_NAME_UID, for every runtime.
#include "libdtrace/world/container_state.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace dt {
namespace {

using StateJson = nlohmann::json;

constexpr int64_t kMostStateFile = 16 << 20;   // bytes
constexpr int kDeepestState = 32;              // maximum nesting depth of JSON objects
constexpr std::size_t kLongestStateName = 253; // limit of Kubernetes for names
constexpr int kMostFolders = 4096;             // limit of folders searched for one pod

/// Annotation keys of container names: containerd and CRI-O for Kubernetes, and nerdctl.
constexpr const char* kContainerKeys[] = {"io.kubernetes.cri.container-name", "io.kubernetes.container.name",
                                          "nerdctl/name"};
constexpr const char* kPodKeys[] = {"io.kubernetes.cri.sandbox-name", "io.kubernetes.pod.name"};
constexpr const char* kNamespaceKeys[] = {"io.kubernetes.cri.sandbox-namespace", "io.kubernetes.pod.namespace"};

constexpr const char* kDockerFolder = "/var/lib/docker/containers";
constexpr const char* kTaskFolder = "/run/containerd/io.containerd.runtime.v2.task"; // contains one folder per
                                                                                     // namespace
constexpr const char* kStorageFolders[] = {"/run/containers/storage", "/var/lib/containers/storage"};
constexpr const char* kStorageDrivers[] = {"overlay", "vfs", "btrfs", "zfs"};
constexpr const char* kPodLogs = "/var/log/pods";

/// Reads a regular file up to a size limit. Does not block on a pipe without a writer.
std::optional<std::string> read_state(const std::string& path)
{
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return std::nullopt;
    struct stat status {};
    std::string text;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= kMostStateFile) {
        text.resize(static_cast<std::size_t>(status.st_size));
        const ssize_t got = read(file, text.data(), text.size());
        text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }
    close(file);
    return text;
}

/// Returns the parsed file, or null if it is missing or not valid.
StateJson state_json(const std::string& path)
{
    const std::optional<std::string> text = read_state(path);
    if (!text)
        return nullptr;
    const auto is_shallow = [](int depth, StateJson::parse_event_t, StateJson&) { return depth < kDeepestState; };
    StateJson json = StateJson::parse(*text, is_shallow, false);
    return json.is_discarded() ? StateJson(nullptr) : json;
}

/// Returns a string member, or an empty string.
std::string text_at(const StateJson& object, const char* key)
{
    if (!object.is_object())
        return {};
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>().substr(0, kLongestStateName)
                                                       : std::string();
}

template <std::size_t Count> std::string first_text(const StateJson& object, const char* const (&keys)[Count])
{
    for (const char* key : keys)
        if (std::string text = text_at(object, key); !text.empty())
            return text;
    return {};
}

ContainerNames annotated(const StateJson& annotations)
{
    return {first_text(annotations, kContainerKeys), first_text(annotations, kPodKeys),
            first_text(annotations, kNamespaceKeys)};
}

const StateJson& member(const StateJson& object, const char* key)
{
    static const StateJson kNone;
    if (!object.is_object())
        return kNone;
    const auto found = object.find(key);
    return found == object.end() ? kNone : *found;
}

/// Returns names from Docker's configuration. Containers started by Kubernetes have their pod's name in labels.
ContainerNames of_docker(const StateJson& config)
{
    ContainerNames names = annotated(member(member(config, "Config"), "Labels"));
    const std::string name = text_at(config, "Name");
    if (names.container.empty())
        names.container = name.starts_with('/') ? name.substr(1) : name;
    return names;
}

/// Returns names of subfolders, up to a limit.
std::vector<std::string> folders_in(const std::string& path)
{
    std::vector<std::string> names;
    std::error_code error;
    std::filesystem::directory_iterator at(path, error), end;
    for (; !error && at != end && names.size() < kMostFolders; at.increment(error))
        names.push_back(at->path().filename());
    return names;
}

/// Maps container ids to first names from a list of containers.
std::map<std::string, std::string, std::less<>> listed(const StateJson& list)
{
    std::map<std::string, std::string, std::less<>> names;
    if (!list.is_array())
        return names;
    for (const StateJson& each : list) {
        const StateJson& of_one = member(each, "names");
        if (of_one.is_array() && !of_one.empty() && of_one[0].is_string())
            names.emplace(text_at(each, "id"), of_one[0].get<std::string>().substr(0, kLongestStateName));
    }
    return names;
}

} // namespace

ContainerNames ContainerState::names(std::string_view container_id, std::string_view pod_uid)
{
    ContainerNames names;
    if (!container_id.empty())
        names = of_files(container_id);
    if (names.container.empty() && !container_id.empty())
        names.container = in_lists(container_id);
    if (names.pod.empty() && !pod_uid.empty())
        add_pod(pod_uid, names);
    return names;
}

ContainerNames ContainerState::of_files(std::string_view id) const
{
    const std::string folder = "/" + std::string(id);
    if (const StateJson config = state_json(root_ + kDockerFolder + folder + "/config.v2.json"); config.is_object())
        return of_docker(config);
    const auto of_bundle = [](const std::string& path) {
        return annotated(member(state_json(path + "/config.json"), "annotations"));
    };
    for (const std::string& space : folders_in(root_ + kTaskFolder))
        if (ContainerNames names = of_bundle(root_ + kTaskFolder + "/" + space + folder); !names.empty())
            return names;
    for (const char* storage : kStorageFolders)
        for (const char* driver : kStorageDrivers)
            if (ContainerNames names = of_bundle(root_ + storage + "/" + driver + "-containers" + folder + "/userdata");
                !names.empty())
                return names;
    return {};
}

/// Looks up a container in Podman's lists. Rereads lists that have changed.
std::string ContainerState::in_lists(std::string_view id)
{
    for (const char* storage : kStorageFolders)
        for (const char* driver : kStorageDrivers) {
            const std::string path = root_ + storage + "/" + driver + "-containers/containers.json";
            struct stat status {};
            if (stat(path.c_str(), &status) != 0)
                continue;
            List& list = lists_[path];
            const int64_t changed = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec;
            if (list.changed_ns != changed || list.size != status.st_size)
                list = {changed, status.st_size, listed(state_json(path))};
            if (const auto found = list.names.find(id); found != list.names.end())
                return found->second;
        }
    return {};
}

/// Finds the pod's name in a log folder such as "kube-system_coredns-7c5d_UID".
void ContainerState::add_pod(std::string_view uid, ContainerNames& names) const
{
    const std::string end = "_" + std::string(uid);
    for (const std::string& folder : folders_in(root_ + kPodLogs)) {
        const std::size_t behind_space = folder.find('_');
        if (!folder.ends_with(end) || behind_space + end.size() >= folder.size())
            continue;
        names.pod_namespace = folder.substr(0, behind_space);
        names.pod = folder.substr(behind_space + 1, folder.size() - end.size() - behind_space - 1);
        return;
    }
}

} // namespace dt

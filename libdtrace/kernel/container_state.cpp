// Parses control group paths, and locates and parses the state files of each runtime.
//
// Docker (since 1.10) has a config.v2.json per container. containerd, CRI-O and other OCI runtimes have a config.json
// in the bundle, with annotations. Podman has one list of all containers (containers/storage). Kubelet has one log
// folder per pod, NAMESPACE_NAME_UID, for every runtime.
#include "libdtrace/kernel/container_state.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace dt {
namespace {

using StateJson = nlohmann::json;

constexpr int64_t kMaxStateFile = 16 << 20;    // maximum size of a state file in bytes
constexpr int kDeepestState = 32;              // maximum nesting depth of JSON objects
constexpr std::size_t kLongestStateName = 253; // maximum length of a name in Kubernetes
constexpr int kMaxFolders = 4096;              // maximum number of folders that are searched to find a pod

/// Keys of the annotations that contain a container's name: of containerd and CRI-O in Kubernetes, and of nerdctl.
constexpr const char* kContainerKeys[] = {"io.kubernetes.cri.container-name", "io.kubernetes.container.name",
                                          "nerdctl/name"};
constexpr const char* kPodKeys[] = {"io.kubernetes.cri.sandbox-name", "io.kubernetes.pod.name"};
constexpr const char* kNamespaceKeys[] = {"io.kubernetes.cri.sandbox-namespace", "io.kubernetes.pod.namespace"};

constexpr const char* kDockerFolder = "/var/lib/docker/containers";
// Folder of containerd. It contains a folder for each of containerd's namespaces.
constexpr const char* kTaskFolder = "/run/containerd/io.containerd.runtime.v2.task";
constexpr const char* kStorageFolders[] = {"/run/containers/storage", "/var/lib/containers/storage"};
constexpr const char* kStorageDrivers[] = {"overlay", "vfs", "btrfs", "zfs"};
constexpr const char* kPodLogs = "/var/log/pods";

/// Reads a regular file up to a size limit. Does not block if the path names a pipe that has no writer.
std::optional<std::string> read_state(const std::string& path)
{
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return std::nullopt;
    struct stat status {};
    std::string text;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= kMaxStateFile) {
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

/// Returns the string member of a JSON object with this name; empty if there is none.
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

/// Returns the names of a container in Docker's configuration file. For containers started by Kubernetes, the labels
/// contain the pod's name.
ContainerNames of_docker(const StateJson& config)
{
    ContainerNames names = annotated(member(member(config, "Config"), "Labels"));
    const std::string name = text_at(config, "Name");
    if (names.container.empty())
        names.container = name.starts_with('/') ? name.substr(1) : name;
    return names;
}

/// Returns the names of the subfolders, at most kMaxFolders.
std::vector<std::string> folders_in(const std::string& path)
{
    std::vector<std::string> names;
    std::error_code error;
    std::filesystem::directory_iterator at(path, error), end;
    for (; !error && at != end && names.size() < kMaxFolders; at.increment(error))
        names.push_back(at->path().filename());
    return names;
}

/// Reads a list of containers. Returns the first name of each container; the key is the container's id.
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

/// Looks up a container in Podman's lists. Reads a list again if its file has changed.
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

/// Extracts the pod's name from the name of its log folder, such as "kube-system_coredns-7c5d_UID".
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

// Parses the folders of a control group's path from the root down. The manual page systemd.unit(5) defines how names
// are escaped. systemd adds a prefix "_" to folder names that could collide with a file of the kernel.

namespace {

constexpr std::size_t kIdDigits = 64;

constexpr std::string_view kUnitKinds[] = {".service", ".scope", ".socket", ".mount", ".swap"};

/// Prefix and suffix of folders for containers that have a name but no id.
struct MachineFolder {
    std::string_view before, behind;
    bool is_escaped; ///< whether the name in the folder is escaped by the rules for names of systemd units
};
constexpr MachineFolder kMachineFolders[] = {
    {"machine-", ".scope", true},          // container groups of systemd-machined and libvirt
    {"systemd-nspawn@", ".service", true}, // container groups of systemd-nspawn as a service
    {"lxc.payload.", "", false},           // container groups of LXC, LXD and Incus
};

bool is_hex_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

int hex_value(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/// Replaces escapes such as "\x2d" by their characters.
std::string unescaped(std::string_view text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_escape = text[i] == '\\' && i + 3 < text.size() && text[i + 1] == 'x' &&
                               is_hex_digit(text[i + 2]) && is_hex_digit(text[i + 3]);
        plain += is_escape ? static_cast<char>(hex_value(text[i + 2]) << 4 | hex_value(text[i + 3])) : text[i];
        i += is_escape ? 3 : 0;
    }
    return plain;
}

std::string_view without_end(std::string_view text, std::string_view end)
{
    return text.ends_with(end) ? text.substr(0, text.size() - end.size()) : text;
}

std::string_view unit_in(std::string_view folder)
{
    for (const std::string_view kind : kUnitKinds)
        if (folder.size() > kind.size() && folder.ends_with(kind))
            return folder.starts_with('_') ? folder.substr(1) : folder;
    return {};
}

/// Returns the id in "docker-ID.scope", "cri-containerd-ID.scope", "crio-ID.scope", "libpod-ID.scope",
/// "system.slice:docker:ID" or "ID". Monitor processes ("libpod-conmon-ID.scope") are not part of the container.
std::string_view container_in(std::string_view folder)
{
    const std::string_view name = without_end(folder, ".scope");
    if (name.size() < kIdDigits)
        return {};
    const std::string_view id = name.substr(name.size() - kIdDigits), before = name.substr(0, name.size() - kIdDigits);
    const bool stands_alone = before.empty() || before.back() == '-' || before.back() == ':';
    return stands_alone && !before.ends_with("conmon-") && std::all_of(id.begin(), id.end(), is_hex_digit)
               ? id
               : std::string_view();
}

/// Returns the container name in a folder's name, or an empty string. `above` is the name of the parent folder.
std::string machine_in(std::string_view folder, std::string_view above)
{
    for (const MachineFolder& each : kMachineFolders) {
        if (folder.size() <= each.before.size() + each.behind.size() || !folder.starts_with(each.before) ||
            !folder.ends_with(each.behind))
            continue;
        const std::string_view name = without_end(folder.substr(each.before.size()), each.behind);
        return each.is_escaped ? unescaped(name) : std::string(name);
    }
    return above == "lxc" ? std::string(folder) : std::string(); // LXC before version 4 used folders lxc/NAME
}

/// Returns the pod uid in "kubepods-burstable-pod12_34.slice", or in "pod12-34" below "kubepods".
std::string pod_in(std::string_view folder, bool is_below_pods)
{
    constexpr std::string_view kAll = "kubepods", kPod = "-pod";
    std::string_view uid;
    if (const std::size_t all = folder.find(kAll); all != std::string_view::npos) {
        const std::size_t pod = folder.rfind(kPod);
        if (pod != std::string_view::npos && pod > all)
            uid = folder.substr(pod + kPod.size());
        // the part after the uid is removed; for example, ":cri-containerd:ID" may follow
        uid = uid.substr(0, uid.find(".slice"));
    } else if (is_below_pods && folder.starts_with("pod")) {
        uid = folder.substr(3);
    }
    std::string text(uid);
    std::replace(text.begin(), text.end(), '_', '-');
    return text;
}

} // namespace

CgroupPath read_cgroup_path(std::string_view path)
{
    CgroupPath found;
    std::string_view above;
    bool is_below_pods = false;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        const std::string_view folder = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        if (folder.empty())
            continue;
        if (const std::string_view unit = unit_in(folder); !unit.empty())
            found.unit = unit;
        if (std::string pod = pod_in(folder, is_below_pods); !pod.empty())
            found.pod_uid = std::move(pod);
        if (const std::string_view id = container_in(folder); !id.empty()) {
            found.container_id = id;
            found.machine.clear();
        } else if (std::string machine = machine_in(folder, above); !machine.empty()) {
            found.machine = std::move(machine);
            found.container_id.clear();
        }
        is_below_pods |= folder == "kubepods";
        above = folder;
    }
    return found;
}

} // namespace dt

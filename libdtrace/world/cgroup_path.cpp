// Parses the folders of a control group's path from the root down. The manual page systemd.unit(5) defines how names
// are escaped. A prefix "_" marks folders of systemd whose name could collide with a file of the kernel.
#include "libdtrace/world/cgroup_path.hpp"

#include <algorithm>
#include <utility>

namespace dt {
namespace {

constexpr std::size_t kIdDigits = 64;

constexpr std::string_view kUnitKinds[] = {".service", ".scope", ".socket", ".mount", ".swap"};

/// Prefix and suffix of folders for containers that have a name and no id.
struct MachineFolder {
    std::string_view before, behind;
    bool is_escaped; ///< escaped like systemd unit names
};
constexpr MachineFolder kMachineFolders[] = {
    {"machine-", ".scope", true},          // systemd-machined, libvirt
    {"systemd-nspawn@", ".service", true}, // systemd-nspawn as a service
    {"lxc.payload.", "", false},           // LXC, LXD, Incus
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

/// Returns the container name in a folder, or an empty string. `above` is the parent folder.
std::string machine_in(std::string_view folder, std::string_view above)
{
    for (const MachineFolder& each : kMachineFolders) {
        if (folder.size() <= each.before.size() + each.behind.size() || !folder.starts_with(each.before) ||
            !folder.ends_with(each.behind))
            continue;
        const std::string_view name = without_end(folder.substr(each.before.size()), each.behind);
        return each.is_escaped ? unescaped(name) : std::string(name);
    }
    return above == "lxc" ? std::string(folder) : std::string(); // LXC before 4
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
        uid = uid.substr(0, uid.find(".slice")); // ":cri-containerd:ID" may follow
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

// Maintains the tree of current and removed control groups.
#include "libdtrace/world/cgroups.hpp"

#include <dirent.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "libdtrace/world/cgroup_path.hpp"

namespace dt {
namespace {

constexpr int kDeepestGroup = 64;
constexpr std::string_view kUnknownGroup = "<unknown>";

/// Returns the inode of a folder, or 0 if it does not exist.
uint64_t inode_of_folder(const std::string& path)
{
    struct stat status {};
    return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) ? status.st_ino : 0;
}

/// Returns names and inodes of the subfolders.
std::vector<std::pair<std::string, uint64_t>> folders_below(const std::string& path)
{
    std::vector<std::pair<std::string, uint64_t>> folders;
    DIR* const folder = opendir(path.c_str());
    if (!folder)
        return folders;
    while (const dirent* entry = readdir(folder)) {
        const std::string_view name = entry->d_name;
        if (entry->d_type == DT_DIR && name != "." && name != "..")
            folders.emplace_back(name, entry->d_ino);
    }
    closedir(folder);
    return folders;
}

} // namespace

/// Parses lines of proc_pid_mountinfo(5): "31 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw".
std::string cgroup_mount()
{
    std::ifstream mounts("/proc/self/mountinfo");
    for (std::string line; std::getline(mounts, line);) {
        if (line.find(" - cgroup2 ") == std::string::npos)
            continue;
        std::istringstream fields(line);
        std::string id, parent, device, root, place;
        fields >> id >> parent >> device >> root >> place;
        return place;
    }
    return {};
}

std::string find_cgroup(const std::string& mount, const std::string& name)
{
    for (std::vector<std::string> level{mount}; !level.empty();) {
        std::vector<std::string> below;
        for (const std::string& group : level)
            for (const auto& [inner, inode] : folders_below(group)) {
                if (inner == name)
                    return group + "/" + inner;
                below.push_back(group + "/" + inner);
            }
        level = std::move(below);
    }
    return {};
}

ControlGroups::ControlGroups(std::string mount, ContainerState state, std::size_t most)
    : mount_(std::move(mount)), state_(std::move(state)), most_(most)
{
}

void ControlGroups::open(bool named)
{
    const bool has_news = !is_open_ || (named && !is_named_);
    is_named_ |= named;
    if (mount_.empty() || !has_news)
        return;
    if (!std::exchange(is_open_, true))
        events_.open(mount_);
    scan_all();
}

/// Scans the whole tree. Groups that the scan does not find are marked as gone.
void ControlGroups::scan_all()
{
    ++scans_;
    root_ = inode_of_folder(mount_);
    if (root_ == 0)
        return;
    add(root_, 0, {});
    scan(mount_, root_);
    std::vector<uint64_t> gone;
    for (const auto& [id, node] : nodes_)
        if (!node.is_gone && node.seen != scans_)
            gone.push_back(id);
    for (const uint64_t id : gone)
        note_gone(id);
}

void ControlGroups::scan(const std::string& path, uint64_t id)
{
    std::vector<std::pair<std::string, uint64_t>> work{{path, id}};
    while (!work.empty()) {
        const auto [folder, parent] = std::move(work.back());
        work.pop_back();
        events_.watch(folder, parent);
        for (auto& [name, inode] : folders_below(folder)) {
            work.emplace_back(folder + "/" + name, inode);
            add(inode, parent, std::move(name));
        }
    }
}

void ControlGroups::add(uint64_t id, uint64_t parent, std::string name)
{
    const auto known = nodes_.find(id);
    if (known != nodes_.end() && !known->second.is_gone) {
        known->second.seen = scans_;
        return keep_names(id, known->second);
    }
    if (known == nodes_.end() && nodes_.size() >= 2 * most_)
        return;
    Node& node = nodes_[id];
    node = {parent, std::move(name), scans_, false, nullptr};
    keep_names(id, node);
}

void ControlGroups::forget_oldest()
{
    while (nodes_.size() > most_ && !gone_.empty()) {
        const auto oldest = nodes_.find(gone_.front());
        gone_.pop_front();
        if (oldest != nodes_.end() && oldest->second.is_gone)
            nodes_.erase(oldest);
    }
}

void ControlGroups::note_gone(uint64_t id)
{
    const auto found = nodes_.find(id);
    if (found == nodes_.end() || std::exchange(found->second.is_gone, true))
        return;
    gone_.push_back(id);
}

void ControlGroups::take(const CgroupEvent& event)
{
    switch (event.what) {
    case CgroupEvent::What::Lost:
        return scan_all();
    case CgroupEvent::What::Removed:
        if (!event.name.empty() && event.id != 0 && !nodes_.contains(event.id))
            add(event.id, event.parent, event.name); // the group may have been created and removed since the last
                                                     // update
        return note_gone(event.id);
    case CgroupEvent::What::Made:
        break;
    }
    if (!nodes_.contains(event.parent))
        return;
    const std::string path = mount_ + path_of(event.parent) + "/" + event.name;
    const uint64_t id = inode_of_folder(path);
    if (id == 0)
        return; // a separate event reports the removal
    add(id, event.parent, event.name);
    if (!events_.tells_all()) // the watch came too late for subfolders that already exist
        scan(path, id);
}

void ControlGroups::take_events()
{
    for (const CgroupEvent& event : events_.read())
        take(event);
}

void ControlGroups::update()
{
    take_events();
    forget_oldest();
}

/// Returns a path such as "/system.slice/sshd.service", or "" for the root. Ancestors that were forgotten are missing
/// from the path.
std::string ControlGroups::path_of(uint64_t id) const
{
    std::string path;
    for (int level = 0; id != root_ && level < kDeepestGroup; ++level) {
        const auto node = nodes_.find(id);
        if (node == nodes_.end())
            break;
        path.insert(0, "/" + node->second.name);
        id = node->second.parent;
    }
    return path;
}

ControlGroups::Names& ControlGroups::names_of(uint64_t id, Node& node)
{
    if (node.names)
        return *node.names;
    const CgroupPath path = read_cgroup_path(path_of(id));
    const ContainerNames named = is_named_ ? state_.names(path.container_id, path.pod_uid) : ContainerNames();
    node.names = std::make_unique<Names>(Names{path.unit, path.container_id,
                                               path.machine.empty() ? named.container : path.machine, named.pod,
                                               named.pod_namespace});
    return *node.names;
}

/// Saves container names early, because a runtime removes its files as soon as the container ends. Right after a
/// group's creation the files may not exist yet.
void ControlGroups::keep_names(uint64_t id, Node& node)
{
    if (!is_named_ || node.names)
        return;
    const CgroupPath path = read_cgroup_path(path_of(id));
    if (path.container_id.empty() && path.pod_uid.empty())
        return;
    if (const Names& names = names_of(id, node); names.container.empty() && names.pod.empty())
        node.names.reset();
}

std::string_view ControlGroups::text(uint64_t id, Part part)
{
    auto found = nodes_.find(id);
    if (found == nodes_.end()) {
        take_events();
        found = nodes_.find(id);
    }
    if (found == nodes_.end()) {
        if (unknown_.size() < most_)
            unknown_.insert(id);
        return kUnknownGroup;
    }
    const Names& names = names_of(id, found->second);
    switch (part) {
    case Part::Unit:
        return names.unit;
    case Part::ContainerId:
        return names.container_id;
    case Part::ContainerName:
        return names.container;
    case Part::PodName:
        return names.pod;
    case Part::PodNamespace:
        return names.pod_namespace;
    }
    return {};
}

} // namespace dt

// Maintains the tree of current and removed control groups, and reads the kernel's events about their creation and
// removal by fanotify or inotify.
#include "libdtrace/kernel/cgroups.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

namespace dt {
namespace {

constexpr int kDeepestGroup = 64;
constexpr std::string_view kUnknownGroup = "<unknown>";

/// Returns the inode number of a folder, or 0 if it does not exist.
uint64_t inode_of_folder(const std::string& path)
{
    struct stat status {};
    return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) ? status.st_ino : 0;
}

/// Returns the names and inode numbers of a folder's subfolders.
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

/// Scans all directories of the hierarchy. Known groups that the scan does not find are marked as removed.
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
        note_removed(id);
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

void ControlGroups::note_removed(uint64_t id)
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
            // the group is unknown if it was created and removed since the last update; it is added, because its
            // records may still be printed
            add(event.id, event.parent, event.name);
        return note_removed(event.id);
    case CgroupEvent::What::Made:
        break;
    }
    if (!nodes_.contains(event.parent))
        return;
    const std::string path = mount_ + path_of(event.parent) + "/" + event.name;
    const uint64_t id = inode_of_folder(path);
    if (id == 0)
        return; // the folder was removed already; another event reports the removal
    add(id, event.parent, event.name);
    if (!events_.reports_all()) // subfolders may have been created before inotify watched the new folder
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

/// Returns a path such as "/system.slice/sshd.service", or "" for the root. If an ancestor is no longer in the
/// registry, its name is missing from the path.
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

/// Reads container names early, because a runtime removes its files as soon as the container ends. Right after a
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

// Implements the two event sources, fanotify and inotify, and parses their records.

namespace {

constexpr std::size_t kEventsRead = 16 << 10; // size of the buffer for events, in bytes
// maximum number of reads per call; enough to read all the events that the kernel queues
constexpr int kMaxReads = 256;

/// Type of the file handles that kernfs uses (FILEID_KERNFS in include/linux/exportfs.h). The handle contains the inode
/// number, which is the id of the control group.
constexpr int kKernfsHandle = 0xfe;

#ifndef FAN_REPORT_TARGET_FID
#define FAN_REPORT_TARGET_FID 0x1000
#endif

/// Returns the inode number in a record's file handle and stores the name that follows it. Returns 0 if the handle
/// belongs to another file system.
uint64_t node_of(const fanotify_event_info_fid* info, std::string* name)
{
    file_handle handle{};
    const auto* at = reinterpret_cast<const char*>(info->handle);
    uint64_t id = 0;
    std::memcpy(&handle, at, sizeof handle);
    if (handle.handle_type != kKernfsHandle || handle.handle_bytes != sizeof id)
        return 0;
    at += offsetof(file_handle, f_handle);
    std::memcpy(&id, at, sizeof id);
    if (name) {
        const char* const end = reinterpret_cast<const char*>(info) + info->hdr.len;
        at += sizeof id;
        name->assign(at, strnlen(at, static_cast<std::size_t>(end - at)));
    }
    return id;
}

CgroupEvent event_of(const fanotify_event_metadata* event)
{
    if ((event->mask & FAN_Q_OVERFLOW) != 0)
        return {CgroupEvent::What::Lost};
    CgroupEvent found{(event->mask & FAN_DELETE) != 0 ? CgroupEvent::What::Removed : CgroupEvent::What::Made};
    const auto* at = reinterpret_cast<const char*>(event) + event->metadata_len;
    const auto* const end = reinterpret_cast<const char*>(event) + event->event_len;
    while (at + sizeof(fanotify_event_info_fid) <= end) {
        const auto* info = reinterpret_cast<const fanotify_event_info_fid*>(at);
        if (info->hdr.len == 0)
            break;
        if (info->hdr.info_type == FAN_EVENT_INFO_TYPE_DFID_NAME)
            found.parent = node_of(info, &found.name);
        else if (info->hdr.info_type == FAN_EVENT_INFO_TYPE_FID)
            found.id = node_of(info, nullptr);
        at += info->hdr.len;
    }
    return found;
}

bool is_cgroup2(const std::string& path)
{
    struct statfs system {};
    return statfs(path.c_str(), &system) == 0 && system.f_type == CGROUP2_SUPER_MAGIC;
}

/// Returns a fanotify descriptor that reports events of the whole mount, or -1 if the kernel does not support this.
int open_fanotify(const std::string& mount)
{
    const int descriptor = fanotify_init(FAN_CLOEXEC | FAN_NONBLOCK | FAN_REPORT_FID | FAN_REPORT_DIR_FID |
                                             FAN_REPORT_NAME | FAN_REPORT_TARGET_FID,
                                         O_RDONLY);
    if (descriptor < 0)
        return -1;
    if (fanotify_mark(descriptor, FAN_MARK_ADD | FAN_MARK_FILESYSTEM, FAN_CREATE | FAN_DELETE | FAN_ONDIR, AT_FDCWD,
                      mount.c_str()) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

} // namespace

CgroupEvents::~CgroupEvents()
{
    if (descriptor_ >= 0)
        close(descriptor_);
}

bool CgroupEvents::open(const std::string& mount)
{
    descriptor_ = is_cgroup2(mount) ? open_fanotify(mount) : -1;
    is_whole_ = descriptor_ >= 0;
    if (!is_whole_)
        descriptor_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    return descriptor_ >= 0;
}

void CgroupEvents::watch(const std::string& path, uint64_t id)
{
    if (is_whole_ || descriptor_ < 0)
        return;
    const int watch = inotify_add_watch(descriptor_, path.c_str(), IN_CREATE | IN_ONLYDIR | IN_DONT_FOLLOW);
    if (watch >= 0)
        watched_[watch] = id;
}

std::vector<CgroupEvent> CgroupEvents::read()
{
    std::vector<CgroupEvent> events;
    alignas(fanotify_event_metadata) std::array<char, kEventsRead> room;
    for (int reads = 0; descriptor_ >= 0 && reads < kMaxReads; ++reads) {
        const ssize_t got = ::read(descriptor_, room.data(), room.size());
        if (got <= 0)
            break;
        if (is_whole_)
            take_fanotify(room.data(), static_cast<std::size_t>(got), events);
        else
            take_inotify(room.data(), static_cast<std::size_t>(got), events);
    }
    return events;
}

void CgroupEvents::take_fanotify(const char* bytes, std::size_t size, std::vector<CgroupEvent>& into) const
{
    const auto* event = reinterpret_cast<const fanotify_event_metadata*>(bytes);
    auto left = static_cast<long>(size);
    for (; FAN_EVENT_OK(event, left); event = FAN_EVENT_NEXT(event, left))
        into.push_back(event_of(event));
}

void CgroupEvents::take_inotify(const char* bytes, std::size_t size, std::vector<CgroupEvent>& into)
{
    for (std::size_t at = 0; at + sizeof(inotify_event) <= size;) {
        inotify_event event{};
        std::memcpy(&event, bytes + at, sizeof event);
        const char* name = bytes + at + sizeof event;
        at += sizeof event + event.len;
        if ((event.mask & IN_Q_OVERFLOW) != 0) {
            into.push_back({CgroupEvent::What::Lost});
            continue;
        }
        const auto watched = watched_.find(event.wd);
        if (watched == watched_.end())
            continue;
        if ((event.mask & IN_IGNORED) != 0) {
            into.push_back({CgroupEvent::What::Removed, 0, {}, watched->second});
            watched_.erase(watched);
        } else if ((event.mask & IN_ISDIR) != 0) {
            into.push_back({CgroupEvent::What::Made, watched->second, std::string(name, strnlen(name, event.len))});
        }
    }
}

} // namespace dt

// Determines whether a program needs the names of control groups. Only then are names read, because this is costly:
// they must be read before the groups disappear.

namespace dt::consume {
namespace {

void add_named(const std::vector<Datum>& data, std::optional<NamedCgroups>& to)
{
    for (const Datum& datum : data) {
        if (datum.kind != Datum::Kind::Cgroup)
            continue;
        if (!to)
            to.emplace();
        to->containers |= datum.part != Datum::Part::Unit && datum.part != Datum::Part::ContainerId;
    }
}

} // namespace

std::optional<NamedCgroups> named_cgroups(const Schema& schema)
{
    std::optional<NamedCgroups> named;
    for (const StatementSchema& statement : schema.statements)
        for (const Record& record : statement.records)
            add_named(record.data, named);
    for (const AggregationSchema& aggregation : schema.aggregations)
        add_named(aggregation.keys, named);
    return named;
}

} // namespace dt::consume

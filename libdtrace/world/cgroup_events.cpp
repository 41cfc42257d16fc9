// Implements both event sources, fanotify and inotify, and parses their records.
#include "libdtrace/world/cgroup_events.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>

namespace dt {
namespace {

constexpr std::size_t kEventsRead = 16 << 10; // bytes
constexpr int kMostReads = 256;               // reads per call; more than the kernel queues

/// File handle type of kernfs (FILEID_KERNFS in include/linux/exportfs.h). The handle holds the node's number, which is
/// the id of the control group.
constexpr int kKernfsHandle = 0xfe;

#ifndef FAN_REPORT_TARGET_FID
#define FAN_REPORT_TARGET_FID 0x1000
#endif

/// Returns the node number in a record's file handle and stores the name that follows it. Returns 0 if the handle
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
    CgroupEvent told{(event->mask & FAN_DELETE) != 0 ? CgroupEvent::What::Removed : CgroupEvent::What::Made};
    const auto* at = reinterpret_cast<const char*>(event) + event->metadata_len;
    const auto* const end = reinterpret_cast<const char*>(event) + event->event_len;
    while (at + sizeof(fanotify_event_info_fid) <= end) {
        const auto* info = reinterpret_cast<const fanotify_event_info_fid*>(at);
        if (info->hdr.len == 0)
            break;
        if (info->hdr.info_type == FAN_EVENT_INFO_TYPE_DFID_NAME)
            told.parent = node_of(info, &told.name);
        else if (info->hdr.info_type == FAN_EVENT_INFO_TYPE_FID)
            told.id = node_of(info, nullptr);
        at += info->hdr.len;
    }
    return told;
}

bool is_cgroup2(const std::string& path)
{
    struct statfs system {};
    return statfs(path.c_str(), &system) == 0 && system.f_type == CGROUP2_SUPER_MAGIC;
}

/// Returns a fanotify descriptor that reports the mount, or -1 if the kernel does not support that.
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
    std::vector<CgroupEvent> told;
    alignas(fanotify_event_metadata) std::array<char, kEventsRead> room;
    for (int reads = 0; descriptor_ >= 0 && reads < kMostReads; ++reads) {
        const ssize_t got = ::read(descriptor_, room.data(), room.size());
        if (got <= 0)
            break;
        if (is_whole_)
            take_fanotify(room.data(), static_cast<std::size_t>(got), told);
        else
            take_inotify(room.data(), static_cast<std::size_t>(got), told);
    }
    return told;
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

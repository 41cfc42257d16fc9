// Implements -x cgroup. A control group is a directory of a cgroup2 file system. The kernel identifies it by a
// descriptor of the directory. The id of the group is the inode number of the directory. So if the directory is removed
// and created again, it is another group.
#include "libdtrace/kernel/cgroup_filter.hpp"

#include <bpf/bpf.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <utility>

#include "base/time.hpp"
#include "libdtrace/kernel/cgroups.hpp"

namespace dt {
namespace {

/// Default parent group of systemd services.
constexpr const char* kServices = "/system.slice/";

/// Returns the id of the group whose directory is at `path`, or 0 if the directory does not exist.
uint64_t id_of(const std::string& path)
{
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) ? status.st_ino : 0;
}

bool has_processes(const std::string& group)
{
    std::ifstream processes(group + "/cgroup.procs");
    return processes.peek() != std::ifstream::traits_type::eof();
}

} // namespace

CgroupFilter::~CgroupFilter()
{
    if (events_ >= 0)
        close(events_);
}

CgroupFilter::GroupPath CgroupFilter::find(const std::string& mount, const std::string& given)
{
    if (given.starts_with('/'))
        return {given};
    std::string path = mount + "/" + given;
    if (id_of(path) != 0 || given.find('/') != std::string::npos)
        return {std::move(path)};
    if (std::string found = find_cgroup(mount, given); !found.empty())
        return {std::move(found)};
    return given.ends_with(".service") ? GroupPath{mount + kServices + given, true} : GroupPath{std::move(path)};
}

Result<void> CgroupFilter::open(int map, const std::string& given)
{
    map_ = map;
    GroupPath place = find(cgroup_mount(), given);
    path_ = std::move(place.path);
    watch(); // The watch begins before the search for the group, so that a group that is created in between is noticed.
    looked_ = now_monotonic();
    const uint64_t id = id_of(path_);
    return id == 0 && place.may_be_missing ? Result<void>() : put(id);
}

/// Starts to watch the parent directory of the group by inotify. If that fails, update() finds a new group later.
void CgroupFilter::watch()
{
    events_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    const std::string parent = path_.substr(0, path_.rfind('/'));
    if (events_ >= 0)
        inotify_add_watch(events_, parent.c_str(), IN_CREATE | IN_ONLYDIR);
}

Result<void> CgroupFilter::put(uint64_t id)
{
    const int group = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (group < 0)
        return Error{"cannot trace control group " + path_ + ": " + std::strerror(errno), errno};
    const uint32_t first = 0;
    const auto value = static_cast<uint32_t>(group);
    const int failed = bpf_map_update_elem(map_, &first, &value, BPF_ANY) == 0 ? 0 : errno;
    close(group); // the group's descriptor can be closed, because the map holds a reference to the group
    if (failed == EBADF || failed == EINVAL)
        return Error{"cannot trace " + path_ +
                         ": it is not a control group of cgroup2 (findmnt -t cgroup2 shows where cgroup2 is mounted)",
                     failed};
    if (failed != 0)
        return Error{"cannot trace control group " + path_ + ": " + std::strerror(failed), failed};
    id_ = id;
    return {};
}

/// Looks for the group again. No firing is missed between the creation of the group and this search, because a
/// service's processes are moved into the group before they start.
std::string CgroupFilter::update()
{
    std::array<char, 4096> events;
    while (events_ >= 0 && read(events_, events.data(), events.size()) > 0)
        continue;
    const uint64_t before = std::exchange(looked_, now_monotonic());
    const uint64_t id = id_of(path_);
    if (id == id_ || id == 0)
        return {};
    if (const Result<void> followed = put(id); !followed)
        return followed.error().message;
    if (!has_processes(path_))
        return {};
    return "control group " + path_ + " was created again: up to " +
           std::to_string((looked_ - before) / kMillisecond + 1) + " ms of its activity were not traced";
}

} // namespace dt

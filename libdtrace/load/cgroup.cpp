// A control group is a directory of a cgroup2 file system, and means itself by an open descriptor.
#include "libdtrace/load/cgroup.hpp"

#include <bpf/bpf.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "libdtrace/world/cgroups.hpp"

namespace dt {

Result<void> put_cgroup(int map, const std::string& path)
{
    const std::string directory = path.starts_with('/') ? path : cgroup_mount() + "/" + path;
    const int group = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (group < 0)
        return Error{"cannot trace control group " + directory + ": " + std::strerror(errno), errno};
    const uint32_t first = 0;
    const auto value = static_cast<uint32_t>(group);
    const int failed = bpf_map_update_elem(map, &first, &value, BPF_ANY) == 0 ? 0 : errno;
    close(group); // the map has it
    if (failed == EBADF || failed == EINVAL)
        return Error{"cannot trace " + directory +
                         ": it is no control group of cgroup2 (findmnt -t cgroup2 tells where these are)",
                     failed};
    if (failed != 0)
        return Error{"cannot trace control group " + directory + ": " + std::strerror(failed), failed};
    return {};
}

} // namespace dt

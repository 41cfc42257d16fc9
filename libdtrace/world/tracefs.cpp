// Locates tracefs. It is not mounted at its usual place, because that change would be visible to others and outlast
// this process.
#include "libdtrace/world/tracefs.hpp"

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

namespace dt {
namespace {

int open_mounted()
{
    for (const char* directory : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
        const int root = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (root >= 0 && faccessat(root, "available_events", R_OK, 0) == 0)
            return root;
        if (root >= 0)
            close(root);
    }
    return -1;
}

int mount_privately()
{
    const int context = fsopen("tracefs", FSOPEN_CLOEXEC);
    if (context < 0)
        return -1;
    const bool created = fsconfig(context, FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) == 0;
    const int root = created ? fsmount(context, FSMOUNT_CLOEXEC, 0) : -1;
    close(context);
    return root;
}

} // namespace

Tracefs::Tracefs() : root_(open_mounted())
{
    if (root_ < 0)
        root_ = mount_privately();
}

Tracefs::~Tracefs()
{
    if (root_ >= 0)
        close(root_);
}

std::string Tracefs::read(const std::string& path) const
{
    std::string text;
    const int file = root_ >= 0 ? openat(root_, path.c_str(), O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return text;
    char block[16384];
    for (ssize_t got; (got = ::read(file, block, sizeof block)) > 0;)
        text.append(block, static_cast<std::size_t>(got));
    close(file);
    return text;
}

} // namespace dt

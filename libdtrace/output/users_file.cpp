#include "libdtrace/output/users_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/linkage.hpp"

namespace dt::output {
namespace {

constexpr int kForUser = O_WRONLY | O_APPEND | O_CLOEXEC;

} // namespace

Result<uid_t> number_of_user(const std::string& name)
{
    const std::optional<uid_t> user = find_user(name);
    if (!user)
        return Error{"option user: there is no user " + name, ENOENT};
    return *user;
}

int make_users_file(const std::string& path, uid_t user)
{
    constexpr mode_t kMode = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP;
    const int file = ::open(path.c_str(), kForUser | O_CREAT | O_EXCL, kMode);
    if (file < 0)
        return file;
    // The mode is set first, regardless of the umask, because only the owner may change it afterwards.
    if (::fchmod(file, kMode) == 0 && ::fchown(file, user, ::getegid()) == 0)
        return file;
    const int code = errno;
    ::unlink(path.c_str());
    ::close(file);
    errno = code;
    return -1;
}

int open_users_file(const std::string& path, uid_t user, int flags)
{
    const int made = make_users_file(path, user);
    if (made >= 0 || errno != EEXIST)
        return made;
    return ::open(path.c_str(), kForUser | O_NOFOLLOW | flags);
}

} // namespace dt::output

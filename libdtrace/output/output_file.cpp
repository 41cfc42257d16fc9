// Atomic replacement of the output file: other processes can read it at any time and find either the old or the new
// content, complete.
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdtrace/output/output.hpp"
#include "libdtrace/output/users_file.hpp"

namespace dt {
namespace {

int write_whole(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR)
            return errno;
        bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return 0;
}

} // namespace

/// Returns whether replace() can replace the output: not a terminal, a pipe or the target of freopen().
bool Output::is_replaceable() const
{
    struct stat status {};
    return owned_ && saved_ < 0 && !socket_ && ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
}

/// Writes `path` and renames it to the name of the output file. The new file has the mode of the old one, or belongs to
/// the user of make_files_for(). Returns its descriptor.
Result<int> Output::write_beside(const std::string& path, std::string_view whole) const
{
    struct stat status {};
    const mode_t mode = ::fstat(descriptor_, &status) == 0 ? status.st_mode & 0777 : 0644;
    ::unlink(path.c_str()); // left by a run that was killed
    const int file = user_.empty() ? ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, mode)
                                   : output::make_users_file(path, user_number_);
    if (file < 0)
        return Error{std::strerror(errno), errno};
    int code = user_.empty() && ::fchmod(file, mode) != 0 ? errno : 0; // sets the mode regardless of the umask
    if (code == 0)
        code = write_whole(file, whole);
    if (code == 0 && ::rename(path.c_str(), path_.c_str()) != 0)
        code = errno;
    if (code == 0)
        return file;
    ::close(file);
    ::unlink(path.c_str());
    return Error{std::strerror(code), code};
}

void Output::replace(std::string_view whole)
{
    if (!is_replaceable()) {
        write(whole);
        return drain();
    }
    const Result<int> file = write_beside(path_ + ".new", whole);
    const Result<void> replaced = file ? replace_file(file.value()) : file.error();
    if (replaced) {
        stuck_ = 0;
        said_ = true;
        return;
    }
    ++unwritten_.records;
    unwritten_.bytes += whole.size();
    fail(replaced.error().code);
}

} // namespace dt

// Opens the output target. If the target is a folder, the stream writes to one growing file in it; the sink creates the
// other files.
#include "libdtrace/output/output_target.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/linkage.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/output/sink.hpp"

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

/// Returns whether replace() can replace the output atomically. It cannot replace a terminal, a pipe or the target of
/// freopen().
bool Output::is_replaceable() const
{
    struct stat status {};
    return owned_ && saved_ < 0 && !socket_ && ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
}

/// Writes a new file at `path` and renames it to the name of the output file. The new file has the mode of the old one,
/// or belongs to the user of set_file_owner(). Returns its descriptor.
Result<int> Output::write_temporary(const std::string& path, std::string_view whole) const
{
    struct stat status {};
    const mode_t mode = ::fstat(descriptor_, &status) == 0 ? status.st_mode & 0777 : 0644;
    ::unlink(path.c_str()); // removes a file that a killed run may have left at this path
    const int file = user_.empty() ? ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, mode)
                                   : output::create_owned_file(path, user_number_);
    if (file < 0)
        return Error{std::strerror(errno), errno};
    int code = user_.empty() && ::fchmod(file, mode) != 0 ? errno : 0; // fchmod() sets the mode regardless of the umask
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
    const Result<int> file = write_temporary(path_ + ".new", whole);
    const Result<void> replaced = file ? replace_file(file.value()) : file.error();
    if (replaced) {
        retry_.blocked = 0;
        printed_ = true;
        return;
    }
    ++retry_.unwritten.records;
    retry_.unwritten.bytes += whole.size();
    fail(replaced.error().code);
}

} // namespace dt

// Files for another user (-x user) are created without following symbolic links.

namespace dt::output {
namespace {

constexpr int kForUser = O_WRONLY | O_APPEND | O_CLOEXEC;

} // namespace

Result<uid_t> uid_of_user(const std::string& name)
{
    const std::optional<uid_t> user = find_user(name);
    if (!user)
        return Error{"option user: there is no user " + name, ENOENT};
    return *user;
}

int create_owned_file(const std::string& path, uid_t user)
{
    constexpr mode_t kMode = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP;
    const int file = ::open(path.c_str(), kForUser | O_CREAT | O_EXCL, kMode);
    if (file < 0)
        return file;
    // The mode is set before the owner, because afterwards only the new owner may change the mode. fchmod() is
    // independent of the umask.
    if (::fchmod(file, kMode) == 0 && ::fchown(file, user, ::getegid()) == 0)
        return file;
    const int code = errno;
    ::unlink(path.c_str());
    ::close(file);
    errno = code;
    return -1;
}

int open_owned_file(const std::string& path, uid_t user, int flags)
{
    const int made = create_owned_file(path, user);
    if (made >= 0 || errno != EEXIST)
        return made;
    return ::open(path.c_str(), kForUser | O_NOFOLLOW | flags);
}

// Renames with rename(2), which replaces an existing file atomically. So no failure leaves a partly copied file.

namespace {

std::string numbered(const std::string& path, uint64_t number)
{
    return number == 0 ? path : path + "." + std::to_string(number);
}

bool is_there(const std::string& path)
{
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0;
}

} // namespace

Result<void> rename_to_next(const std::string& path, uint64_t kept)
{
    uint64_t free = 1;
    while (free < kept && is_there(numbered(path, free)))
        ++free;
    for (uint64_t to = free; to > 0; --to)
        if (std::rename(numbered(path, to - 1).c_str(), numbered(path, to).c_str()) != 0)
            return Error{std::strerror(errno), errno};
    return {};
}

void rename_back(const std::string& path)
{
    ::renameat2(AT_FDCWD, numbered(path, 1).c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE);
}

} // namespace dt::output

namespace dt::output {

OutputTarget target_of(OutputFormat format)
{
    const unsigned flags = row_of(format).flags;
    return (flags & kFormatToSocket) != 0   ? OutputTarget::Socket
           : (flags & kFormatToFolder) != 0 ? OutputTarget::Folder
                                            : OutputTarget::File;
}

Result<void> open_target(Output& output, const std::string& path, OutputTarget destination, const std::string& user)
{
    const bool is_folder = destination == OutputTarget::Folder, is_socket = destination == OutputTarget::Socket;
    if (is_folder && !user.empty())
        return Error{"option user applies to files, but the chosen format writes a folder", EINVAL};
    if (!user.empty() && !is_socket)
        if (Result<void> known = output.set_file_owner(user); !known)
            return known;
    const Result<void> opened = is_socket   ? output.connect(path)
                                : is_folder ? output.open_in_folder(path, kStreamFile)
                                            : output.open(path);
    if (opened)
        return {};
    return Error{std::string("failed to open output ") +
                     (is_socket   ? "socket"
                      : is_folder ? "folder"
                                  : "file") +
                     " '" + path + "': " + opened.error().message,
                 opened.error().code};
}

} // namespace dt::output

namespace dt::output {

#define DT_OUTPUT_FORMAT(enumerator, name, flags) std::unique_ptr<Sink> make_##name##_sink(const SinkOptions& with);
#include "libdtrace/options/output_formats.def"
#undef DT_OUTPUT_FORMAT

std::unique_ptr<Sink> make_sink(const SinkOptions& with)
{
    switch (with.options.format) {
#define DT_OUTPUT_FORMAT(enumerator, name, flags)                                                                      \
    case OutputFormat::enumerator:                                                                                     \
        return make_##name##_sink(with);
#include "libdtrace/options/output_formats.def"
#undef DT_OUTPUT_FORMAT
    }
    return nullptr; // not reached: the option `format` accepts only the values in the table
}

} // namespace dt::output

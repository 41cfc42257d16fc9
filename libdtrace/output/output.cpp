// write(2) may take a part, be interrupted, or fail for good. After the last nothing more is tried until the stream goes somewhere else.
#include "libdtrace/output/output.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dt {

namespace {

Error reason(int code)
{
    return Error{std::strerror(code), code};
}

int open_for_append(const std::string& path)
{
    return ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

} // namespace

Output::Output() : Output(STDOUT_FILENO) {}

Output::Output(int descriptor) : text_(kLarge + 64 * 1024), descriptor_(descriptor) {}

Output::~Output()
{
    send();
    if (saved_ >= 0)
        ::close(saved_);
    if (owned_)
        ::close(descriptor_);
}

Result<void> Output::open(const std::string& path)
{
    const int file = open_for_append(path);
    if (file < 0)
        return reason(errno);
    send();
    if (owned_)
        ::close(descriptor_);
    descriptor_ = file;
    owned_ = true;
    broken_ = false;
    return {};
}

void Output::send()
{
    std::string_view left = text_.view();
    said_ = has_said();
    if (!left.empty())
        last_ = left.back();
    while (!left.empty() && !broken_) {
        const ssize_t written = ::write(descriptor_, left.data(), left.size());
        if (written >= 0) {
            left.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            error_ = errno;
            broken_ = true;
        }
    }
    text_.clear();
}

Result<void> Output::flush()
{
    send();
    if (error_ == 0)
        return {};
    const int code = error_;
    error_ = 0;
    return Error{std::string("cannot write output: ") + std::strerror(code), code};
}

Result<void> Output::redirect(const std::string& path)
{
    if (path.empty()) {
        if (saved_ < 0)
            return {};
        send();
        ::dup2(saved_, descriptor_);
        ::close(saved_);
        saved_ = -1;
        broken_ = false;
        return {};
    }
    const int file = open_for_append(path);
    if (file < 0)
        return reason(errno);
    send();
    if (saved_ < 0)
        saved_ = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 3);
    // Standard output must survive exec for system(); our own -o file need not.
    const int moved = owned_ ? ::dup3(file, descriptor_, O_CLOEXEC) : ::dup2(file, descriptor_);
    const int code = moved < 0 ? errno : 0;
    ::close(file);
    if (code != 0)
        return reason(code);
    broken_ = false;
    ++redirects_;
    return {};
}

std::optional<Output::Size> Output::terminal() const
{
    if (!::isatty(descriptor_))
        return std::nullopt;
    winsize size{};
    if (::ioctl(descriptor_, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
        return Size{};
    return Size{size.ws_row, size.ws_col};
}

bool Output::file_is_empty()
{
    send();
    struct stat status {};
    return ::fstat(descriptor_, &status) == 0 && status.st_size == 0;
}

void Output::truncate()
{
    send();
    if (::ftruncate(descriptor_, 0) == 0)
        ::lseek(descriptor_, 0, SEEK_SET);
}

} // namespace dt

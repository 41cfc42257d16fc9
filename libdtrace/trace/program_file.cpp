// Limits the size while reading, because a file such as /dev/zero never ends.
#include "libdtrace/trace/program_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

namespace dt {
namespace {

class Closed {
public:
    explicit Closed(int descriptor) : descriptor_(descriptor) {}
    ~Closed() { close(descriptor_); }
    Closed(const Closed&) = delete;
    Closed& operator=(const Closed&) = delete;

private:
    int descriptor_;
};

} // namespace

Result<std::string> read_program_file(const std::string& path)
{
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return Error{std::strerror(errno), errno};
    const Closed closed(file);
    std::string text;
    char bytes[65536];
    for (ssize_t got; (got = read(file, bytes, sizeof bytes)) != 0;) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return Error{std::strerror(errno), errno};
        const std::string_view part(bytes, static_cast<std::size_t>(got));
        if (part.find('\0') != part.npos)
            return Error{"not a D program (binary file)", ENOEXEC};
        if (text.size() + part.size() > kLargestProgram)
            return Error{"not a D program (larger than 64 MiB)", EFBIG};
        text += part;
    }
    if (text.starts_with(kByteOrderMark))
        text.erase(0, kByteOrderMark.size());
    return text;
}

} // namespace dt

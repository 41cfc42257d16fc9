// Reads and writes the cache files. A file is used only if no other user can have written it: the file and its
// directory belong to this user and have no permissions for others. Its first line contains the lengths of the two
// parts and a checksum: "dtrace-cache 1 KERNEL CONTENT CRC32". The kernel's description and the content are the two
// parts; they follow the first line.
#include "libdtrace/kernel/kernel_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

#include "base/descriptor.hpp"

namespace dt {
namespace {

constexpr off_t kMaxCached = off_t{64} << 20;
constexpr const char* kHeader = "dtrace-cache 1 %zu %zu %08lx\n";

bool is_private(int file, mode_t kind)
{
    struct stat status {};
    return file >= 0 && fstat(file, &status) == 0 && (status.st_mode & S_IFMT) == kind && status.st_uid == geteuid() &&
           (status.st_mode & 077) == 0;
}

int open_directory(const std::string& path)
{
    return path.empty() ? -1 : open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

unsigned long checksum(std::string_view text, unsigned long before = 0)
{
    return crc32(before, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
}

/// Returns all bytes of a file, or an empty string on failure.
std::string read_all(int file)
{
    struct stat status {};
    if (fstat(file, &status) != 0 || status.st_size > kMaxCached)
        return {};
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t used = 0;
    while (used < text.size()) {
        const ssize_t got = ::read(file, text.data() + used, text.size() - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return {};
        used += static_cast<std::size_t>(got);
    }
    return text;
}

bool write_all(int file, const std::string& text)
{
    for (std::size_t used = 0; used < text.size();) {
        const ssize_t put = ::write(file, text.data() + used, text.size() - used);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        used += static_cast<std::size_t>(put);
    }
    return true;
}

std::string header_of(std::string_view kernel, std::string_view content)
{
    char line[96];
    std::snprintf(line, sizeof line, kHeader, kernel.size(), content.size(), checksum(content, checksum(kernel)));
    return line;
}

} // namespace

std::string KernelCache::default_directory()
{
    const char* const home = std::getenv("XDG_CACHE_HOME");
    if (home && home[0] == '/')
        return std::string(home) + "/dtrace";
    return geteuid() == 0 ? "/var/cache/dtrace" : "";
}

std::string KernelCache::kernel_of(const std::string& proc, const std::string& modules)
{
    std::ifstream file(proc + "/sys/kernel/random/boot_id");
    const std::string boot{std::istreambuf_iterator<char>(file), {}};
    return boot.empty() ? "" : boot + modules;
}

std::optional<std::string> KernelCache::read(const std::string& name) const
{
    const Descriptor directory(open_directory(directory_));
    if (kernel_.empty() || !is_private(directory.get(), S_IFDIR))
        return {};
    const Descriptor file(openat(directory.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!is_private(file.get(), S_IFREG))
        return {};
    std::string text = read_all(file.get());
    const std::size_t header = text.find('\n') + 1; // size of the file's first line; 0 if the file has no line
    if (header == 0 || text.compare(header, kernel_.size(), kernel_) != 0)
        return {};
    const std::string_view content = std::string_view(text).substr(header + kernel_.size());
    if (text.compare(0, header, header_of(kernel_, content)) != 0)
        return {};
    // removes the header from the same string, because a copy of some megabytes would take long
    text.erase(0, header + kernel_.size());
    return text;
}

void KernelCache::write(const std::string& name, const std::string& content) const
{
    if (kernel_.empty() || directory_.empty())
        return;
    mkdir(directory_.c_str(), 0700);
    const Descriptor directory(open_directory(directory_));
    if (!is_private(directory.get(), S_IFDIR))
        return;
    const std::string fresh = name + "." + std::to_string(getpid());
    bool written = false;
    {
        const Descriptor file(
            openat(directory.get(), fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
        if (!file)
            return;
        written = write_all(file.get(), header_of(kernel_, content) + kernel_ + content);
    }
    if (!written || renameat(directory.get(), fresh.c_str(), directory.get(), name.c_str()) != 0)
        unlinkat(directory.get(), fresh.c_str(), 0);
}

} // namespace dt

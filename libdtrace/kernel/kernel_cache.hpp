// Cache of data about the kernel that take tens of milliseconds to read. The data are stored in private files until the
// machine reboots or its modules change.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace dt {

class KernelCache {
public:
    /// Caches files in `directory`, which write() creates if it is missing; an empty path disables the cache. `kernel`
    /// is a text that describes the running kernel. A cache file is valid only if it was written with an equal text.
    KernelCache(std::string directory, std::string kernel)
        : directory_(std::move(directory)), kernel_(std::move(kernel))
    {
    }

    /// Returns $XDG_CACHE_HOME/dtrace if the variable is set, otherwise /var/cache/dtrace for root and an empty path
    /// for other users.
    static std::string default_directory();
    /// Returns a text that identifies the running boot and the loaded modules (names, sizes and addresses).
    static std::string kernel_of(const std::string& proc, const std::string& modules);

    /// Returns the content of a cache file. Returns nothing if the file is missing, belongs to or is accessible by
    /// another user, describes another kernel, or is truncated or damaged.
    std::optional<std::string> read(const std::string& name) const;
    /// Replaces the cache file atomically. Errors are ignored: without the cache file, the content is read from the
    /// kernel again.
    void write(const std::string& name, const std::string& content) const;

private:
    std::string directory_, kernel_;
};

} // namespace dt

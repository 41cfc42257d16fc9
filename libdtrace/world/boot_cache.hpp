// What is read of the kernel once a boot and costs tens of milliseconds: kept in a private file until the machine boots
// again or its modules change.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace dt {

class BootCache {
public:
    /// `directory`: where the files are, made when it is missing; empty: nothing is kept. `kernel`: what must be the
    /// same for a file to be of use.
    BootCache(std::string directory, std::string kernel) : directory_(std::move(directory)), kernel_(std::move(kernel))
    {
    }

    /// $XDG_CACHE_HOME/dtrace, else /var/cache/dtrace for root; empty for others.
    static std::string default_directory();
    /// Of the running boot and the modules that are loaded (their names, sizes and addresses).
    static std::string kernel_of(const std::string& proc, const std::string& modules);

    /// Nothing when there is no file of that name, or it is another's, open to others, of another kernel, cut, or
    /// damaged.
    std::optional<std::string> read(const std::string& name) const;
    /// In place of what was there, as a whole or not at all. What cannot be kept will be read again: no error.
    void write(const std::string& name, const std::string& content) const;

private:
    std::string directory_, kernel_;
};

} // namespace dt

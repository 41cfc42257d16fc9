// Access to files of the kernel's tracing file system, even if it is not mounted.
#pragma once

#include <string>

namespace dt {

/// Uses the existing mount, else a detached mount that exists as long as this object and needs CAP_SYS_ADMIN.
class Tracefs {
public:
    Tracefs();
    ~Tracefs();
    Tracefs(const Tracefs&) = delete;
    Tracefs& operator=(const Tracefs&) = delete;

    /// Returns the content of a file by its path in tracefs, or an empty string if it cannot be read.
    std::string read(const std::string& path) const;

private:
    int root_;
};

} // namespace dt

// The files of the kernel's tracing file system, also where nobody has mounted it.
#pragma once

#include <string>

namespace dt {

/// As it is mounted, else a mount of our own that has no place in any directory and goes with this object: that needs
/// CAP_SYS_ADMIN.
class Tracefs {
public:
    Tracefs();
    ~Tracefs();
    Tracefs(const Tracefs&) = delete;
    Tracefs& operator=(const Tracefs&) = delete;

    /// The whole text of a file, by its path there; empty when it cannot be read.
    std::string read(const std::string& path) const;

private:
    int root_;
};

} // namespace dt

// A temporary folder for a test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace dt::test {

/// Creates an empty folder, and removes it with its contents at the end.
class TemporaryFolder {
public:
    TemporaryFolder()
    {
        char pattern[] = "/tmp/dtrace_test_XXXXXX";
        path_ = mkdtemp(pattern);
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::string& path() const { return path_; }

private:
    std::string path_;
};

} // namespace dt::test

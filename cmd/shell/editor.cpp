#include "cmd/shell/editor.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "libdtrace/consume/system_command.hpp"

namespace dt::shell {
namespace {

/// A file in a directory of its own, because editors create further files next to it.
class TemporaryFile {
public:
    TemporaryFile()
    {
        const char* const base = std::getenv("TMPDIR");
        directory_ = std::string(base && *base == '/' ? base : "/tmp") + "/dtrace-XXXXXX";
        if (mkdtemp(directory_.data()))
            path_ = directory_ + "/clause.d";
    }
    ~TemporaryFile()
    {
        if (path_.empty())
            return;
        unlink(path_.c_str());
        rmdir(directory_.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    /// Returns the path, or an empty string with errno set if the file could not be created.
    const std::string& path() const { return path_; }

private:
    std::string directory_, path_;
};

std::string editor()
{
    for (const char* const name : {"VISUAL", "EDITOR"})
        if (const char* const value = std::getenv(name); value && *value)
            return value;
    return "vi";
}

} // namespace

Result<std::string> edit_text(const std::string& text)
{
    const TemporaryFile file;
    if (file.path().empty() || !(std::ofstream(file.path()) << text))
        return Error{"cannot write a file for the editor: " + std::string(std::strerror(errno)), errno};
    if (const Result<int> ran = run_system_command(editor() + " '" + file.path() + "'", STDOUT_FILENO); !ran)
        return Error{"cannot run " + editor() + ": " + ran.error().message, ran.error().code};
    std::ostringstream edited;
    std::ifstream input(file.path());
    if (!input || (edited << input.rdbuf(), input.bad()))
        return Error{editor() + " has left no file"};
    return edited.str();
}

} // namespace dt::shell

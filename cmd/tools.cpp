// The ready scripts that come with the command: what there is (--tools), and where `-s NAME` finds one.
//
// They lie where `cmake --install` puts them, seen from the executable, so that a tree that was moved or unpacked elsewhere is whole; in the build tree they
// are beside the executable. What a tool is for is told by the first line of its head comment, " * NAME - TEXT", so nothing lists them a second time.
#include "cmd/tools.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "cmd/messages.hpp"
#include "cmd/modes.hpp"

namespace dt::cmd {
namespace {

namespace fs = std::filesystem;

/// The text behind " * NAME - " near the beginning of a script; empty when it has none.
std::string purpose_of(const fs::path& tool)
{
    const std::string begin = " * " + tool.filename().string() + " - ";
    std::ifstream file(tool);
    std::string line;
    for (int i = 0; i < 5 && std::getline(file, line); i++)
        if (line.starts_with(begin))
            return line.substr(begin.size());
    return {};
}

} // namespace

std::string tools_directory()
{
    std::error_code error;
    const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* from_there : {DTRACE_TOOLS_DIR, "tools"})
        if (const fs::path directory = (beside / from_there).lexically_normal(); fs::is_directory(directory, error))
            return directory;
    return (beside / DTRACE_TOOLS_DIR).lexically_normal();
}

std::string find_tool(const std::string& name)
{
    std::error_code error;
    if (name.empty() || name.find('/') != std::string::npos)
        return {};
    for (const char* suffix : {"", ".d"})
        if (const fs::path path = fs::path(tools_directory()) / (name + suffix); fs::is_regular_file(path, error))
            return path;
    return {};
}

int tools_mode(const Arguments& arguments)
{
    const std::string directory = tools_directory();
    std::map<std::string, std::string> purposes;
    std::error_code error;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error))
        if (entry->path().extension() == ".d")
            purposes[entry->path().filename()] = purpose_of(entry->path());
    if (error) {
        say(arguments, "failed to read the tools in " + directory + ": " + error.message());
        return kFailure;
    }
    constexpr std::size_t kNameWidth = 18;
    std::string list;
    for (const auto& [name, purpose] : purposes)
        list += name + std::string(kNameWidth - std::min(kNameWidth, name.size()), ' ') + " " + purpose + "\n";
    return print_all(arguments, list);
}

} // namespace dt::cmd

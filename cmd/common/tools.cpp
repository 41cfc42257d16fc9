// Lists the tools (--tools), and finds a tool for `-s NAME`.
//
// The directory of tools is located relative to the executable, so an installation by `cmake --install` can be moved.
// In the build tree, the directory is next to the executable. The static executable contains the tools. Each tool
// states its purpose in the first line of its head comment, " * NAME - TEXT", so there is no separate list.
#include "cmd/common/tools.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "dcompiler/interface/suggest.hpp"
#include "libdtrace/session/program_file.hpp"

namespace dt::cmd {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUsageWord = "USAGE:";
/// Prefix of the path of a tool that is embedded in the executable.
constexpr std::string_view kInside = "<built-in>/";

std::span<const EmbeddedTool> tools_inside()
{
    return embedded_tools ? embedded_tools() : std::span<const EmbeddedTool>();
}

std::optional<std::string_view> text_inside(std::string_view path)
{
    if (path.starts_with(kInside))
        for (const EmbeddedTool& tool : tools_inside())
            if (tool.name == path.substr(kInside.size()))
                return tool.text;
    return std::nullopt;
}

std::istringstream script_stream(const std::string& path)
{
    const Result<std::string> text = read_script(path);
    return std::istringstream(text ? text.value() : std::string());
}

/// Returns the text after " * NAME - " near the start of a script, or an empty string.
std::string purpose_of(const fs::path& tool)
{
    const std::string begin = " * " + tool.filename().string() + " - ";
    std::istringstream file = script_stream(tool);
    std::string line;
    for (int i = 0; i < 5 && std::getline(file, line); i++)
        if (line.starts_with(begin))
            return line.substr(begin.size());
    return {};
}

struct Renamed {
    std::string_view elsewhere, here;
};

// Tools of BCC, bpftrace and the DTraceToolkit whose equivalent has another name here.
constexpr Renamed kRenamed[] = {
    {"biolatency", "iolatency"},
    {"biosnoop", "iosnoop"},
    {"biotop", "iotop"},
    {"bitesize", "biosize"},
    {"cachetop", "cachestat"},
    {"connections", "tcpaccept"},
    {"ext4dist", "fsslower"},
    {"ext4slower", "fsslower"},
    {"fileslower", "fsslower"},
    {"funcslower", "funclatency"},
    {"hotuser", "profile"},
    {"hotkernel", "profile"},
    {"mutexsnoop", "lockcontention"},
    {"newproc", "execsnoop"},
    {"pythongc", "pygc"},
    {"rwtop", "filetop"},
    {"shortlived", "exitsnoop"},
    {"sigsnoop", "signals"},
    {"tcptop", "tcplife"},
    {"xfsslower", "fsslower"},
    {"btrfsslower", "fsslower"},
    {"nfsslower", "fsslower"},
    {"klockstat", "lockcontention"},
};

/// Tools of other tracers that have no equivalent script here, because a single clause does the same: dtrace-tools(7),
/// IN ONE CLAUSE.
constexpr std::string_view kToolsOfClauses[] = {"argdist", "dcsnoop",  "hardirqs",   "llcstat",   "mdflush",
                                                "oomkill", "softirqs", "stackcount", "swapin",    "syncsnoop",
                                                "trace",   "ucalls",   "ustat",      "wakeuptime"};

/// Returns the names and purposes of all tools.
std::map<std::string, std::string> purposes(std::error_code& error)
{
    std::map<std::string, std::string> found;
    if (tools_directory() == kInside) {
        for (const EmbeddedTool& tool : tools_inside())
            found[std::string(tool.name)] = purpose_of(std::string(kInside) + std::string(tool.name));
        return found;
    }
    for (fs::directory_iterator entry(tools_directory(), error), end; !error && entry != end; entry.increment(error))
        if (entry->path().extension() == ".d")
            found[entry->path().filename()] = purpose_of(entry->path());
    return found;
}

/// Prints the usage of the tool that each operand names. Returns false if an operand names no tool.
bool print_usages(const Arguments& arguments)
{
    std::string text;
    for (const std::string& name : arguments.operands) {
        const std::string path = find_tool(name);
        if (path.empty()) {
            const std::string meant = tool_meant_by(name);
            print_message(arguments, name + " is not one of the tools in " + tools_directory() +
                                         (meant.empty() ? "" : ": " + meant));
            return false;
        }
        text += usage_of_script(path);
    }
    return print_all(arguments, text) == 0;
}

} // namespace

std::string usage_of_script(const std::string& path)
{
    constexpr std::string_view kMargin = " *";
    std::istringstream file = script_stream(path);
    std::string line, text;
    while (std::getline(file, line) && line != "/*")
        if (!line.starts_with('#') && !line.empty())
            return {};
    while (std::getline(file, line) && line.starts_with(kMargin) && !line.starts_with(" */"))
        text +=
            line.substr(std::min(kMargin.size() + line.substr(kMargin.size()).starts_with(' '), line.size())) + "\n";
    return text.find(kUsageWord) == std::string::npos ? std::string() : text;
}

std::string call_of_script(const std::string& path)
{
    const std::string text = usage_of_script(path);
    const std::size_t begin = text.find(kUsageWord);
    return begin == std::string::npos ? std::string() : text.substr(begin, text.find("\n\n", begin) - begin) + "\n";
}

std::string tool_meant_by(std::string_view name)
{
    if (name.ends_with(".d"))
        name.remove_suffix(2);
    for (const Renamed& each : kRenamed)
        if (each.elsewhere == name)
            return "the tool " + std::string(each.here) + " replaces " + std::string(name);
    if (std::find(std::begin(kToolsOfClauses), std::end(kToolsOfClauses), name) != std::end(kToolsOfClauses))
        return "a program of one clause replaces " + std::string(name) + ": see IN ONE CLAUSE in dtrace-tools(7)";
    std::error_code error;
    Nearest near(name);
    for (const auto& [tool, purpose] : purposes(error))
        near.add(std::string_view(tool).substr(0, tool.size() - 2));
    return near.question();
}

std::string tools_directory()
{
    std::error_code error;
    const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* from_there : {DTRACE_TOOLS_DIR, "tools"})
        if (const fs::path directory = (beside / from_there).lexically_normal(); fs::is_directory(directory, error))
            return directory;
    if (!tools_inside().empty())
        return std::string(kInside);
    return (beside / DTRACE_TOOLS_DIR).lexically_normal();
}

std::string find_tool(const std::string& name)
{
    std::error_code error;
    if (name.empty() || name.find('/') != std::string::npos)
        return {};
    for (const char* suffix : {"", ".d"})
        if (const fs::path path = fs::path(tools_directory()) / (name + suffix);
            fs::is_regular_file(path, error) || text_inside(path.native()))
            return path;
    return {};
}

Result<std::string> read_script(const std::string& path)
{
    if (const auto text = text_inside(path))
        return std::string(*text);
    return read_program_file(path);
}

int tools_mode(const Arguments& arguments)
{
    if (!arguments.operands.empty())
        return print_usages(arguments) ? kSuccess : kFailure;
    std::error_code error;
    const std::map<std::string, std::string> all = purposes(error);
    if (error) {
        print_message(arguments, "failed to read the tools in " + tools_directory() + ": " + error.message());
        return kFailure;
    }
    constexpr std::size_t kNameWidth = 18;
    std::string list;
    for (const auto& [name, purpose] : all)
        list += name + std::string(kNameWidth - std::min(kNameWidth, name.size()), ' ') + " " + purpose + "\n";
    return print_all(arguments, list);
}

} // namespace dt::cmd

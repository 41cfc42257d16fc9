#include "cmd/service/scripts.hpp"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "libdtrace/trace/program_file.hpp"

namespace dt::service {
namespace {

constexpr std::string_view kEnding = ".d";

/// Returns whether the owner is root or this user, and no one else can write the file.
bool is_trusted(const struct stat& status)
{
    return (status.st_uid == 0 || status.st_uid == geteuid()) && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool is_file(const std::string& path)
{
    struct stat status {};
    return stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode); // a missing file is reported when it is read
}

} // namespace

std::string name_of_script(const std::string& path)
{
    std::string name = path.substr(path.rfind('/') + 1);
    if (name.ends_with(kEnding))
        name.resize(name.size() - kEnding.size());
    return name;
}

bool is_name(const std::string& name)
{
    constexpr std::size_t kLongest = 128;
    constexpr std::string_view kSigns = "._-+@";
    return !name.empty() && name.size() <= kLongest && name.front() != '.' &&
           std::all_of(name.begin(), name.end(), [&](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      kSigns.find(c) != std::string_view::npos;
           });
}

Result<std::vector<Script>> find_scripts(const std::string& directory)
{
    DIR* const opened = opendir(directory.c_str());
    if (!opened)
        return Error{std::strerror(errno), errno};
    std::vector<Script> scripts;
    while (const dirent* const entry = readdir(opened)) {
        const std::string file = entry->d_name;
        const std::string path = directory + "/" + file;
        const std::string name = name_of_script(file);
        if (file.front() == '.' || !file.ends_with(kEnding) || !is_name(name) || !is_file(path))
            continue;
        scripts.push_back({name, path, {}, true});
    }
    closedir(opened);
    std::sort(scripts.begin(), scripts.end(), [](const Script& a, const Script& b) { return a.name < b.name; });
    return scripts;
}

Result<std::string> read_script(const std::string& path)
{
    struct stat status {};
    if (stat(path.c_str(), &status) == 0 && !is_trusted(status))
        return Error{"failed to open " + path +
                         ": others than root may change it\n\tmake it root's, and writable for nobody else: chown root "
                         "and chmod go-w",
                     EPERM};
    Result<std::string> text = read_program_file(path);
    if (!text)
        return Error{"failed to open " + path + ": " + text.error().message, text.error().code};
    return text;
}

bool has_name(std::string_view text, std::string_view pin)
{
    const auto goes_on = [&](std::size_t at) {
        return at < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_' || text[at] == '-');
    };
    for (std::size_t at = text.find(pin); at != std::string_view::npos; at = text.find(pin, at + 1))
        if (!goes_on(at - 1) && !goes_on(at + pin.size())) // for at == 0, at - 1 wraps and is out of range
            return true;
    return false;
}

} // namespace dt::service

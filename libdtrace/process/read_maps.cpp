#include "libdtrace/process/read_maps.hpp"

#include <dirent.h>

#include <cstdio>

#include "base/proc_file.hpp"
#include "libdtrace/elf/elf_symbols.hpp"

namespace dt {

std::string read_maps(const std::string& process)
{
    std::string text = read_proc_file(process + "/maps");
    DIR* threads = text.empty() ? opendir((process + "/task").c_str()) : nullptr;
    if (!threads)
        return text;
    for (const dirent* entry = readdir(threads); entry && text.empty(); entry = readdir(threads))
        if (entry->d_name[0] != '.')
            text = read_proc_file(process + "/task/" + entry->d_name + "/maps");
    closedir(threads);
    return text;
}

std::vector<std::string> names_of_mapped(const std::string& proc, int64_t pid, const Mapping& mapping)
{
    char range[48];
    std::snprintf(range, sizeof range, "/map_files/%llx-%llx", static_cast<unsigned long long>(mapping.start),
                  static_cast<unsigned long long>(mapping.end));
    const std::string process = process_folder(proc, pid);
    return {process + range, process + "/root" + mapping.path};
}

} // namespace dt

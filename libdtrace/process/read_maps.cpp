#include "libdtrace/process/read_maps.hpp"

#include <dirent.h>

#include "base/proc_file.hpp"

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

} // namespace dt

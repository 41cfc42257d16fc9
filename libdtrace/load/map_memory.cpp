#include "libdtrace/load/map_memory.hpp"

#include <bpf/bpf.h>
#include <sstream>
#include <string>
#include <unistd.h>

#include "base/proc_file.hpp"

namespace dt {

uint64_t map_memory(int map)
{
    static constexpr std::string_view kName = "memlock:";
    const std::string text = read_proc_file("/proc/self/fdinfo/" + std::to_string(map));
    const std::size_t at = text.find(kName);
    if (at == std::string::npos)
        return 0;
    std::istringstream value(text.substr(at + kName.size()));
    uint64_t bytes = 0;
    value >> bytes;
    return bytes;
}

uint32_t map_id(int map)
{
    bpf_map_info info{};
    uint32_t size = sizeof info;
    return bpf_obj_get_info_by_fd(map, &info, &size) == 0 ? info.id : 0;
}

uint64_t resident_memory()
{
    std::istringstream text(read_proc_file("/proc/self/statm"));
    uint64_t whole = 0, resident = 0;
    text >> whole >> resident;
    return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

uint64_t mapped_from_kernel(std::string_view smaps)
{
    static constexpr std::string_view kOfKernel = "anon_inode:", kResident = "Rss:";
    std::istringstream lines{std::string(smaps)};
    uint64_t kilobytes = 0;
    bool is_of_kernel = false;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string first;
        uint64_t size = 0;
        words >> first;
        if (!first.ends_with(':')) // a line "begin-end rwxp offset device inode name" starts another mapping
            is_of_kernel = line.find(kOfKernel) != std::string::npos;
        else if (is_of_kernel && first == kResident && words >> size)
            kilobytes += size;
    }
    return kilobytes << 10;
}

uint64_t own_memory()
{
    const uint64_t all = resident_memory(), mapped = mapped_from_kernel(read_proc_file("/proc/self/smaps"));
    return all > mapped ? all - mapped : all;
}

} // namespace dt

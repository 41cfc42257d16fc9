#include "libdtrace/load/map_memory.hpp"

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

uint64_t resident_memory()
{
    std::istringstream text(read_proc_file("/proc/self/statm"));
    uint64_t whole = 0, resident = 0;
    text >> whole >> resident;
    return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

} // namespace dt

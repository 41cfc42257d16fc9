// Finds the map by number, because other processes cannot open it by name. proc(5) lists the numbers of a process's
// maps, and the kernel opens a map by its number. The kernel's type information for the map, with names and offsets of
// its variables, confirms that it is the right one.
#include "embed/tracer_memory.hpp"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "bpf-runtime/abi.h"

namespace dt::embed {
namespace {

/// Returns the numbers of the maps that a process has open.
Result<std::set<uint32_t>> maps_of(int process)
{
    const std::string directory = "/proc/" + std::to_string(process) + "/fdinfo";
    std::set<uint32_t> maps;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
        std::ifstream file(entry->path());
        std::string line;
        while (std::getline(file, line))
            if (line.rfind("map_id:", 0) == 0)
                maps.insert(static_cast<uint32_t>(std::strtoul(line.c_str() + std::strlen("map_id:"), nullptr, 10)));
    }
    if (error)
        return Error{"cannot read " + directory + ": " + error.message(), error.value()};
    return maps;
}

/// Returns whether the map's type information lists exactly these globals.
bool has_variables(const bpf_map_info& map, const Description& description)
{
    const std::unique_ptr<btf, decltype(&btf__free)> types(
        map.btf_id ? btf__load_from_kernel_by_id(map.btf_id) : nullptr, btf__free);
    const btf_type* const section = types ? btf__type_by_id(types.get(), map.btf_value_type_id) : nullptr;
    if (!section || !btf_is_datasec(section))
        return false;
    std::set<std::pair<std::string, uint64_t>> there, wanted;
    for (uint32_t i = 0; i < btf_vlen(section); ++i) {
        const btf_var_secinfo& place = btf_var_secinfos(section)[i];
        const std::string name = btf__name_by_offset(types.get(), btf__type_by_id(types.get(), place.type)->name_off);
        if (name.rfind("var_", 0) == 0)
            there.emplace(name.substr(4), place.offset);
    }
    for (const Variable& variable : description.variables)
        if (variable.section == DT_SECTION_STATE)
            wanted.emplace(variable.name, variable.offset);
    return there == wanted;
}

/// Opens the map. Returns a descriptor, or -1 if it is another map or cannot be opened.
int open_state(uint32_t id, const Description& description, std::size_t size, int& refused)
{
    const int descriptor = bpf_map_get_fd_by_id(id);
    if (descriptor < 0) {
        refused = errno;
        return -1;
    }
    bpf_map_info info{};
    uint32_t length = sizeof info;
    const bool is_it = bpf_obj_get_info_by_fd(descriptor, &info, &length) == 0 && info.type == BPF_MAP_TYPE_ARRAY &&
                       std::string_view(info.name).ends_with(DT_SECTION_STATE) &&
                       (info.map_flags & BPF_F_MMAPABLE) != 0 && info.value_size == size &&
                       has_variables(info, description);
    if (is_it)
        return descriptor;
    close(descriptor);
    return -1;
}

} // namespace

Result<TracerMemory> TracerMemory::find(int tracer, const Description& description, std::size_t size)
{
    const auto maps = maps_of(tracer);
    if (!maps)
        return maps.error();
    int refused = 0;
    for (const uint32_t id : maps.value()) {
        const int descriptor = open_state(id, description, size, refused);
        if (descriptor < 0)
            continue;
        void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        const int error = errno;
        close(descriptor);
        if (memory == MAP_FAILED)
            return Error{std::string("cannot map the variables of the tracer: ") + std::strerror(error), error};
        return TracerMemory({static_cast<uint8_t*>(memory), size});
    }
    if (refused != 0)
        return Error{std::string("cannot open the maps of the tracer: ") + std::strerror(refused) +
                         " (it takes CAP_SYS_ADMIN)",
                     refused};
    return Error{"process " + std::to_string(tracer) + " traces with no script that has the same variables", ENOENT};
}

TracerMemory::TracerMemory(TracerMemory&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

TracerMemory::~TracerMemory()
{
    if (!bytes_.empty())
        munmap(bytes_.data(), bytes_.size());
}

} // namespace dt::embed

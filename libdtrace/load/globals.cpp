// Finds globals in the object's BTF (include/uapi/linux/btf.h, BTF_KIND_DATASEC).
#include "libdtrace/load/globals.hpp"

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <string_view>

#include "bpf-runtime/abi.h"

namespace dt {

std::map<std::string, std::span<uint8_t>> find_globals(const bpf_object* object, std::span<uint8_t> memory)
{
    constexpr std::string_view kPrefix = "var_"; // prefix of the variables that lowering creates for globals
    std::map<std::string, std::span<uint8_t>> globals;
    const btf* const types = bpf_object__btf(object);
    const int section = types ? btf__find_by_name_kind(types, DT_SECTION_STATE, BTF_KIND_DATASEC) : -1;
    const btf_type* const variables = section > 0 ? btf__type_by_id(types, static_cast<uint32_t>(section)) : nullptr;
    for (uint32_t i = 0; variables && i < btf_vlen(variables); ++i) {
        const btf_var_secinfo& place = btf_var_secinfos(variables)[i];
        const std::string_view name = btf__name_by_offset(types, btf__type_by_id(types, place.type)->name_off);
        if (name.starts_with(kPrefix) && uint64_t{place.offset} + place.size <= memory.size())
            globals.emplace(name.substr(kPrefix.size()), memory.subspan(place.offset, place.size));
    }
    return globals;
}

} // namespace dt

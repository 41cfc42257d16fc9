// BTF layout: include/uapi/linux/btf.h.
#include "libdtrace/world/task_layout.hpp"

#include <cstring>
#include <fcntl.h>
#include <linux/btf.h>
#include <optional>
#include <unistd.h>
#include <vector>

#include "probes/btf_strings.hpp"

namespace dt {

namespace {

std::vector<uint8_t> read_types(const char* path)
{
    std::vector<uint8_t> types;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return types;
    btf_header header{};
    if (pread(fd, &header, sizeof header, 0) == static_cast<ssize_t>(sizeof header) && header.magic == BTF_MAGIC) {
        types.resize(header.type_len);
        std::size_t have = 0;
        for (ssize_t got = 1; got > 0 && have < types.size();) {
            got = pread(fd, types.data() + have, types.size() - have,
                        static_cast<off_t>(header.hdr_len) + header.type_off + static_cast<off_t>(have));
            have += got > 0 ? static_cast<std::size_t>(got) : 0;
        }
        types.resize(have);
    }
    close(fd);
    return types;
}

/// Bytes that follow the head of a type; none for a kind that is not known.
std::optional<std::size_t> bytes_behind(uint32_t info)
{
    const std::size_t count = BTF_INFO_VLEN(info);
    switch (BTF_INFO_KIND(info)) {
    case BTF_KIND_INT:
    case BTF_KIND_VAR:
    case BTF_KIND_DECL_TAG:
        return 4;
    case BTF_KIND_ARRAY:
        return sizeof(btf_array);
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
        return count * sizeof(btf_member);
    case BTF_KIND_ENUM:
        return count * sizeof(btf_enum);
    case BTF_KIND_FUNC_PROTO:
        return count * sizeof(btf_param);
    case BTF_KIND_DATASEC:
        return count * sizeof(btf_var_secinfo);
    case BTF_KIND_ENUM64:
        return count * 12;
    case BTF_KIND_PTR:
    case BTF_KIND_FWD:
    case BTF_KIND_TYPEDEF:
    case BTF_KIND_VOLATILE:
    case BTF_KIND_CONST:
    case BTF_KIND_RESTRICT:
    case BTF_KIND_FUNC:
    case BTF_KIND_FLOAT:
    case BTF_KIND_TYPE_TAG:
        return 0;
    default:
        return std::nullopt;
    }
}

/// The members of the struct whose name begins at `name` in the strings.
std::vector<btf_member> members_of(const std::vector<uint8_t>& types, uint32_t name, bool& bit_fields)
{
    for (std::size_t at = 0; at + sizeof(btf_type) <= types.size();) {
        btf_type type;
        std::memcpy(&type, types.data() + at, sizeof type);
        at += sizeof type;
        const auto behind = bytes_behind(type.info);
        if (!behind || *behind > types.size() - at)
            break;
        if (type.name_off == name && BTF_INFO_KIND(type.info) == BTF_KIND_STRUCT && *behind != 0) {
            std::vector<btf_member> members(BTF_INFO_VLEN(type.info));
            std::memcpy(members.data(), types.data() + at, *behind);
            bit_fields = BTF_INFO_KFLAG(type.info);
            return members;
        }
        at += *behind;
    }
    return {};
}

} // namespace

std::map<std::string, uint32_t, std::less<>> read_task_layout(const char* path)
{
    using namespace std::string_view_literals;
    const std::string strings = probes::read_btf_strings(path);
    const std::size_t found = strings.find("\0task_struct\0"sv);
    if (found == std::string::npos)
        return {};
    std::map<std::string, uint32_t, std::less<>> offsets;
    bool bit_fields = false;
    for (const btf_member& member : members_of(read_types(path), static_cast<uint32_t>(found + 1), bit_fields)) {
        const uint32_t bits = bit_fields ? BTF_MEMBER_BIT_OFFSET(member.offset) : member.offset;
        if (member.name_off < strings.size() && !(bit_fields && BTF_MEMBER_BITFIELD_SIZE(member.offset)) && bits % 8 == 0)
            offsets.emplace(strings.c_str() + member.name_off, bits / 8);
    }
    return offsets;
}

} // namespace dt

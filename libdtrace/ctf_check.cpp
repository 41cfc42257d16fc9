// A .ctf section comes out of a file that the traced user may have written, and libctf follows its counts and offsets without looking where
// they lead; a struct that contains itself would have no end for whoever prints it. So the bytes are walked once here, and handed on only when
// they hold together. The layout is that of ctf.h: an archive is a table of containers, a container a header and sections, which may be
// compressed; the type section is a row of records, each with a count of members behind it.
#include "libdtrace/ctf_check.hpp"

#include <ctf.h>
#include <zlib.h>

#include <cstring>
#include <utility>
#include <vector>

namespace dt {
namespace {

/// What a compressed container may grow to: the types of a whole kernel take a tenth.
constexpr std::size_t kMostBytes = std::size_t{256} << 20;

template <typename T>
bool read(std::string_view bytes, uint64_t at, T& into)
{
    if (at > bytes.size() || bytes.size() - at < sizeof(T))
        return false;
    std::memcpy(&into, bytes.data() + at, sizeof(T));
    return true;
}

/// The sections behind the header, as they are or decompressed; nothing when they do not decompress to their size.
std::optional<std::string> body_of(std::string_view bytes, const ctf_header_t& header)
{
    const uint64_t size = uint64_t{header.cth_stroff} + header.cth_strlen;
    const std::string_view rest = bytes.substr(sizeof header);
    if (!(header.cth_flags & CTF_F_COMPRESS))
        return size <= rest.size() ? std::optional(std::string(rest.substr(0, size))) : std::nullopt;
    if (size > kMostBytes)
        return {};
    std::string body(size, '\0');
    uLongf got = size;
    const int result = uncompress(reinterpret_cast<Bytef*>(body.data()), &got, reinterpret_cast<const Bytef*>(rest.data()), rest.size());
    return result == Z_OK && got == size ? std::optional(std::move(body)) : std::nullopt;
}

/// The records of a type section.
class TypeWalk {
public:
    TypeWalk(std::string_view types, bool is_child) : types_(types), own_(is_child ? CTF_MAX_PTYPE + 1U : 0U) {}

    std::optional<std::string> run()
    {
        contents_.emplace_back(); // ids count from 1
        for (uint64_t at = 0; at < types_.size();) {
            const auto size = record(at);
            if (!size)
                return "type " + std::to_string(contents_.size() - 1) + " is damaged";
            at += *size;
        }
        for (uint32_t id = 1; id < contents_.size(); ++id)
            if (contains_itself(id))
                return "type " + std::to_string(id) + " contains itself";
        return {};
    }

private:
    /// The size of the record at `at`, when all of it is there; notes which types are part of it.
    std::optional<uint64_t> record(uint64_t at)
    {
        contents_.emplace_back();
        ctf_stype_t head;
        if (!read(types_, at, head))
            return {};
        uint64_t head_size = sizeof head, size = head.ctt_size;
        if (head.ctt_size == CTF_LSIZE_SENT) {
            ctf_type_t large;
            if (!read(types_, at, large))
                return {};
            head_size = sizeof large;
            size = CTF_TYPE_LSIZE(&large);
        }
        const auto tail = tail_size(head, size, at + head_size);
        return tail && *tail <= types_.size() - at - head_size ? std::optional(head_size + *tail) : std::nullopt;
    }

    std::optional<uint64_t> tail_size(const ctf_stype_t& head, uint64_t size, uint64_t at)
    {
        const uint64_t count = CTF_V2_INFO_VLEN(head.ctt_info);
        switch (CTF_V2_INFO_KIND(head.ctt_info)) {
        case CTF_K_INTEGER:
        case CTF_K_FLOAT:
            return sizeof(uint32_t);
        case CTF_K_SLICE:
            return part_at<ctf_slice_t>(at, &ctf_slice_t::cts_type);
        case CTF_K_ARRAY:
            return part_at<ctf_array_t>(at, &ctf_array_t::cta_contents);
        case CTF_K_FUNCTION:
            return sizeof(uint32_t) * (count + (count & 1));
        case CTF_K_STRUCT:
        case CTF_K_UNION:
            return size < CTF_LSTRUCT_THRESH ? parts_at<ctf_member_t>(at, count, &ctf_member_t::ctm_type)
                                             : parts_at<ctf_lmember_t>(at, count, &ctf_lmember_t::ctlm_type);
        case CTF_K_ENUM:
            return sizeof(ctf_enum_t) * count;
        case CTF_K_TYPEDEF:
        case CTF_K_VOLATILE:
        case CTF_K_CONST:
        case CTF_K_RESTRICT:
            note(head.ctt_type);
            return 0;
        case CTF_K_UNKNOWN:
        case CTF_K_POINTER:
        case CTF_K_FORWARD:
            return 0;
        default:
            return {};
        }
    }

    template <typename T>
    std::optional<uint64_t> part_at(uint64_t at, uint32_t T::*type)
    {
        return parts_at<T>(at, 1, type);
    }

    template <typename T>
    std::optional<uint64_t> parts_at(uint64_t at, uint64_t count, uint32_t T::*type)
    {
        for (uint64_t i = 0; i < count; ++i) {
            T part;
            if (!read(types_, at + i * sizeof(T), part))
                return {};
            note(part.*type);
        }
        return count * sizeof(T);
    }

    /// Types of the parent container are not part of this walk; they cannot lead back here.
    void note(uint32_t type)
    {
        if (type > own_)
            contents_.back().push_back(type - own_);
    }

    /// Depth first, on a stack of its own: the depth is the file's choice.
    bool contains_itself(uint32_t id)
    {
        enum : uint8_t { New, Open, Done };
        states_.resize(contents_.size(), New);
        if (states_[id] != New)
            return false;
        std::vector<std::pair<uint32_t, std::size_t>> path{{id, 0}};
        states_[id] = Open;
        while (!path.empty()) {
            auto& [type, next] = path.back();
            if (next == contents_[type].size()) {
                states_[type] = Done;
                path.pop_back();
                continue;
            }
            const uint32_t part = contents_[type][next++];
            if (part >= contents_.size() || states_[part] == Done)
                continue;
            if (states_[part] == Open)
                return true;
            states_[part] = Open;
            path.emplace_back(part, 0);
        }
        return false;
    }

    std::string_view types_;
    uint32_t own_;
    std::vector<std::vector<uint32_t>> contents_; ///< by id
    std::vector<uint8_t> states_;
};

std::optional<std::string> container_fault(std::string_view bytes)
{
    ctf_header_t header;
    if (!read(bytes, 0, header) || header.cth_magic != CTF_MAGIC)
        return "not a CTF container";
    if (header.cth_version != CTF_VERSION_3)
        return "format version " + std::to_string(header.cth_version) + " is not known";
    const uint32_t offsets[] = {header.cth_lbloff,     header.cth_objtoff, header.cth_funcoff, header.cth_objtidxoff,
                                header.cth_funcidxoff, header.cth_varoff,  header.cth_typeoff, header.cth_stroff};
    for (std::size_t i = 0; i < std::size(offsets); ++i)
        if (offsets[i] % 4 != 0 && offsets[i] != header.cth_stroff)
            return "a section begins at an odd place";
        else if (i > 0 && offsets[i] < offsets[i - 1])
            return "the sections overlap";
    const auto body = body_of(bytes, header);
    if (!body)
        return "it is cut off";
    if (header.cth_strlen == 0 || (*body)[header.cth_stroff] != '\0' || body->back() != '\0')
        return "its strings are damaged";
    return TypeWalk(std::string_view(*body).substr(header.cth_typeoff, header.cth_stroff - header.cth_typeoff), header.cth_parname != 0).run();
}

std::optional<std::string> archive_fault(std::string_view bytes)
{
    struct ctf_archive header;
    if (!read(bytes, 0, header))
        return "it is cut off";
    if (header.ctfa_ndicts > bytes.size() / sizeof(ctf_archive_modent_t))
        return "its table is damaged";
    for (uint64_t i = 0; i < header.ctfa_ndicts; ++i) {
        ctf_archive_modent_t entry;
        uint64_t size = 0;
        if (!read(bytes, sizeof header + i * sizeof entry, entry) || entry.name_offset > bytes.size() || header.ctfa_names > bytes.size() ||
            bytes.find('\0', header.ctfa_names + entry.name_offset) == std::string_view::npos)
            return "its table is damaged";
        if (entry.ctf_offset > bytes.size() || header.ctfa_ctfs > bytes.size() || !read(bytes, header.ctfa_ctfs + entry.ctf_offset, size))
            return "it is cut off";
        const uint64_t start = header.ctfa_ctfs + entry.ctf_offset + sizeof size;
        if (size > bytes.size() - start)
            return "it is cut off";
        if (auto fault = container_fault(bytes.substr(start, size)))
            return fault;
    }
    return {};
}

} // namespace

std::optional<std::string> find_ctf_fault(std::string_view bytes)
{
    uint64_t magic = 0;
    return read(bytes, 0, magic) && magic == CTFA_MAGIC ? archive_fault(bytes) : container_fault(bytes);
}

} // namespace dt

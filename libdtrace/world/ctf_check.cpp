// Validates CTF data before libctf uses it. A .ctf section comes from a file that the traced user may have written, and
// libctf follows its counts and offsets without checks. A struct that contains itself, or a pointer to itself, would
// make recursive readers loop forever. The layout is that of ctf.h: an archive is a table of containers. A container is
// a header and sections, which may be compressed; the type section is an array of records, each followed by its
// members.
#include "libdtrace/world/ctf_check.hpp"

#include <ctf.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

namespace dt {
namespace {

/// Size limit of a decompressed container. The types of a whole kernel take a tenth of it.
constexpr std::size_t kMostUnpacked = std::size_t{256} << 20;

template <typename T> bool read(std::string_view bytes, uint64_t at, T& into)
{
    if (at > bytes.size() || bytes.size() - at < sizeof(T))
        return false;
    std::memcpy(&into, bytes.data() + at, sizeof(T));
    return true;
}

/// Returns the sections after the header, decompressed if necessary. Returns nothing if their size is wrong.
std::optional<std::string> body_of(std::string_view bytes, const ctf_header_t& header)
{
    const uint64_t size = uint64_t{header.cth_stroff} + header.cth_strlen;
    const std::string_view rest = bytes.substr(sizeof header);
    if (!(header.cth_flags & CTF_F_COMPRESS))
        return size <= rest.size() ? std::optional(std::string(rest.substr(0, size))) : std::nullopt;
    if (size > kMostUnpacked)
        return {};
    std::string body(size, '\0');
    uLongf got = size;
    const int result = uncompress(reinterpret_cast<Bytef*>(body.data()), &got,
                                  reinterpret_cast<const Bytef*>(rest.data()), rest.size());
    return result == Z_OK && got == size ? std::optional(std::move(body)) : std::nullopt;
}

/// Graph of the types that each type refers to. Cycles and very long chains are refused.
struct Graph {
    static constexpr std::size_t kMostDepth = 500; // limit, because libctf follows references recursively

    std::vector<std::vector<uint32_t>> parts; ///< by id

    /// Returns whether all chains from a type end. Depth-first search with an explicit stack, because the file
    /// determines the depth.
    bool ends(uint32_t id)
    {
        enum : uint8_t { New, Open, Done };
        states_.resize(parts.size(), New);
        depths_.resize(parts.size(), 0);
        if (states_[id] != New)
            return true;
        std::vector<std::pair<uint32_t, std::size_t>> path{{id, 0}};
        states_[id] = Open;
        while (!path.empty()) {
            auto& [type, next] = path.back();
            if (next == parts[type].size()) {
                states_[type] = Done;
                const uint32_t depth = depths_[type] + 1;
                path.pop_back();
                if (!path.empty())
                    depths_[path.back().first] = std::max(depths_[path.back().first], depth);
                if (depth > kMostDepth)
                    return false;
                continue;
            }
            const uint32_t part = parts[type][next++];
            if (part >= parts.size())
                continue;
            if (states_[part] == Open)
                return false;
            if (states_[part] == Done) {
                depths_[type] = std::max(depths_[type], depths_[part] + 1);
                continue;
            }
            states_[part] = Open;
            path.emplace_back(part, 0);
        }
        return true;
    }

private:
    std::vector<uint8_t> states_;
    std::vector<uint32_t> depths_;
};

/// Iterates over the records of a type section.
class TypeWalk {
public:
    TypeWalk(std::string_view types, bool is_child) : types_(types), own_(is_child ? CTF_MAX_PTYPE + 1U : 0U) {}

    std::optional<std::string> run()
    {
        graphs_[Whole].parts.emplace_back(); // ids count from 1
        graphs_[Named].parts.emplace_back();
        for (uint64_t at = 0; at < types_.size();) {
            const auto size = record(at);
            if (!size)
                return "type " + std::to_string(graphs_[Whole].parts.size() - 1) + " is damaged";
            at += *size;
        }
        for (Graph& graph : graphs_)
            for (uint32_t id = 1; id < graph.parts.size(); ++id)
                if (!graph.ends(id))
                    return "type " + std::to_string(id) + " contains itself";
        return {};
    }

private:
    /// Returns the size of the record at `at` if it is complete, and adds its references to the graphs.
    std::optional<uint64_t> record(uint64_t at)
    {
        graphs_[Whole].parts.emplace_back();
        graphs_[Named].parts.emplace_back();
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
            return parts_at<ctf_slice_t>(at, 1, &ctf_slice_t::cts_type, true);
        case CTF_K_ARRAY:
            return parts_at<ctf_array_t>(at, 1, &ctf_array_t::cta_contents, true);
        case CTF_K_FUNCTION:
            note(Named, head.ctt_type);
            for (uint64_t i = 0; i < count; ++i)
                if (uint32_t parameter; read(types_, at + i * sizeof parameter, parameter))
                    note(Named, parameter);
            return sizeof(uint32_t) * (count + (count & 1));
        case CTF_K_STRUCT:
        case CTF_K_UNION:
            return size < CTF_LSTRUCT_THRESH ? parts_at<ctf_member_t>(at, count, &ctf_member_t::ctm_type, false)
                                             : parts_at<ctf_lmember_t>(at, count, &ctf_lmember_t::ctlm_type, false);
        case CTF_K_ENUM:
            return sizeof(ctf_enum_t) * count;
        case CTF_K_TYPEDEF:
        case CTF_K_VOLATILE:
        case CTF_K_CONST:
        case CTF_K_RESTRICT:
            note(Whole, head.ctt_type);
            [[fallthrough]];
        case CTF_K_POINTER:
            note(Named, head.ctt_type);
            return 0;
        case CTF_K_UNKNOWN:
        case CTF_K_FORWARD:
            return 0;
        default:
            return {};
        }
    }

    /// Adds the references of `count` entries. `named`: the record is not a struct or union; pointers may form cycles
    /// through structs and unions only.
    template <typename T> std::optional<uint64_t> parts_at(uint64_t at, uint64_t count, uint32_t T::*type, bool named)
    {
        for (uint64_t i = 0; i < count; ++i) {
            T part;
            if (!read(types_, at + i * sizeof(T), part))
                return {};
            note(Whole, part.*type);
            if (named)
                note(Named, part.*type);
        }
        return count * sizeof(T);
    }

    enum Which { Whole, Named };

    /// Adds a reference. Types of the parent container are ignored: they cannot refer back to this container.
    void note(Which which, uint32_t type)
    {
        if (type > own_)
            graphs_[which].parts.back().push_back(type - own_);
    }

    std::string_view types_;
    uint32_t own_;
    Graph graphs_[2]; ///< Whole: containment. Named: references of types other than structs and unions
};

} // namespace

std::optional<std::string> find_ctf_fault(std::string_view bytes)
{
    ctf_header_t header;
    if (!read(bytes, 0, header) || header.cth_magic != CTF_MAGIC)
        return "not a CTF container";
    if (header.cth_version != CTF_VERSION_3)
        return "format version " + std::to_string(header.cth_version) + " is not known";
    const uint32_t offsets[] = {header.cth_lbloff,     header.cth_objtoff, header.cth_funcoff, header.cth_objtidxoff,
                                header.cth_funcidxoff, header.cth_varoff,  header.cth_typeoff, header.cth_stroff};
    if (!std::is_sorted(std::begin(offsets), std::end(offsets)))
        return "its sections overlap";
    const auto body = body_of(bytes, header);
    if (!body)
        return "it is cut off";
    if (header.cth_strlen == 0 || (*body)[header.cth_stroff] != '\0' || body->back() != '\0')
        return "its strings are damaged";
    return TypeWalk(std::string_view(*body).substr(header.cth_typeoff, header.cth_stroff - header.cth_typeoff),
                    header.cth_parname != 0)
        .run();
}

Result<std::vector<CtfContainer>> split_ctf(std::string_view bytes)
{
    struct ctf_archive header;
    if (!read(bytes, 0, header.ctfa_magic) || header.ctfa_magic != CTFA_MAGIC)
        return std::vector<CtfContainer>{{".ctf", bytes}};
    const Error cut_off{"it is cut off"};
    if (!read(bytes, 0, header) || header.ctfa_ndicts > bytes.size() / sizeof(ctf_archive_modent_t) ||
        header.ctfa_names > bytes.size() || header.ctfa_ctfs > bytes.size())
        return cut_off;
    std::vector<CtfContainer> containers;
    std::set<std::string> names;
    for (uint64_t i = 0; i < header.ctfa_ndicts; ++i) {
        ctf_archive_modent_t entry;
        uint64_t size = 0;
        if (!read(bytes, sizeof header + i * sizeof entry, entry) || entry.name_offset > bytes.size() ||
            entry.ctf_offset > bytes.size() || !read(bytes, header.ctfa_ctfs + entry.ctf_offset, size))
            return cut_off;
        const uint64_t name = header.ctfa_names + entry.name_offset,
                       start = header.ctfa_ctfs + entry.ctf_offset + sizeof size;
        const std::size_t end = bytes.find('\0', name);
        if (end == std::string_view::npos || size > bytes.size() - start)
            return cut_off;
        containers.push_back({std::string(bytes.substr(name, end - name)), bytes.substr(start, size)});
        if (!names.insert(containers.back().name).second) // duplicate names: libctf's choice between them is not known
            return Error{"two containers are called " + containers.back().name};
    }
    return containers;
}

} // namespace dt

// Finds members of kernel objects by offset, with the rules of the verifier: an access must lie within one member, and
// a pointer must be loaded as a whole. If an access breaks a rule, the kernel refuses the whole program.
#include "dcompiler/opt/typed_reads.hpp"

namespace dt::opt {
namespace {

/// The innermost member at an offset, and its position in the structure that contains it.
struct Inner {
    const Type* type = nullptr; ///< type of the member; for an array, type of an element
    int64_t begin = 0;          ///< offset of the member's first byte; in an array, of the element's first byte
    int64_t end = 0;            ///< offset of the byte behind the member; in an array, behind the whole array
    /// offset that the caller searches, relative to the structure that contains the member
    int64_t offset = 0;
    bool is_bits = false;
};

int64_t size_of(const Type* type)
{
    return static_cast<int64_t>(type->resolve()->size);
}

/// Returns the member that contains `size` bytes at an offset. In a union, this is the first member that contains the
/// first byte.
std::optional<Inner> find(const Type* record, int64_t offset, uint32_t size, std::string* path = nullptr)
{
    record = record->resolve();
    if (offset < 0 || offset + size > size_of(record))
        return std::nullopt;
    for (const Member& member : record->members()) {
        const auto begin = static_cast<int64_t>(member.bit_offset / 8);
        if (member.bit_size != 0) {
            const auto end = static_cast<int64_t>((member.bit_offset + member.bit_size + 7) / 8);
            const bool has_all = offset <= begin && end <= offset + size;
            const bool is_first = path && offset >= begin && offset < end;
            if (has_all || is_first) {
                if (path && !member.name.empty())
                    *path += "." + member.name;
                return Inner{member.type->resolve(), begin, end, offset, true};
            }
        }
        if (offset + size <= begin)
            break;
        const Type* type = member.type->resolve();
        if (member.bit_size != 0 || offset >= begin + size_of(type))
            continue;
        if (path && !member.name.empty())
            *path += "." + member.name;
        int64_t at = begin;
        const int64_t end = begin + size_of(type);
        while (type->kind == TypeKind::Array) {
            type = type->target->resolve();
            if (size_of(type) != 0)
                at += (offset - at) / size_of(type) * size_of(type);
        }
        if (type->is_record())
            return find(type, offset - at, size, path);
        return Inner{type, at, end, offset};
    }
    return std::nullopt;
}

} // namespace

const Type* ObjectMembers::find(TypeNamespace space, std::string_view name)
{
    return source_ ? source_->find(table_, space, name, "vmlinux") : nullptr;
}

const Type* ObjectMembers::record(std::string_view name)
{
    return find(TypeNamespace::Struct, name);
}

const Type* ObjectMembers::prototype(std::string_view section)
{
    constexpr std::string_view kTracepoint = "tp_btf/", kEntry = "fentry/", kReturn = "fexit/";
    const Type* type = nullptr;
    if (section.starts_with(kTracepoint))
        type = find(TypeNamespace::Ordinary, "btf_trace_" + std::string(section.substr(kTracepoint.size())));
    else if (section.starts_with(kEntry) || section.starts_with(kReturn))
        type = find(TypeNamespace::Function, section.substr(section.find('/') + 1));
    if (type && type->resolve()->kind == TypeKind::Pointer)
        type = type->resolve()->target;
    if (!type || type->resolve()->kind != TypeKind::Function)
        return nullptr;
    type = type->resolve();
    if (!section.starts_with(kTracepoint) || type->parameters.empty())
        return type;
    // the first parameter in the type belongs to the tracepoint itself and is not in the context
    Type* const words = table_.make(TypeKind::Function);
    words->parameters.assign(type->parameters.begin() + 1, type->parameters.end());
    return words;
}

const Type* ObjectMembers::pointed_to(const Type* pointer) const
{
    const Type* const type = pointer->resolve();
    if (type->kind != TypeKind::Pointer || !type->target)
        return nullptr;
    const Type* const target = type->target->resolve();
    return target->is_record() && !target->incomplete && target->size != 0 ? target : nullptr;
}

std::optional<MemberAccess> ObjectMembers::access(const Type* record, int64_t offset, uint32_t size) const
{
    const auto inner = opt::find(record, offset, size);
    if (!inner)
        return std::nullopt;
    if (inner->is_bits)
        return MemberAccess{};
    if (inner->type->kind == TypeKind::Pointer && (size != 8 || inner->offset != inner->begin))
        return std::nullopt;
    if (inner->offset + size > inner->end)
        return std::nullopt;
    return MemberAccess{pointed_to(inner->type)};
}

bool ObjectMembers::is_padding(const Type* record, int64_t offset) const
{
    std::string path;
    return offset >= 0 && offset < size_of(record) && !opt::find(record, offset, 1, &path);
}

int64_t ObjectMembers::characters_at(const Type* record, int64_t offset) const
{
    const auto inner = opt::find(record, offset, 1);
    const bool has_characters = inner && !inner->is_bits && size_of(inner->type) == 1;
    return has_characters ? inner->end - inner->offset : 0;
}

std::string ObjectMembers::name_at(const Type* record, int64_t offset) const
{
    std::string name = to_string(record);
    opt::find(record, offset, 1, &name);
    return name;
}

} // namespace dt::opt

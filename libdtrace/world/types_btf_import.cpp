// Converts BTF to the type graph (include/uapi/linux/btf.h).
#include "libdtrace/world/types_btf_import.hpp"

#include <bpf/btf.h>

#include "libdtrace/world/spellings.hpp"

namespace dt {
namespace {

/// limit for nested prototypes, larger than in any declaration
constexpr unsigned kDeepestChain = 500;

} // namespace

const Type* BtfImporter::import(uint32_t id)
{
    if (id == 0)
        return table_.void_type();
    if (base_ && id < file_.first_id())
        return base_->import(id);
    if (const auto known = nodes_.find(id); known != nodes_.end())
        return known->second;
    const btf_type* type = file_.type(id);
    if (!type || depth_ == kDeepestChain || !file_.ends(id))
        return table_.void_type();
    ++depth_;
    const Type* node = make(id, type);
    --depth_;
    nodes_[id] = node;
    return node;
}

const Type* BtfImporter::import_without_first_parameter(uint32_t id)
{
    const Type* const function = import(id)->resolve();
    if (function->kind != TypeKind::Function || function->parameters.empty())
        return nullptr;
    const auto [entry, is_new] = shortened_.try_emplace(id, nullptr);
    if (!is_new)
        return entry->second;
    Type* node = table_.make(TypeKind::Function);
    entry->second = node;
    node->target = function->target;
    node->variadic = function->variadic;
    node->parameters.assign(function->parameters.begin() + 1, function->parameters.end());
    node->parameter_names.assign(function->parameter_names.begin() + 1, function->parameter_names.end());
    return node;
}

const Type* BtfImporter::make(uint32_t id, const btf_type* type)
{
    switch (btf_kind(type)) {
    case BTF_KIND_INT:
    case BTF_KIND_FLOAT:
        return make_number(type);
    case BTF_KIND_PTR:
        return make_pointer(type);
    case BTF_KIND_ARRAY:
        return table_.array_of(import(btf_array(type)->type), btf_array(type)->nelems);
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
        return make_record(id, type);
    case BTF_KIND_ENUM:
    case BTF_KIND_ENUM64:
        return make_enum(id, type);
    case BTF_KIND_FWD: {
        Type* node = table_.make(btf_kflag(type) ? TypeKind::Union : TypeKind::Struct, name(type->name_off));
        node->incomplete = true;
        return node;
    }
    case BTF_KIND_TYPEDEF: {
        Type* node = table_.make(TypeKind::Typedef, name(type->name_off));
        nodes_[id] = node;
        node->target = import(type->type);
        node->size = node->target->size;
        return node;
    }
    case BTF_KIND_FUNC_PROTO:
        return make_function(id, type);
    case BTF_KIND_FUNC:
    case BTF_KIND_VAR:
    case BTF_KIND_CONST:
    case BTF_KIND_VOLATILE:
    case BTF_KIND_RESTRICT:
    case BTF_KIND_TYPE_TAG:
        return import(type->type);
    default:
        return table_.void_type();
    }
}

const Type* BtfImporter::make_number(const btf_type* type)
{
    const std::string spelled = name(type->name_off);
    const std::string_view spelling = d_spelling(spelled);
    if (btf_is_float(type) && !is_known_float(spelling, type->size))
        return table_.array_of(table_.integer(1, false), type->size);
    const Type* known = table_.named(spelling);
    if (known && known->size == type->size)
        return known;
    Type* node = table_.make(btf_is_float(type) ? TypeKind::Float : TypeKind::Integer, std::string(spelling));
    node->size = type->size;
    // BTF of kernels since 6.2 describes char as unsigned, but D's char is signed. So the name decides
    // (dtrace-language(7), TYPES).
    node->is_char = spelling == "char" || spelling == "signed char";
    node->is_signed = btf_is_int(type) && (node->is_char || (btf_int_encoding(type) & BTF_INT_SIGNED));
    return node;
}

const Type* BtfImporter::make_pointer(const btf_type* type)
{
    // Kernels built by clang mark user-space pointers with a type tag.
    AddressSpace space = AddressSpace::Kernel;
    const btf_type* target = file_.type(type->type);
    while (target && type->type != 0 && (btf_is_mod(target) || btf_is_type_tag(target))) {
        if (btf_is_type_tag(target) && file_.name(target->name_off) == "user")
            space = AddressSpace::User;
        target = target->type ? file_.type(target->type) : nullptr;
    }
    return table_.pointer_to(import(type->type), space, 8);
}

const Type* BtfImporter::make_record(uint32_t id, const btf_type* type)
{
    Type* node = table_.make(btf_is_struct(type) ? TypeKind::Struct : TypeKind::Union, name(type->name_off));
    node->size = type->size;
    node->complete = [this, id](std::vector<Member>& members, std::vector<Enumerator>&) {
        const btf_type* record = file_.type(id);
        members.reserve(btf_vlen(record));
        for (uint32_t i = 0; i < btf_vlen(record); ++i) {
            const btf_member& member = btf_members(record)[i];
            members.push_back({name(member.name_off), import(member.type), btf_member_bit_offset(record, i),
                               btf_member_bitfield_size(record, i)});
        }
    };
    return node;
}

const Type* BtfImporter::make_enum(uint32_t id, const btf_type* type)
{
    Type* node = table_.make(TypeKind::Enum, name(type->name_off));
    node->size = type->size;
    node->is_signed = btf_is_enum(type) || btf_kflag(type);
    node->complete = [this, id](std::vector<Member>&, std::vector<Enumerator>& enumerators) {
        const btf_type* list = file_.type(id);
        for (uint32_t i = 0; i < btf_vlen(list); ++i) {
            if (btf_is_enum(list))
                enumerators.push_back({name(btf_enum(list)[i].name_off), btf_enum(list)[i].val});
            else
                enumerators.push_back(
                    {name(btf_enum64(list)[i].name_off), static_cast<int64_t>(btf_enum64_value(&btf_enum64(list)[i]))});
        }
    };
    return node;
}

const Type* BtfImporter::make_function(uint32_t id, const btf_type* type)
{
    Type* node = table_.make(TypeKind::Function);
    nodes_[id] = node;
    node->target = import(type->type);
    for (uint32_t i = 0; i < btf_vlen(type); ++i) {
        const btf_param& parameter = btf_params(type)[i];
        if (parameter.type == 0) {
            node->variadic = true;
            continue;
        }
        node->parameters.push_back(import(parameter.type));
        node->parameter_names.push_back(name(parameter.name_off));
    }
    return node;
}

} // namespace dt

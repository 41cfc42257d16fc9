// A program begins with one struct that no kernel has.
#include "dcompiler/sema/declared_types.hpp"

namespace dt::sema {

DeclaredTypes::DeclaredTypes(TypeTable& types) : types_(types)
{
    // struct cpuinfo, which `curcpu` points to, is the tracer's own (dtrace-variables(7), curcpu).
    Type* cpuinfo = add_tag(TypeKind::Struct, "cpuinfo");
    cpuinfo->incomplete = false;
    cpuinfo->size = 16;
    const Type* kind = types.named("int");
    cpuinfo->complete = [kind](std::vector<Member>& members, std::vector<Enumerator>&) {
        const char* names[] = {"cpu_id", "cpu_pset", "cpu_chip", "cpu_lgrp"};
        for (uint64_t i = 0; i < 4; ++i)
            members.push_back({names[i], kind, 32 * i, 0});
    };
    Type* alias = types.make(TypeKind::Typedef, "cpuinfo_t");
    alias->target = cpuinfo;
    alias->size = 16;
    add_typedef(alias->name, alias);
}

const Type* DeclaredTypes::find_typedef(std::string_view name) const
{
    const auto found = typedefs_.find(name);
    return found != typedefs_.end() ? found->second : nullptr;
}

Type* DeclaredTypes::find_tag(TypeKind kind, std::string_view tag) const
{
    const auto of_kind = tags_.find(kind);
    if (of_kind == tags_.end())
        return nullptr;
    const auto found = of_kind->second.find(tag);
    return found != of_kind->second.end() ? found->second : nullptr;
}

Type* DeclaredTypes::add_tag(TypeKind kind, const std::string& tag)
{
    Type* made = types_.make(kind, tag);
    made->incomplete = true;
    return tags_[kind][tag] = made;
}

} // namespace dt::sema

// Registers structs that every program has and no kernel defines.
#include "dcompiler/sema/declared_types.hpp"

#include "bpf-runtime/account.h"

namespace dt::sema {

DeclaredTypes::DeclaredTypes(TypeTable& types) : types_(types)
{
    const Type* number = types.named("int");
    // Type of `*curcpu` (dtrace-variables(7), curcpu).
    add_own("cpuinfo", 16, [number](std::vector<Member>& members, std::vector<Enumerator>&) {
        const char* names[] = {"cpu_id", "cpu_pset", "cpu_chip", "cpu_lgrp"};
        for (uint64_t i = 0; i < 4; ++i)
            members.push_back({names[i], number, 32 * i, 0});
    });
    // Type of `waker`: the beginning of struct dt_waker (bpf-runtime/account.h).
    const Type* name = types.array_of(types.named("char"), sizeof(dt_waker::execname));
    add_own("wakerinfo", DT_WAKER_VALUE, [number, name](std::vector<Member>& members, std::vector<Enumerator>&) {
        members = {{"pid", number, 0, 0}, {"tid", number, 32, 0}, {"execname", name, 64, 0}};
    });
    // Type of `blockedon`: struct dt_blocked.
    const Type* word = types.named("uint64_t");
    add_own("blockinfo", sizeof(dt_blocked),
            [number, name, word](std::vector<Member>& members, std::vector<Enumerator>&) {
                members = {{"kind", name, 0, 0}, {"object", word, 128, 0}, {"holder", number, 192, 0}};
            });
}

/// Adds struct NAME and NAME_t.
void DeclaredTypes::add_own(const std::string& name, uint64_t size, Completion members)
{
    Type* made = add_tag(Definer::Library, TypeKind::Struct, name);
    made->incomplete = false;
    made->size = size;
    made->complete = std::move(members);
    Type* alias = types_.make(TypeKind::Typedef, name + "_t");
    alias->target = made;
    alias->size = size;
    add_typedef(Definer::Library, alias->name, alias);
}

const Type* DeclaredTypes::find_typedef(Definer definer, std::string_view name) const
{
    const auto& typedefs = of(definer).typedefs;
    const auto found = typedefs.find(name);
    return found != typedefs.end() ? found->second : nullptr;
}

const Type* DeclaredTypes::foreign(std::string_view name)
{
    if (const auto known = foreign_.find(name); known != foreign_.end())
        return known->second;
    Type* made = types_.make(TypeKind::Typedef, std::string(name));
    made->target = types_.named("unsigned long");
    made->size = made->target->size;
    return foreign_[made->name] = made;
}

Type* DeclaredTypes::find_tag(Definer definer, TypeKind kind, std::string_view tag) const
{
    const auto& tags = of(definer).tags;
    const auto of_kind = tags.find(kind);
    if (of_kind == tags.end())
        return nullptr;
    const auto found = of_kind->second.find(tag);
    return found != of_kind->second.end() ? found->second : nullptr;
}

Type* DeclaredTypes::add_tag(Definer definer, TypeKind kind, const std::string& tag)
{
    Type* made = types_.make(kind, tag);
    made->incomplete = true;
    return of(definer).tags[kind][tag] = made;
}

} // namespace dt::sema

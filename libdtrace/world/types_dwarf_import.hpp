// Importer of debug entries: makes one node per entry in one table.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "libdtrace/world/dwarf_names.hpp"

namespace dt {

class DwarfImporter final : public TypeSource::Imports {
public:
    DwarfImporter(TypeTable& table, DwarfNames& names) : table_(table), names_(names) {}

    /// Returns the type that an entry describes, or void if it describes no valid type.
    const Type* import(Dwarf_Die die);
    /// Returns the type of a variable, parameter, member or function result.
    const Type* type_of(Dwarf_Die die);
    /// Returns the entry from which a record, enum, typedef or function was made. Returns nothing for other types.
    std::optional<Dwarf_Die> entry_of(const Type* type) const
    {
        const auto known = entries_.find(type);
        return known == entries_.end() ? std::nullopt : std::optional(known->second);
    }
    const Type* pointer_to(const Type* target, uint64_t size)
    {
        return table_.pointer_to(target, AddressSpace::User, size == 4 ? 4 : 8);
    }

private:
    const Type* make(Dwarf_Die die);
    Type* make_named(Dwarf_Die die, TypeKind kind);
    const Type* make_number(Dwarf_Die die);
    const Type* make_array(Dwarf_Die die);
    const Type* make_typedef(Dwarf_Die die);
    const Type* make_record(Dwarf_Die die, TypeKind kind);
    const Type* make_enum(Dwarf_Die die);
    const Type* make_function(Dwarf_Die die);
    const Type* make_member_pointer(Dwarf_Die die);
    bool follow_declaration(Dwarf_Die die, Type& node);
    void add_members(Dwarf_Die record, std::vector<Member>& members, uint64_t size);
    void add_member(Dwarf_Die die, std::string name, std::vector<Member>& members, uint64_t size);
    bool is_sound(Dwarf_Die type, unsigned depth);
    static uint64_t address_size(Dwarf_Die die);

    TypeTable& table_;
    DwarfNames& names_;
    std::unordered_map<const void*, const Type*> nodes_; ///< by address of the entry
    std::unordered_map<const Type*, Dwarf_Die> entries_;
    std::unordered_map<const void*, bool> sound_; ///< records known to contain no cycle
    unsigned depth_ = 0;
};

} // namespace dt

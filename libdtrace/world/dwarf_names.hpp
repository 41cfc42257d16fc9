// Names of types and variables in a file's debug information, and in which namespaces they are.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dcompiler/sema/types.hpp"
#include "libdtrace/elf/dwarf_file.hpp"

namespace dt {

/// Units are read one after the other, and only until what is wanted has been found; each is read once.
class DwarfNames {
public:
    explicit DwarfNames(DwarfFile& file) : file_(file) {}

    /// The entry of a type or variable that is called so, whatever namespace it is in: a definition, else a
    /// declaration. A variable also has the name that its symbol has.
    std::optional<Dwarf_Die> find(TypeNamespace space, std::string_view name);
    /// The definition of what an entry declares.
    std::optional<Dwarf_Die> definition(TypeNamespace space, const Dwarf_Die& declaration);
    /// "shop::Cart"; empty where it has no name.
    std::string qualified(const Dwarf_Die& die);

private:
    struct Entry {
        Dwarf_Die die;
        const std::string* scope; ///< "shop::"; null: of no namespace
        bool is_definition;
        bool is_local; ///< a variable that other units do not see
    };
    using Entries = std::unordered_map<std::string_view, std::vector<Entry>>;

    void read(Dwarf_Die unit);
    void read_children(Dwarf_Die parent, const std::string* scope, unsigned depth);
    void read_entry(Dwarf_Die die, const std::string* scope, unsigned depth);
    void add(TypeNamespace space, const char* name, const Entry& entry);
    void add_variable(Dwarf_Die die, const std::string* scope);
    const std::string* inner(const std::string* scope, const char* name);
    template <typename Good> std::optional<Dwarf_Die> search(TypeNamespace space, std::string_view name, Good is_good);

    DwarfFile& file_;
    std::size_t next_unit_ = 0;
    DwarfBudget budget_{1 << 26};
    std::unordered_set<const void*> read_; ///< units, by the address of their entry
    std::map<TypeNamespace, Entries> entries_;
    std::deque<std::string> scopes_;
    std::map<std::pair<const std::string*, std::string>, const std::string*> inner_;
    std::unordered_map<const void*, const std::string*>
        scope_of_;                ///< of types in namespaces, by the address of their entry
    bool has_namespaces_ = false; ///< of the unit that is being read
};

} // namespace dt

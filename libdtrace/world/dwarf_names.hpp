// Name index of the types and variables in a file's debug information, with their namespaces.
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

/// Index that reads units in order, each once, and only until the requested name is found.
class DwarfNames {
public:
    explicit DwarfNames(DwarfFile& file) : file_(file) {}

    /// Returns the entry of a type or variable with this name in any namespace, preferring definitions. A variable also
    /// matches by its symbol's name.
    std::optional<Dwarf_Die> find(TypeNamespace space, std::string_view name);
    /// Returns the definition that belongs to a declaration.
    std::optional<Dwarf_Die> definition(TypeNamespace space, const Dwarf_Die& declaration);
    /// Returns a name with its namespace, such as "shop::Cart". Returns an empty string for unnamed entries.
    std::string qualified(const Dwarf_Die& die);

private:
    struct Entry {
        Dwarf_Die die;
        const std::string* scope; ///< "shop::"; null outside of namespaces
        bool is_definition;
        bool is_local; ///< a variable that is not visible to other units
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
    std::unordered_set<const void*> read_; ///< units already read, by address of their entry
    std::map<TypeNamespace, Entries> entries_;
    std::deque<std::string> scopes_;
    std::map<std::pair<const std::string*, std::string>, const std::string*> inner_;
    std::unordered_map<const void*, const std::string*> scope_of_; ///< namespaces of types, by address of their entry
    bool has_namespaces_ = false; ///< whether the language of the current unit has namespaces
};

} // namespace dt

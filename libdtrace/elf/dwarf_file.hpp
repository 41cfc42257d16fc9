// The debug information of an ELF file or of its debug file, opened by libdw on demand. It answers queries for
// functions by address, and for types and variables by name.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dcompiler/interface/types.hpp"
#include "libdtrace/elf/elf_file.hpp"

namespace dt {

/// Counts debug entries, in order to limit the number of them that are read from an untrusted file.
class DwarfBudget {
public:
    explicit DwarfBudget(uint64_t steps) : left_(steps) {}
    /// Counts one debug entry; returns false if the limit was already reached.
    bool take() { return left_ > 0 && left_-- > 0; }
    bool is_spent() const { return left_ == 0; }

private:
    uint64_t left_;
};

/// An ELF file's debug information. Not thread-safe. Returned debug entries and names are valid while the object
/// exists.
class DwarfFile {
public:
    /// Opens a file. Returns null if neither the file nor its debug file (elf_file.hpp) has valid debug information;
    /// `problem` then contains the reason. Reads only the headers of the file.
    static std::unique_ptr<DwarfFile> open(const std::string& path, std::string* problem = nullptr);
    /// `named` is the path of the file in the file system to which it belongs, such as the file system of a container.
    /// The debug file is searched relative to that path.
    static std::unique_ptr<DwarfFile> open(const std::string& path, const std::string& named,
                                           std::string* problem = nullptr);
    ~DwarfFile();
    DwarfFile(const DwarfFile&) = delete;
    DwarfFile& operator=(const DwarfFile&) = delete;

    /// Returns the first debug entry of each compilation unit; for a split unit, the first entry of its .dwo file.
    /// Compilation units of the dwz file (debug information shared between files) come last.
    const std::vector<Dwarf_Die>& units();
    /// Returns the compilation unit whose code contains a link-time address.
    std::optional<Dwarf_Die> unit(uint64_t address);
    /// Returns the function (DW_TAG_subprogram) whose code contains the address. The first query in a unit reads all
    /// functions of that unit.
    std::optional<Dwarf_Die> function(uint64_t address);
    /// Returns libdw's handle, which is null if the debug information could not be opened again after forget().
    Dwarf* dwarf() const { return dwarf_; }
    /// Frees all data that was read. Debug entries that were returned earlier become invalid.
    void forget();

private:
    struct Range {
        uint64_t start, end;
        Dwarf_Die die; ///< debug entry of the compilation unit or function
    };
    using Ranges = std::vector<Range>; ///< address ranges, sorted by start

    DwarfFile() = default;
    void find_units(Dwarf* dwarf);
    const Ranges& functions_of(const Dwarf_Die& unit);
    static void add_ranges(Dwarf_Die code, Dwarf_Die die, Ranges& ranges);
    static const Range* at(const Ranges& ranges, uint64_t address);
    static void find_functions(Dwarf_Die around, Ranges& ranges, DwarfBudget& budget, unsigned depth);

    std::unique_ptr<ElfFile> file_;
    Dwarf* dwarf_ = nullptr;
    bool has_looked_ = false;
    std::vector<Dwarf_Die> units_;
    Ranges unit_ranges_;
    /// functions of each compilation unit; the key is the address of the unit's first debug entry
    std::map<const void*, Ranges> functions_;
};

/// Calls `visit` for the children of a debug entry in order, until `visit` returns false or `budget` is used up.
template <typename Visit> void for_each_child(Dwarf_Die parent, DwarfBudget& budget, Visit visit)
{
    Dwarf_Die child, next;
    if (dwarf_child(&parent, &child) != 0)
        return;
    while (budget.take() && visit(child) && dwarf_siblingof(&child, &next) == 0 && next.addr > child.addr)
        child = next;
}

/// Makes a name from the file printable: returns it on one line, truncated if it is very long.
std::string printable_name(std::string_view name);
/// Returns the debug entry's name, or null if it has no name.
const char* dwarf_name(Dwarf_Die die);
/// Returns a numeric attribute of the debug entry, or of the entry to which it refers (DW_AT_abstract_origin,
/// DW_AT_specification). Returns nothing if the attribute is missing or is not a number.
std::optional<uint64_t> dwarf_number(Dwarf_Die die, unsigned attribute);
/// Returns the entry to which an attribute of the debug entry refers. Like dwarf_number(), also searches the entry's
/// origin for the attribute.
std::optional<Dwarf_Die> dwarf_reference(Dwarf_Die die, unsigned attribute);
/// Returns whether a flag attribute of the debug entry is set. Like dwarf_number(), also searches the entry's origin.
bool dwarf_flag(Dwarf_Die die, unsigned attribute);
/// Returns whether the debug entry is only a declaration. Unlike dwarf_number(), does not search other entries for the
/// attribute, because a definition may refer to its declaration.
bool is_declaration(Dwarf_Die die);
/// Returns the language of the debug entry's compilation unit (a DW_LANG value), or 0 if unknown.
int dwarf_language(Dwarf_Die die);

// Name index of the types and variables in a file's debug information, with their namespaces.

/// Index of names. It reads compilation units in order, each unit once, until the requested name is found.
class DwarfNames {
public:
    explicit DwarfNames(DwarfFile& file) : file_(file) {}

    /// Returns the debug entry of a type or variable with this name in any namespace, preferring definitions. A
    /// variable can also be found by the name of its ELF symbol.
    std::optional<Dwarf_Die> find(TypeNamespace space, std::string_view name);
    /// Returns the definition that belongs to a declaration.
    std::optional<Dwarf_Die> definition(TypeNamespace space, const Dwarf_Die& declaration);
    /// Returns a name with its namespace, such as "shop::Cart". Returns an empty string for unnamed entries.
    std::string qualified(const Dwarf_Die& die);

private:
    struct Entry {
        Dwarf_Die die;
        const std::string* scope; ///< namespace with a final "::", such as "shop::"; null if there is no namespace
        bool is_definition;
        bool is_local; ///< whether the debug entry describes a variable that is local to its compilation unit
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
    /// compilation units that were already read; the key is the address of their first debug entry
    std::unordered_set<const void*> read_;
    std::map<TypeNamespace, Entries> entries_;
    std::deque<std::string> scopes_;
    std::map<std::pair<const std::string*, std::string>, const std::string*> inner_;
    std::unordered_map<const void*, const std::string*> scope_of_; ///< namespaces of types, by address of their entry
    bool has_namespaces_ = false; ///< whether the language of the compilation unit that is being read has namespaces
};

} // namespace dt

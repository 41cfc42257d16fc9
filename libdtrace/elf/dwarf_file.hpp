// The debug information of one ELF file, its own or that of its debug file, opened by libdw when somebody asks.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libdtrace/elf/elf_file.hpp"

namespace dt {

/// How much of a file may be looked at: files may lie about everything.
class DwarfBudget {
public:
    explicit DwarfBudget(uint64_t steps) : left_(steps) {}
    /// One more step; false: enough.
    bool take() { return left_ > 0 && left_-- > 0; }
    bool is_spent() const { return left_ == 0; }

private:
    uint64_t left_;
};

/// Not thread-safe. What it gives out (entries, names) lives as long as the file.
class DwarfFile {
public:
    /// Null: neither the file nor its debug file (debug_files.hpp) has any debug information, or it is not to be
    /// believed, which `problem` tells then. Cost: the headers of the file; nothing of the information itself.
    static std::unique_ptr<DwarfFile> open(const std::string& path, std::string* problem = nullptr);
    /// `named`: what the file is called where it belongs, by which its debug file is looked for.
    static std::unique_ptr<DwarfFile> open(const std::string& path, const std::string& named,
                                           std::string* problem = nullptr);
    ~DwarfFile();
    DwarfFile(const DwarfFile&) = delete;
    DwarfFile& operator=(const DwarfFile&) = delete;

    /// Each unit's own entry; of a split one, that of its .dwo file. Those of the file that dwz made for several come
    /// last.
    const std::vector<Dwarf_Die>& units();
    /// The unit that has code at a link-time address.
    std::optional<Dwarf_Die> unit(uint64_t address);
    /// The function (DW_TAG_subprogram) that has code there. The first question about a unit looks at all of its
    /// functions.
    std::optional<Dwarf_Die> function(uint64_t address);
    /// Gives up all that was read, and what was given out with it.
    void forget();

private:
    struct Range {
        uint64_t start, end;
        Dwarf_Die die; ///< of a unit, or of a function
    };
    using Ranges = std::vector<Range>; ///< by start

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
    std::map<const void*, Ranges> functions_; ///< by the address of the unit's entry
};

/// Visits the children of an entry in their order, until `visit` returns false or the budget is spent.
template <typename Visit> void for_each_child(Dwarf_Die parent, DwarfBudget& budget, Visit visit)
{
    Dwarf_Die child, next;
    if (dwarf_child(&parent, &child) != 0)
        return;
    while (budget.take() && visit(child) && dwarf_siblingof(&child, &next) == 0 && next.addr > child.addr)
        child = next;
}

/// A name for people, on one line, cut off when it is very long.
std::string printable_name(std::string_view name);
/// Null: it has none.
const char* dwarf_name(Dwarf_Die die);
/// Of the entry, or of the one it stands for (DW_AT_abstract_origin, DW_AT_specification); nothing: it has none, or not
/// as a number.
std::optional<uint64_t> dwarf_number(Dwarf_Die die, unsigned attribute);
/// The entry that an attribute, found likewise, refers to.
std::optional<Dwarf_Die> dwarf_reference(Dwarf_Die die, unsigned attribute);
bool dwarf_flag(Dwarf_Die die, unsigned attribute); ///< likewise
/// Is it defined elsewhere? Of the entry alone: a definition may refer to its declaration.
bool is_declaration(Dwarf_Die die);
/// DW_LANG of the unit an entry is in; 0: not told.
int dwarf_language(Dwarf_Die die);

} // namespace dt

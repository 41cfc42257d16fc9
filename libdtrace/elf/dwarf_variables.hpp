// Finds the variables that are visible at an address, in debug information: parameters and variables of the function
// and of blocks in it, and global variables.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "libdtrace/elf/dwarf_file.hpp"
#include "libdtrace/elf/dwarf_location.hpp"

namespace dt {

struct VisibleVariable {
    std::string name;
    Dwarf_Die die;
    bool is_parameter = false;
    VariableLocation location;
    /// reason why a probe cannot read the variable, with the nearest line where it can; empty if it can
    std::string refusal;
};

class DwarfVariables {
public:
    /// `path` is the program file to which the debug information belongs.
    DwarfVariables(DwarfFile& file, DwarfNames& names, const std::string& path)
        : file_(file), names_(names), frames_(path, file.dwarf())
    {
    }

    /// Returns the variables at a link-time address: the one with this name, or if the name is empty, all variables of
    /// the innermost function, which may be inlined. An inner variable hides outer ones of the same name. `problem`
    /// receives the reason why the variables are unknown.
    std::vector<VisibleVariable> find(uint64_t address, const std::string& name, std::string& problem);

private:
    struct Declared {
        std::string name;
        Dwarf_Die die;
        Dwarf_Die scope; ///< block or function that declares the variable
    };

    void add_scope(Dwarf_Die scope, uint64_t address, std::vector<Declared>& found, DwarfBudget& budget,
                   unsigned depth);
    static void add_undescribed(Dwarf_Die abstract, const std::set<const void*>& described,
                                std::vector<Declared>& found, DwarfBudget& budget, unsigned depth);
    std::optional<Dwarf_Die> global(const Dwarf_Die& unit, const std::string& name);
    VisibleVariable compiled(const CodePosition& position, const Declared& declared, bool has_scope, bool wants_line);
    std::string nearest_line(const CodePosition& position, const Declared& declared, uint64_t size, bool has_scope);

    DwarfFile& file_;
    DwarfNames& names_;
    FrameTables frames_;
};

} // namespace dt

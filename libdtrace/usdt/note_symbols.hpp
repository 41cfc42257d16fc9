// The variables that operands of notes name. Several source files of a program may have a static variable of one name
// each, and an operand means that of its own file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libdtrace/elf/dwarf_file.hpp"
#include "libdtrace/elf/elf_file.hpp"

namespace dt::usdt {

class NoteSymbols {
public:
    /// The file of this path, which is read when the first symbol is asked for.
    explicit NoteSymbols(const std::string& path) : path_(path) {}

    struct Found {
        uint64_t address = 0;      ///< link-time
        std::string problem = {};  ///< why it is not known; empty: it is
        bool is_ambiguous = false; ///< with a problem: there are several, and nothing tells which one is meant
    };
    /// Finds the symbol that code at a link-time address of the file means by the name. Of several, first debug
    /// information tells which one the unit of the code has, then the file symbol (STT_FILE) of the code's function.
    /// Cost: the symbol table.
    Found find(std::string_view name, uint64_t site);

private:
    static constexpr uint32_t kGlobal = 0, kNoFile = 1;
    struct Definition {
        uint64_t address = 0;
        uint32_t file = kGlobal; ///< number of the file symbol that owns it; kGlobal of a global one
    };
    using Definitions = std::vector<Definition>;

    template <typename Visit> void for_each_definition(const Visit& visit);
    std::optional<uint64_t> by_debug_information(const Definitions& definitions, std::string_view name, uint64_t site);
    std::optional<uint64_t> by_file_symbol(const Definitions& definitions, uint64_t site);

    const std::string path_;
    std::unique_ptr<ElfFile> file_;
    std::unique_ptr<DwarfFile> debug_;
    bool has_debug_ = true;
};

} // namespace dt::usdt

// Resolves the variables named in operands of notes. Several source files of a program may each have a static variable
// of one name; an operand means that of its own file.
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
    /// `path` is the file, which is read at the first query.
    explicit NoteSymbols(const std::string& path) : path_(path) {}

    struct Found {
        uint64_t address = 0;      ///< link-time address of the symbol
        std::string problem = {};  ///< reason of a failure; empty on success
        bool is_ambiguous = false; ///< whether the problem is that several symbols match and their files are unknown
    };
    /// Finds the symbol that code at a link-time address of the file means by the name. Among several, debug
    /// information chooses the one in the code's unit, else the file symbol (STT_FILE) of the code's function. Cost:
    /// reads the symbol table.
    Found find(std::string_view name, uint64_t site);

private:
    static constexpr uint32_t kGlobal = 0, kNoFile = 1;
    struct Definition {
        uint64_t address = 0;
        uint32_t file = kGlobal; ///< number of its file symbol; kGlobal for a global symbol
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

// Notes about a program's probes. A note of SystemTap (section .note.stapsdt) contains the address of a no-op and the
// probe's arguments. A note of -G (section .note.dtrace) contains the address of a counter. The program reads the
// counter to find out whether the probe is enabled.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/interface/plan.hpp"
#include "libdtrace/elf/dwarf_file.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "machine/machine.hpp"

namespace dt::usdt {

struct Note {
    uint64_t site = 0; ///< link-time address of the no-op
    /// link-time address of a 16-bit counter that is not 0 while the probe is enabled; 0 if there is no counter
    uint64_t semaphore = 0;
    std::string provider, probe;
    std::string arguments; ///< text of the operands, which read_operands() parses
};

/// Reads the notes of a section. `base` is the link-time address of the section .stapsdt.base, or 0 if there is none.
/// Its value reveals whether prelink has moved the program after linking. Ignores truncated notes and notes of other
/// kinds.
std::vector<Note> read_notes(std::span<const uint8_t> section, uint64_t base);

inline constexpr char kCounterNoteSection[] = ".note.dtrace";

/// A 16-bit counter that the kernel increments while a probe is attached.
struct CounterNote {
    uint64_t counter = 0; ///< link-time address of the counter; 0 if the linker has dropped it
    std::string provider, probe;
};

/// Appends a note about a counter. Returns the offset in `section` of the 64-bit word for the counter's address.
std::size_t add_counter_note(std::vector<uint8_t>& section, const std::string& provider, const std::string& probe);

/// Reads the notes of a section. Ignores truncated notes and notes of other kinds.
std::vector<CounterNote> read_counter_notes(std::span<const uint8_t> section);

// Resolves the variables named in operands of notes. Several source files of a program may each define a static
// variable with the same name; an operand refers to the variable in its own source file.

class NoteSymbols {
public:
    /// `path` is the file's path. The file is read at the first query.
    explicit NoteSymbols(const std::string& path) : path_(path) {}

    struct Found {
        uint64_t address = 0;     ///< link-time address of the variable
        std::string problem = {}; ///< why no variable was found; empty on success
        /// whether several symbols match and their source files are unknown, so that none was selected
        bool is_ambiguous = false;
    };
    /// Finds the variable to which a name refers in the code at link-time address `site`. If several symbols have the
    /// name, selects the symbol in the code's own source file: by debug information, else by the file symbol (STT_FILE)
    /// of the code's function. Cost: reads the symbol table.
    Found find(std::string_view name, uint64_t site);

private:
    static constexpr uint32_t kGlobal = 0, kNoFile = 1;
    struct Definition {
        uint64_t address = 0;
        /// Index of the file symbol (STT_FILE) before the variable's symbol; kGlobal for a global symbol.
        uint32_t file = kGlobal;
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

// Parses the arguments of a probe in an ELF note, which are in assembler syntax. For example, "4@$5" is the constant 5
// in four bytes (dtrace-providers(7), usdt).

struct NoteArgument {
    std::string type; ///< D type of the argument: int8_t … uint64_t
    Location where;   ///< location of the argument; of kind Zero if the operand cannot be read when the probe fires
    /// name of a symbol whose address must be added to the address in `where`; empty if the latter is absolute
    std::string symbol;
    std::string unreadable; ///< reason why the kind of `where` is Zero
};

/// Returns one argument for each operand, in their order. Never fails: if an operand cannot be parsed, `unreadable` of
/// its argument contains the reason. `machine` is the machine of the file.
std::vector<NoteArgument> read_operands(std::string_view text, const machine::Machine& machine = machine::native());

} // namespace dt::usdt

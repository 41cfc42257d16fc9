// Writes a relocatable ELF file that consists of sections, symbols and relocations: the output of -G for the linker.
#pragma once

#include <elf.h>

#include <cstdint>
#include <string>
#include <vector>

#include "machine/machine.hpp"

namespace dt::usdt {

class ObjectWriter {
public:
    /// `machine` must outlive the writer. The written file is a 64-bit object for this machine.
    explicit ObjectWriter(const machine::Machine& machine) : machine_(machine) {}

    struct Relocation {
        uint64_t offset = 0; ///< offset in the section of the bytes to which the relocation applies
        uint32_t type = 0;
        /// name of the symbol to which the relocation refers; the symbol is defined by add_symbol() or in another
        /// object
        std::string symbol;
        int64_t addend = 0;
    };
    struct Section {
        std::string name;
        uint32_t type = SHT_PROGBITS;
        uint64_t flags = 0, align = 1;
        std::vector<uint8_t> bytes = {};
        std::vector<Relocation> relocations = {};
    };

    /// Appends a section to the file and returns the section's index.
    uint16_t add_section(Section section);
    /// Defines a symbol in a section. `info` and `visibility` are as in Elf64_Sym.
    void add_symbol(const std::string& name, uint8_t info, uint8_t visibility, uint16_t section, uint64_t value,
                    uint64_t size);
    /// Returns the bytes of the file. If add_section() and add_symbol() are called with the same arguments in the same
    /// order, the bytes are the same.
    std::vector<uint8_t> write();

private:
    struct Symbol {
        std::string name;
        Elf64_Sym entry;
        bool is_local() const { return ELF64_ST_BIND(entry.st_info) == STB_LOCAL; }
    };

    void add_undefined_symbols();
    std::vector<uint8_t> relocation_entries(const std::vector<Relocation>& relocations) const;
    void add_tables();

    const machine::Machine& machine_;
    std::vector<Section> sections_;
    std::vector<Elf64_Shdr> links_; ///< links_[i] contains the fields sh_link, sh_info and sh_entsize of sections_[i]
    std::vector<Symbol> symbols_;
};

// Functions that build parts of object files from the bytes of plain values.

/// Appends the bytes of a plain value, in the byte order of this machine.
template <typename T> void append_bytes(std::vector<uint8_t>& bytes, const T& value)
{
    const auto* const first = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof value);
}

} // namespace dt::usdt

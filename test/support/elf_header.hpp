// Creates the header of an ELF file for tests.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace dt::test {

/// Returns the header of a 64-bit shared library without segments. `at` is the offset of the section headers,
/// `sections` their number, and `names` the index of the section with their names.
inline Elf64_Ehdr elf_header(uint16_t machine, std::size_t at, uint16_t sections, uint16_t names)
{
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_DYN;
    header.e_machine = machine;
    header.e_version = EV_CURRENT;
    header.e_ehsize = sizeof header;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shoff = at;
    header.e_shnum = sections;
    header.e_shstrndx = names;
    return header;
}

} // namespace dt::test

// Fuzz target: reads an untrusted .eh_frame section, and converts it to the pages by which the tracer walks stacks.
//
// The input is a list of changes to a valid section. Its first byte chooses the processor, the word size, and whether
// only one function's program is read. Then come pairs of an offset and a new byte, then a pair of zeros, then bytes
// that are appended to the section.
#include <elf.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "libdtrace/stacks/unwind_program.hpp"
#include "libdtrace/stacks/unwind_table.hpp"
#include "test/support/elf_header.hpp"

namespace {

/// A CIE and two functions for x86-64. The first one has a frame pointer, an early return and stack alignment; the
/// second one is the linker's procedure linkage table.
constexpr std::array<uint8_t, 88> kSection = {
    20,   0,    0,  0,    0,    0,    0,    0,  1,    'z',  'R',  0, 1,    0x78, 16, 1,    0x1b,
    0x0c, 7,    8,  0x90, 1,    0,    0,                                                      // CIE
    36,   0,    0,  0,    28,   0,    0,    0,  0,    1,    0,    0, 0,    1,    0,  0,    0, // FDE
    0x41, 0x0e, 16, 0x86, 2,    0x43, 0x0d, 6,  0x5c, 0x0a, 0x0f, 3, 0x76, 0x78, 6,  0x10, 6,
    2,    0x76, 0,  0x41, 0x0b, 0xc6, 16,   0,  0,    0,    68,   0, 0,    0,    0,  1,    0,
    0,    64,   0,  0,    0,    0,    0x0e, 16, 0, // FDE
};
/// A CIE and a function for a machine whose calls leave the return address in a register. The function creates and
/// removes a frame, and signs its return address.
constexpr std::array<uint8_t, 56> kLinkedSection = {
    16,   0,    0,  0,    0,  0,    0, 0,    1,    'z', 'R',  0,    4,    0x78, 30,   1,  0x1b, 0x0c, 31, 0, // CIE
    32,   0,    0,  0,    24, 0,    0, 0,    0,    1,   0,    0,    64,   0,    0,    0,  0,                 // FDE
    0x41, 0x0e, 32, 0x9d, 4,  0x9e, 3, 0x41, 0x0d, 29,  0x2d, 0x46, 0xdd, 0xde, 0x0c, 31, 0,    0,    0,
};

struct Good {
    std::span<const uint8_t> section;
    std::size_t program, program_size; ///< position and size of the call frame program of the first function
    const dt::machine::Machine& machine;
};

Good good_one(bool is_linked)
{
    static const Good kPlain{kSection, 41, 23, *dt::machine::named("x86_64")},
        kLinked{kLinkedSection, 37, 19, *dt::machine::named("arm64")};
    return is_linked ? kLinked : kPlain;
}

constexpr char kNames[] = "\0.eh_frame";

/// Returns an ELF file with only this section.
std::vector<char> file_with(const std::vector<uint8_t>& section, uint16_t machine)
{
    const std::size_t content = section.size(), names = sizeof(Elf64_Ehdr) + content;
    const std::size_t headers = (names + sizeof kNames + 7) / 8 * 8;
    const Elf64_Ehdr header = dt::test::elf_header(machine, headers, 3, 2);
    Elf64_Shdr sections[3]{};
    sections[1].sh_name = 1;
    sections[1].sh_type = SHT_PROGBITS;
    sections[1].sh_addr = 0x1000;
    sections[1].sh_offset = sizeof header;
    sections[1].sh_size = content;
    sections[2].sh_type = SHT_STRTAB;
    sections[2].sh_offset = names;
    sections[2].sh_size = sizeof kNames;
    std::vector<char> file(headers + sizeof sections);
    std::memcpy(file.data(), &header, sizeof header);
    std::memcpy(file.data() + sizeof header, section.data(), section.size());
    std::memcpy(file.data() + names, kNames, sizeof kNames);
    std::memcpy(file.data() + headers, sections, sizeof sections);
    return file;
}

std::vector<dt::UnwindRow> rows_of_section(const std::vector<uint8_t>& section, const dt::machine::Machine& machine)
{
    std::vector<char> file = file_with(section, machine.elf);
    elf_version(EV_CURRENT);
    const std::unique_ptr<Elf, decltype(&elf_end)> elf(elf_memory(file.data(), file.size()), elf_end);
    return dt::read_unwind_rows(elf.get(), nullptr, machine);
}

std::vector<dt::UnwindRow> rows_of_program(const std::vector<uint8_t>& program, const dt::machine::Machine& machine,
                                           bool is_narrow, bool is_signal)
{
    dt::UnwindCommon common;
    common.machine = is_narrow ? machine.narrow_unwind : machine.unwind;
    common.return_register = common.machine.return_address;
    common.signal = is_signal;
    std::vector<dt::UnwindRow> rows;
    dt::run_unwind_programs(common, program, 0x1000, 0x9000, rows);
    return rows;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    const bool is_program = data[0] & 1;
    const Good good = good_one(data[0] & 8);
    const auto from = is_program ? good.section.subspan(good.program, good.program_size) : good.section;
    std::vector<uint8_t> bytes(from.begin(), from.end());
    std::size_t at = 1;
    for (; at + 1 < size && (data[at] != 0 || data[at + 1] != 0); at += 2)
        bytes[data[at] % bytes.size()] = data[at + 1];
    if (at + 2 < size)
        bytes.insert(bytes.end(), data + at + 2, data + size);
    const std::vector<dt::UnwindRow> rows = is_program ? rows_of_program(bytes, good.machine, data[0] & 2, data[0] & 4)
                                                       : rows_of_section(bytes, good.machine);
    std::vector<dt_unwind_rule> numbered(DT_UNWIND_RULES);
    dt::UnwindRules rules(numbered.data());
    const dt::PackedUnwindRows packed(rows);
    dt::UnwindParts parts(packed, rules);
    while (const auto part = parts.next())
        if (part->words.size() > DT_UNWIND_CHUNK_WORDS || part->words.size() < part->pages)
            std::abort();
    dt::PackedUnwindRows::deserialize({reinterpret_cast<const char*>(data), size});
    return 0;
}

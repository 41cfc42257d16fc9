// Writes headers, sections and tables of an ELF file. Local symbols come first, as linkers require.
#include "libdtrace/usdt/object_writer.hpp"

#include <algorithm>
#include <cstring>

namespace dt::usdt {
namespace {

void append_text(std::vector<uint8_t>& bytes, const std::string& text)
{
    bytes.insert(bytes.end(), text.begin(), text.end());
    bytes.push_back(0);
}

void align(std::vector<uint8_t>& bytes, uint64_t to)
{
    bytes.resize((bytes.size() + to - 1) / to * to);
}

} // namespace

uint16_t ObjectWriter::add_section(Section section)
{
    sections_.push_back(std::move(section));
    links_.push_back({});
    return static_cast<uint16_t>(sections_.size()); // adds the null section (index 0)
}

void ObjectWriter::add_symbol(const std::string& name, uint8_t info, uint8_t visibility, uint16_t section,
                              uint64_t value, uint64_t size)
{
    symbols_.push_back({name, {0, info, visibility, section, value, size}});
}

void ObjectWriter::add_undefined_symbols()
{
    for (const Section& section : sections_)
        for (const Relocation& each : section.relocations)
            if (std::none_of(symbols_.begin(), symbols_.end(), [&](const Symbol& s) { return s.name == each.symbol; }))
                add_symbol(each.symbol, ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), STV_DEFAULT, SHN_UNDEF, 0, 0);
    std::stable_partition(symbols_.begin(), symbols_.end(), [](const Symbol& symbol) { return symbol.is_local(); });
}

std::vector<uint8_t> ObjectWriter::relocation_entries(const std::vector<Relocation>& relocations) const
{
    std::vector<uint8_t> bytes;
    for (const Relocation& each : relocations) {
        const auto found =
            std::find_if(symbols_.begin(), symbols_.end(), [&](const Symbol& s) { return s.name == each.symbol; });
        const auto number = static_cast<uint64_t>(found - symbols_.begin()) + 1; // adds the null symbol (index 0)
        append_bytes(bytes, Elf64_Rela{each.offset, ELF64_R_INFO(number, each.type), each.addend});
    }
    return bytes;
}

/// Creates the sections for relocations, symbols and their names.
void ObjectWriter::add_tables()
{
    add_undefined_symbols();
    const std::size_t own = sections_.size();
    const auto relocated = static_cast<std::size_t>(std::count_if(
        sections_.begin(), sections_.end(), [](const Section& section) { return !section.relocations.empty(); }));
    const auto symbols = static_cast<uint32_t>(own + relocated + 1);
    for (std::size_t i = 0; i < own; ++i) {
        if (sections_[i].relocations.empty())
            continue;
        const auto entries = relocation_entries(sections_[i].relocations);
        add_section({".rela" + sections_[i].name, SHT_RELA, SHF_INFO_LINK, 8, entries});
        links_.back() = {.sh_link = symbols, .sh_info = static_cast<uint32_t>(i + 1), .sh_entsize = sizeof(Elf64_Rela)};
    }
    std::vector<uint8_t> entries, strings = {0};
    append_bytes(entries, Elf64_Sym{});
    uint32_t locals = 1;
    for (Symbol& symbol : symbols_) {
        symbol.entry.st_name = static_cast<uint32_t>(strings.size());
        append_text(strings, symbol.name);
        append_bytes(entries, symbol.entry);
        locals += symbol.is_local();
    }
    add_section({".symtab", SHT_SYMTAB, 0, 8, entries});
    links_.back() = {.sh_link = symbols + 1, .sh_info = locals, .sh_entsize = sizeof(Elf64_Sym)};
    add_section({".strtab", SHT_STRTAB, 0, 1, strings});
    const uint16_t names = add_section({".shstrtab", SHT_STRTAB});
    sections_[names - 1].bytes.push_back(0);
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        links_[i].sh_name = static_cast<uint32_t>(sections_[names - 1].bytes.size());
        append_text(sections_[names - 1].bytes, std::string(sections_[i].name));
    }
}

std::vector<uint8_t> ObjectWriter::write()
{
    add_tables();
    std::vector<uint8_t> file(sizeof(Elf64_Ehdr));
    std::vector<uint8_t> headers;
    append_bytes(headers, Elf64_Shdr{});
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        const Section& section = sections_[i];
        align(file, section.align);
        Elf64_Shdr header = links_[i];
        header.sh_type = section.type;
        header.sh_flags = section.flags;
        header.sh_offset = file.size();
        header.sh_size = section.bytes.size();
        header.sh_addralign = section.align;
        append_bytes(headers, header);
        file.insert(file.end(), section.bytes.begin(), section.bytes.end());
    }
    align(file, 8);
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_ident[EI_OSABI] = ELFOSABI_GNU; // SHF_GNU_RETAIN is valid only with this ABI
    header.e_type = ET_REL;
    header.e_machine = machine_.elf;
    header.e_version = EV_CURRENT;
    header.e_shoff = file.size();
    header.e_ehsize = sizeof header;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<uint16_t>(sections_.size() + 1);
    header.e_shstrndx = static_cast<uint16_t>(sections_.size());
    std::memcpy(file.data(), &header, sizeof header);
    file.insert(file.end(), headers.begin(), headers.end());
    return file;
}

} // namespace dt::usdt

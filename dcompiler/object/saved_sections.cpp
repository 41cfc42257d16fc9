// Reads variables' positions from a finished ELF file, and appends a section.
#include <libelf.h>

#include <cstring>

#include "base/elf_image.hpp"
#include "base/memory_file.hpp"
#include "dcompiler/object/saved.hpp"

namespace dt {
namespace {

Error unwritable()
{
    return Error{std::string("cannot write an object file: ") + elf_errmsg(-1)};
}

/// Appends a section name and returns its offset, or 0 on failure.
std::size_t add_name(Elf* elf, std::string& name)
{
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return 0;
    Elf_Scn* const section = elf_getscn(elf, names);
    const Elf64_Shdr* const header = section ? elf64_getshdr(section) : nullptr;
    Elf_Data* const data = header ? elf_newdata(section) : nullptr;
    if (!data)
        return 0;
    data->d_buf = name.data();
    data->d_size = name.size() + 1;
    data->d_align = 1;
    data->d_version = EV_CURRENT;
    return header->sh_size;
}

} // namespace

std::vector<DataPlace> data_places(std::span<const uint8_t> elf)
{
    std::vector<DataPlace> places;
    const ElfHandle handle = open_image(elf);
    std::size_t names = 0;
    if (!handle || elf_getshdrstrndx(handle.get(), &names) != 0)
        return places;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(handle.get(), section));) {
        const Elf64_Shdr* const header = elf64_getshdr(section);
        const Elf_Data* const data = header && header->sh_type == SHT_SYMTAB ? elf_getdata(section, nullptr) : nullptr;
        for (std::size_t i = 0; data && i < data->d_size / sizeof(Elf64_Sym); ++i) {
            Elf64_Sym symbol;
            std::memcpy(&symbol, static_cast<const char*>(data->d_buf) + i * sizeof symbol, sizeof symbol);
            Elf_Scn* const of =
                ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT ? elf_getscn(handle.get(), symbol.st_shndx) : nullptr;
            const Elf64_Shdr* const of_header = of ? elf64_getshdr(of) : nullptr;
            const char* const name = of_header ? elf_strptr(handle.get(), header->sh_link, symbol.st_name) : nullptr;
            const char* const where = name ? elf_strptr(handle.get(), names, of_header->sh_name) : nullptr;
            if (where)
                places.push_back({name, where, symbol.st_value, symbol.st_size});
        }
    }
    return places;
}

Result<std::vector<uint8_t>> with_section(std::span<const uint8_t> elf, std::string_view name, std::string_view text)
{
    auto file = MemoryFile::make("dtrace-saved");
    if (!file)
        return file.error();
    if (Result<void> written = file->write(elf); !written)
        return written.error();
    elf_version(EV_CURRENT);
    const ElfHandle handle(elf_begin(file->fd(), ELF_C_RDWR, nullptr), elf_end);
    if (!handle)
        return unwritable();
    std::string name_text(name), bytes(text); // copies, because libelf's interface predates const
    const std::size_t name_at = add_name(handle.get(), name_text);
    Elf_Scn* const section = name_at != 0 ? elf_newscn(handle.get()) : nullptr;
    Elf_Data* const data = section ? elf_newdata(section) : nullptr;
    Elf64_Shdr* const header = data ? elf64_getshdr(section) : nullptr;
    if (!header)
        return unwritable();
    data->d_type = ELF_T_BYTE;
    data->d_buf = bytes.data();
    data->d_size = bytes.size();
    data->d_align = 1;
    data->d_version = EV_CURRENT;
    header->sh_name = static_cast<Elf64_Word>(name_at);
    header->sh_type = SHT_PROGBITS;
    header->sh_addralign = 1;
    if (elf_update(handle.get(), ELF_C_WRITE) < 0)
        return unwritable();
    return file->read();
}

} // namespace dt

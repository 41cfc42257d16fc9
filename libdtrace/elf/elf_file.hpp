// An ELF file that is open for reading, closed when it goes out of scope, and the one way through its symbol tables.
#pragma once

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace dt {

class ElfFile {
public:
    explicit ElfFile(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC))
    {
        elf_version(EV_CURRENT);
        if (descriptor_ >= 0)
            elf_ = elf_begin(descriptor_, ELF_C_READ_MMAP, nullptr);
    }
    ~ElfFile()
    {
        if (elf_)
            elf_end(elf_);
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }
    ElfFile(const ElfFile&) = delete;
    ElfFile& operator=(const ElfFile&) = delete;

    /// Null when there is no such file, or it is no ELF file.
    Elf* get() const { return elf_ && elf_kind(elf_) == ELF_K_ELF ? elf_ : nullptr; }

    /// -1: there is no such file.
    int descriptor() const { return descriptor_; }

    /// By which it can be opened once more, whatever its name is by now.
    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
    int descriptor_;
    Elf* elf_ = nullptr;
};

/// What names begin with that -G gives to functions with probes, beside their own: nobody means a function by them.
inline constexpr std::string_view kLinkAlias = "$dtrace";

/// Of a longer name nobody reads the rest. Thousands of symbols may lie in one name of a file that is not well-meant.
inline constexpr std::size_t kLongestName = 4096;

/// visit(symbol, name) for each symbol of .symtab and .dynsym that has a name of its own; with a version, where it has
/// one: "environ@GLIBC_2.2.5". The name lies in the file, as long as that is open.
template <typename Visit> void for_each_symbol(Elf* elf, Visit visit)
{
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM) ||
            header.sh_entsize == 0)
            continue;
        Elf_Data* const data = elf_getdata(section, nullptr);
        const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
        GElf_Sym symbol;
        for (int i = 0; data && i < count && gelf_getsym(data, i, &symbol); ++i)
            if (const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name); name && *name)
                if (const std::string_view known(name, strnlen(name, kLongestName)); !known.starts_with(kLinkAlias))
                    visit(symbol, known);
    }
}

/// Nothing: there is no section of that name.
inline std::optional<GElf_Shdr> find_section(Elf* elf, std::string_view wanted, Elf_Scn** found = nullptr)
{
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return {};
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        const char* const name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : nullptr;
        if (!name || name != wanted)
            continue;
        if (found)
            *found = section;
        return header;
    }
    return {};
}

/// A name without the version behind it.
inline std::string_view without_version(std::string_view name)
{
    return name.substr(0, name.find('@'));
}

/// The lower the more a name is meant for others: global, weak, local.
inline int rank_of_binding(const GElf_Sym& symbol)
{
    const unsigned binding = GELF_ST_BIND(symbol.st_info);
    return binding == STB_GLOBAL ? 0 : binding == STB_WEAK ? 1 : 2;
}

} // namespace dt

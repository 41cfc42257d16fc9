// An open ELF file, and the common functions to walk its symbol tables and sections. Also finds the debug files of
// stripped files.
#pragma once

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
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

    /// Returns libelf's handle; null if the file does not exist or is not an ELF file.
    Elf* get() const { return elf_ && elf_kind(elf_) == ELF_K_ELF ? elf_ : nullptr; }

    /// Returns the descriptor of the open file; -1 if the file does not exist.
    int descriptor() const { return descriptor_; }

    /// Returns a /proc/self/fd path that reopens the file even after a rename.
    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
    int descriptor_;
    Elf* elf_ = nullptr;
};

/// Prefix of the additional symbol names that option -G gives to functions with probes. Users never write these names.
inline constexpr std::string_view kLinkAlias = "$dtrace";

/// Maximum length of a symbol's name in bytes; the rest of the name is ignored. The limit exists because a malicious
/// file can have thousands of symbols that share one long name.
inline constexpr std::size_t kLongestName = 4096;

/// Calls visit(symbol, name) for each named symbol of .symtab and .dynsym. A versioned name includes its version:
/// "environ@GLIBC_2.2.5". Names are valid while the file is open.
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

/// Finds a section by name. Returns nothing if it does not exist.
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

/// Returns a symbol's name without its version.
inline std::string_view without_version(std::string_view name)
{
    return name.substr(0, name.find('@'));
}

/// Returns a rank for a symbol's binding. More visible bindings have lower ranks: 0 global, 1 weak, 2 local.
inline int rank_of_binding(const GElf_Sym& symbol)
{
    const unsigned binding = GELF_ST_BIND(symbol.st_info);
    return binding == STB_GLOBAL ? 0 : binding == STB_WEAK ? 1 : 2;
}

// Finds the symbols and debug information that were stripped from a file.

/// Returns the bytes of the note NT_GNU_BUILD_ID, or an empty string if there is none.
std::string build_id(Elf* elf);
/// Returns a build id in hexadecimal.
std::string build_id_text(std::string_view bytes);

class ElfFile;

/// Opens the debug file of `elf`, which was opened at `path`. Searches by build id, then by the name in .gnu_debuglink,
/// and checks the build id or the checksum. Returns null if there is no such file. If the path is below /proc/PID, that
/// process's file system is searched.
std::unique_ptr<ElfFile> open_debug_file(Elf* elf, const std::string& path);

/// Calls `visit` with an ELF file that contains the symbols stripped from `elf`, which was opened at `path`. This is
/// the debug file or, if there is none, the unpacked .gnu_debugdata. Does nothing if `elf` still has its .symtab.
void visit_stripped_symbols(Elf* elf, const std::string& path, const std::function<void(Elf*)>& visit);

} // namespace dt

#include "libdtrace/elf/identification.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>

namespace dt {
namespace {

constexpr std::size_t kMaxSegments = 256;
/// Maximum number of bytes that are read of a segment with ELF notes. The kernel itself reads only the first page.
constexpr std::size_t kMaxNoteBytes = 1 << 14;
constexpr std::size_t kMaxBuildId = 64;

template <typename T> bool read_at(int file, uint64_t offset, T* to, std::size_t count)
{
    const auto bytes = static_cast<ssize_t>(count * sizeof(T));
    return offset <= INT64_MAX - static_cast<uint64_t>(bytes) &&
           pread(file, to, static_cast<std::size_t>(bytes), static_cast<off_t>(offset)) == bytes;
}

/// Finds the build id among the ELF notes of a file. A note consists of three words, the name of its owner, and its
/// data. Name and data are padded to the alignment.
std::string build_id_in(std::string_view notes, std::size_t alignment)
{
    const auto filled = [alignment](uint64_t size) { return (size + alignment - 1) / alignment * alignment; };
    // the structure for 64-bit files is used for all files, because notes of 32-bit files have the same layout
    Elf64_Nhdr note;
    constexpr std::string_view kOwner("GNU\0", 4);
    while (notes.size() >= sizeof note) {
        std::memcpy(&note, notes.data(), sizeof note);
        const uint64_t bytes = filled(sizeof note + uint64_t{note.n_namesz}), end = bytes + filled(note.n_descsz);
        if (note.n_type == NT_GNU_BUILD_ID && note.n_descsz <= kMaxBuildId &&
            notes.substr(sizeof note, note.n_namesz) == kOwner && bytes + note.n_descsz <= notes.size())
            return std::string(notes.substr(bytes, note.n_descsz));
        if (end > notes.size())
            break;
        notes.remove_prefix(end);
    }
    return {};
}

template <typename Header, typename Part> void read_parts(int file, ElfIdentification& found)
{
    Header header;
    std::array<Part, kMaxSegments> parts;
    if (!read_at(file, 0, &header, 1) || header.e_phentsize != sizeof(Part))
        return;
    const std::size_t count = std::min<std::size_t>(header.e_phnum, parts.size());
    if (!read_at(file, header.e_phoff, parts.data(), count))
        return;
    std::array<char, kMaxNoteBytes> notes;
    for (std::size_t i = 0; i < count; ++i) {
        const Part& part = parts[i];
        const auto size = std::min<std::size_t>(part.p_filesz, notes.size());
        if (part.p_type == PT_LOAD)
            found.loaded.push_back({part.p_offset, part.p_filesz, part.p_vaddr, (part.p_flags & PF_X) != 0});
        else if (part.p_type == PT_NOTE && found.build_id.empty() && read_at(file, part.p_offset, notes.data(), size))
            found.build_id = build_id_in({notes.data(), size}, part.p_align == 8 ? 8 : 4);
    }
}

int open_regular(const std::string& path)
{
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)
               ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
               : -1;
}

} // namespace

ElfIdentification identify_elf(int descriptor)
{
    ElfIdentification found;
    std::array<unsigned char, EI_NIDENT> ident{};
    constexpr unsigned char kOrder = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
    found.found = read_at(descriptor, 0, ident.data(), ident.size()) &&
                  std::memcmp(ident.data(), ELFMAG, SELFMAG) == 0 && ident[EI_DATA] == kOrder;
    found.is_narrow = found.found && ident[EI_CLASS] == ELFCLASS32;
    if (found.found && found.is_narrow)
        read_parts<Elf32_Ehdr, Elf32_Phdr>(descriptor, found);
    else if (found.found)
        read_parts<Elf64_Ehdr, Elf64_Phdr>(descriptor, found);
    return found;
}

ElfIdentification identify_elf(const std::string& path)
{
    const int file = open_regular(path);
    if (file < 0)
        return {};
    ElfIdentification found = identify_elf(file);
    ::close(file);
    return found;
}

std::string build_id_of_untrusted(const std::string& path)
{
    return identify_elf(path).build_id;
}

bool is_elf_file(const std::string& path)
{
    return identify_elf(path).found;
}

} // namespace dt

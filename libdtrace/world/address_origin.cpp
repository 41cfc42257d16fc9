// Reads build ids from ELF notes. A note is a header of three words, a name and a description, each padded to a
// multiple of four bytes (elf(5), Notes).
#include "libdtrace/world/address_origin.hpp"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include "libdtrace/elf/debug_files.hpp"

namespace dt {

std::string build_id_of_notes(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string notes{std::istreambuf_iterator<char>(file), {}};
    const auto padded = [](uint64_t size) { return (size + 3) / 4 * 4; };
    Elf64_Nhdr note;
    for (std::size_t at = 0; notes.size() - at >= sizeof note;) {
        std::memcpy(&note, notes.data() + at, sizeof note);
        const uint64_t name = at + sizeof note, text = name + padded(note.n_namesz), end = text + padded(note.n_descsz);
        if (end > notes.size())
            break;
        if (note.n_type == NT_GNU_BUILD_ID &&
            std::string_view(notes).substr(name, note.n_namesz) == std::string_view("GNU", 4))
            return build_id_text(std::string_view(notes).substr(text, note.n_descsz));
        at = end;
    }
    return {};
}

} // namespace dt

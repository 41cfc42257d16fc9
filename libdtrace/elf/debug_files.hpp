// Where the symbols are that were stripped from a file.
#pragma once

#include <libelf.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace dt {

/// The bytes of the note NT_GNU_BUILD_ID; empty when there is none.
std::string build_id(Elf* elf);
/// As people write it, in hexadecimal.
std::string build_id_text(std::string_view bytes);
/// That of a file; empty when it has none or cannot be read.
std::string build_id_of_file(const std::string& path);

class ElfFile;

/// The file that what was stripped from `elf`, the file at `path`, was put into: the debug file of its build id, or the
/// one that its .gnu_debuglink names, if that is the very one (by build id, by checksum). Null: there is none. A path
/// below /proc/PID belongs to that process's file system.
std::unique_ptr<ElfFile> open_debug_file(Elf* elf, const std::string& path);

/// Visits the ELF file that has symbols which were stripped from `elf`, the file at `path`; none when it has its own
/// (.symtab): the debug file, else the symbols that it carries compressed (.gnu_debugdata).
void visit_stripped_symbols(Elf* elf, const std::string& path, const std::function<void(Elf*)>& visit);

} // namespace dt

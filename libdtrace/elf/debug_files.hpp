// Finds the symbols and debug information that were stripped from a file.
#pragma once

#include <libelf.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace dt {

/// Returns the bytes of the note NT_GNU_BUILD_ID; empty if there is none.
std::string build_id(Elf* elf);
/// Returns a build id in hexadecimal.
std::string build_id_text(std::string_view bytes);
/// Returns the build id of a file; empty if it has none or cannot be read.
std::string build_id_of_file(const std::string& path);

class ElfFile;

/// Opens the debug file of `elf`, the file at `path`: the one of its build id, or the one that its .gnu_debuglink
/// names, checked by build id or checksum. Returns null if there is none. A path below /proc/PID is resolved in that
/// process's file system.
std::unique_ptr<ElfFile> open_debug_file(Elf* elf, const std::string& path);

/// Calls `visit` with the ELF file that has the symbols stripped from `elf`, the file at `path`: its debug file, else
/// its compressed symbols (.gnu_debugdata). Does nothing if `elf` has its own .symtab.
void visit_stripped_symbols(Elf* elf, const std::string& path, const std::function<void(Elf*)>& visit);

} // namespace dt

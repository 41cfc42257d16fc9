// Where the symbols are that were stripped from a file.
#pragma once

#include <libelf.h>

#include <functional>
#include <string>

namespace dt {

/// The bytes of the note NT_GNU_BUILD_ID; empty when there is none.
std::string build_id(Elf* elf);

/// Visits each ELF file that has symbols which were stripped from `elf`, the file at `path`; none when it has its own (.symtab). In this order: the
/// debug file of its build id, or the one that its .gnu_debuglink names, if that is the very one (by build id, by checksum); else the symbols that it
/// carries compressed (.gnu_debugdata). A path below /proc/PID belongs to that process's file system.
void visit_stripped_symbols(Elf* elf, const std::string& path, const std::function<void(Elf*)>& visit);

} // namespace dt

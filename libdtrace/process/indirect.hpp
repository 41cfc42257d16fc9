// Which functions serve by the name of an indirect one (STT_GNU_IFUNC) in a process.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libdtrace/elf/elf_symbols.hpp"

namespace dt {

/// Link-time addresses: the one that was chosen, where the process has it in a word that the file tells of; else all
/// that may be. None: nobody can tell. `code`: that of the indirect function; `word`: what the process has at a
/// link-time address of the file, as one.
std::vector<uint64_t> serving_functions(ForeignFiles& files, const std::string& file, const ElfSymbols& symbols,
                                        const ElfSymbols::Symbol& indirect, std::span<const uint8_t> code,
                                        const std::function<std::optional<uint64_t>(uint64_t address)>& word);

/// The address that a file has under a name which is no function's.
std::optional<uint64_t> address_of_mark(ForeignFiles& files, const std::string& path, std::string_view name);

} // namespace dt

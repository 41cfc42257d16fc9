// The code that the kernel puts into every process, which is in no file ([vdso]).
#pragma once

#include <span>
#include <string>

#include "libdtrace/elf/elf_symbols.hpp"

namespace dt {

inline constexpr const char* kVdso = "[vdso]"; ///< as mappings are named

/// Its ELF image, as it lies in this process: the same in all of 64 bits. Empty where there is none. `proc`: where proc(5) is mounted.
std::span<const char> vdso_image(const std::string& proc);

/// Its symbols, read when the first is wanted.
const ElfSymbols& vdso_symbols(const std::string& proc);

} // namespace dt

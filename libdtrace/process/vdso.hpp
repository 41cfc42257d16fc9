// The code that the kernel puts into every process, which is in no file ([vdso]).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/memory_file.hpp"
#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/elf/foreign_files.hpp"

namespace dt {

inline constexpr const char* kVdso = "[vdso]"; ///< as mappings are named

/// Its ELF image, as it lies in this process: the same in all of 64 bits. Empty where there is none. `proc`: where
/// proc(5) is mounted.
std::span<const char> vdso_image(const std::string& proc);

/// Its symbols, read when the first is wanted.
const ElfSymbols& vdso_symbols(const std::string& proc);

/// The one of 32-bit processes: the same in all of them, but not in this one.
class NarrowVdso {
public:
    /// A process that maps [vdso] at `start` is one of 32 bits: others have it behind what those can address.
    static bool is_at(uint64_t start) { return start <= UINT32_MAX; }

    /// Reads it where a process has it. It is read once; a process that cannot be looked at changes nothing.
    void read(const std::string& proc, int64_t pid, uint64_t start, uint64_t end);

    /// Empty before it was read.
    const std::vector<char>& image() const { return image_; }
    /// A name by which the image can be opened as long as this is there; empty before it was read. What a process has
    /// there it can change, so readers read it.
    std::string path();
    const ElfSymbols& symbols(ForeignFiles& files);

private:
    std::vector<char> image_;
    std::unique_ptr<MemoryFile> file_; ///< has the image
    std::optional<ElfSymbols> symbols_;
};

} // namespace dt

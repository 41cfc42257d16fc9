// The code that the kernel maps into every process without a file ([vdso]), for the names of its functions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"

namespace dt {

inline constexpr const char* kVdso = "[vdso]"; ///< name of the vdso's mapping in /proc/PID/maps

/// Returns the ELF image in this process's memory, which is the same in all 64-bit processes; empty if the kernel maps
/// no vdso. `proc` is the mount point of proc(5).
std::span<const char> vdso_image(const std::string& proc);

/// Returns the symbols of vdso_image(), read at the first call.
const ElfSymbols& vdso_symbols(const std::string& proc);

/// The vdso of 32-bit processes. It is equal in all of them, but is not mapped in this process.
class CompatVdso {
public:
    /// Returns whether a process with [vdso] at `start` is a 32-bit process. In 64-bit processes [vdso] is above 4 GiB.
    static bool is_at(uint64_t start) { return start <= UINT32_MAX; }

    /// Reads the image from a process, only once for all processes. Does nothing if the process cannot be read.
    void read(const std::string& proc, int64_t pid, uint64_t start, uint64_t end);

    /// Returns the image; empty before read().
    const std::vector<char>& image() const { return image_; }
    /// Returns a path to open the image, valid during the lifetime of this object; empty before read(). The image must
    /// be parsed by a sandboxed reader, because the process could have changed it.
    std::string path();
    const ElfSymbols& symbols(UntrustedFiles& files);

private:
    std::vector<char> image_;
    std::unique_ptr<MemoryFile> file_; ///< memory file with the vdso's image
    std::optional<ElfSymbols> symbols_;
};

} // namespace dt

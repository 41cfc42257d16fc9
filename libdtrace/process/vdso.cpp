// A 32-bit process has another image, of which nothing is known here.
#include "libdtrace/process/vdso.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include "base/memory_file.hpp"
#include "base/proc_file.hpp"

namespace dt {

std::span<const char> vdso_image(const std::string& proc)
{
    for (const Mapping& mapping : parse_maps(read_proc_file(proc + "/" + std::to_string(getpid()) + "/maps")))
        if (mapping.path == kVdso && mapping.start == getauxval(AT_SYSINFO_EHDR))
            return {reinterpret_cast<const char*>(mapping.start), mapping.end - mapping.start};
    return {};
}

const ElfSymbols& vdso_symbols(const std::string& proc)
{
    static const ElfSymbols symbols = [&] {
        const std::span<const char> image = vdso_image(proc);
        auto file = MemoryFile::make("vdso"); // symbols are read from files
        const bool written = file && file->write({reinterpret_cast<const uint8_t*>(image.data()), image.size()});
        return ElfSymbols(written ? file->path() : "");
    }();
    return symbols;
}

} // namespace dt

// Reads the vdso. The 64-bit image is in this process's own memory. The 32-bit image is read from the first 32-bit
// process found, and copied to a memory file, because symbols are read from files.
#include "libdtrace/mappings/vdso.hpp"

#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstring>
#include <utility>

#include "base/proc_file.hpp"

namespace dt {
namespace {

ElfSymbols symbols_in(std::span<const char> image)
{
    auto file = MemoryFile::make("vdso");
    const bool written = file && file->write({reinterpret_cast<const uint8_t*>(image.data()), image.size()});
    return ElfSymbols(written ? file->path() : "");
}

} // namespace

std::span<const char> vdso_image(const std::string& proc)
{
    for (const Mapping& mapping : parse_maps(read_proc_file(proc + "/" + std::to_string(getpid()) + "/maps")))
        if (mapping.path == kVdso && mapping.start == getauxval(AT_SYSINFO_EHDR))
            return {reinterpret_cast<const char*>(mapping.start), mapping.end - mapping.start};
    return {};
}

const ElfSymbols& vdso_symbols(const std::string& proc)
{
    static const ElfSymbols symbols = symbols_in(vdso_image(proc));
    return symbols;
}

void CompatVdso::read(const std::string& proc, int64_t pid, uint64_t start, uint64_t end)
{
    constexpr uint64_t kMax = 1 << 20;
    if (!image_.empty() || end <= start || end - start > kMax)
        return;
    const int memory = ::open((process_folder(proc, pid) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
    if (memory < 0)
        return;
    std::vector<char> image(end - start);
    const ssize_t got = ::pread(memory, image.data(), image.size(), static_cast<off_t>(start));
    ::close(memory);
    // Checks that the bytes are an ELF image: the process may have executed another program since the address was read.
    if (got == static_cast<ssize_t>(image.size()) && std::memcmp(image.data(), ELFMAG, SELFMAG) == 0 &&
        image[EI_CLASS] == ELFCLASS32)
        image_ = std::move(image);
}

std::string CompatVdso::path()
{
    if (!file_ && !image_.empty())
        if (auto made = MemoryFile::make("vdso");
            made && made->write({reinterpret_cast<const uint8_t*>(image_.data()), image_.size()}))
            file_ = std::make_unique<MemoryFile>(std::move(made.value()));
    return file_ ? file_->path() : std::string();
}

const ElfSymbols& CompatVdso::symbols(UntrustedFiles& files)
{
    static const ElfSymbols kNone{std::string()};
    if (!symbols_ && !image_.empty())
        symbols_.emplace(ElfSymbols::of_untrusted(files, path()));
    return symbols_ ? *symbols_ : kNone;
}

} // namespace dt

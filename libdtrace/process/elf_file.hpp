// An ELF file that is open for reading, closed when it goes out of scope.
#pragma once

#include <fcntl.h>
#include <libelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <string>

namespace dt {

class ElfFile {
public:
    explicit ElfFile(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC))
    {
        elf_version(EV_CURRENT);
        if (descriptor_ >= 0)
            elf_ = elf_begin(descriptor_, ELF_C_READ_MMAP, nullptr);
    }
    ~ElfFile()
    {
        if (elf_)
            elf_end(elf_);
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }
    ElfFile(const ElfFile&) = delete;
    ElfFile& operator=(const ElfFile&) = delete;

    /// Null when there is no such file, or it is no ELF file.
    Elf* get() const { return elf_ && elf_kind(elf_) == ELF_K_ELF ? elf_ : nullptr; }

    /// By which it can be opened once more, whatever its name is by now.
    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

    /// 0 when it cannot be told.
    uint64_t inode() const
    {
        struct stat status {};
        return descriptor_ >= 0 && fstat(descriptor_, &status) == 0 ? status.st_ino : 0;
    }

private:
    int descriptor_;
    Elf* elf_ = nullptr;
};

} // namespace dt

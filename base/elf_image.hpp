// ELF files in memory, read with libelf.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <memory>
#include <span>

namespace dt {

constexpr uint32_t kRelocCall = 10; ///< relocation type R_BPF_64_32, for a call

using ElfHandle = std::unique_ptr<Elf, decltype(&elf_end)>;

/// Opens an image, which must outlive the handle. The const_cast is safe: libelf only reads, but its interface has no
/// const.
inline ElfHandle open_image(std::span<const uint8_t> elf)
{
    elf_version(EV_CURRENT);
    return {elf_memory(reinterpret_cast<char*>(const_cast<uint8_t*>(elf.data())), elf.size()), elf_end};
}

} // namespace dt

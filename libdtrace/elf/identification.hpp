// Parses the parts of an untrusted file that the tracer reads itself instead of in a sandbox: header, segments and
// build id.
//
// The tracer needs these data of every mapped file, so a sandboxed reader (untrusted_files.hpp) would be too slow. To
// be safe, this code uses no library and only buffers of fixed size. It never maps the file, because its owner could
// truncate it in the meantime.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dt {

struct ElfIdentification {
    struct Segment {
        uint64_t offset = 0, size = 0, address = 0;
        bool is_code = false;
    };
    bool found = false;          ///< whether the file is an ELF file with this machine's byte order
    bool is_narrow = false;      ///< whether the file is a 32-bit ELF file
    std::string build_id;        ///< bytes of the build id; empty if the file has none
    std::vector<Segment> loaded; ///< loaded segments of the file, at most 256
};

ElfIdentification identify_elf(int descriptor);
ElfIdentification identify_elf(const std::string& path);

/// Returns the bytes of the build id; empty if the file has none or cannot be read.
std::string build_id_of_untrusted(const std::string& path);
bool is_elf_file(const std::string& path);

} // namespace dt

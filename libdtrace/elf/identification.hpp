// The little of a foreign file that the tracer reads itself: its header, where its parts are in memory, its build id.
//
// Asked for with every file that anybody maps, it is not worth a question to a reader (foreign_files.hpp). So it is
// read without any library, into a few buffers of fixed size, never through a mapping, which the file's owner could cut
// off under the reader.
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
    bool found = false;          ///< it is an ELF file of this machine's byte order
    bool is_narrow = false;      ///< of 32 bits
    std::string build_id;        ///< bytes; empty: it has none
    std::vector<Segment> loaded; ///< the first 256
};

ElfIdentification identify_elf(int descriptor);
ElfIdentification identify_elf(const std::string& path);

/// The bytes of its build id; empty when it has none or cannot be read.
std::string build_id_of_foreign(const std::string& path);
bool is_elf_file(const std::string& path);

} // namespace dt

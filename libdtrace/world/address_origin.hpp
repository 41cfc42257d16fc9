// Facts about an address in addition to its text: its mapping, its file and the functions at it. Formats such as pprof
// record them, so that other tools can resolve the address later.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dt {

struct AddressOrigin {
    /// A function and its position in the source.
    struct Function {
        std::string name;
        std::string file; ///< file name from the debug information; empty if not known
        uint32_t line = 0;
    };

    std::string path;     ///< path of the mapped file, or a name such as "[kernel.kallsyms]" and "[nf_nat]"; empty if
                          ///< not known
    std::string build_id; ///< hexadecimal; empty if not known
    uint64_t start = 0, end = 0, offset = 0; ///< start and end of the mapping; file offset of its first byte
    std::vector<Function> functions;         ///< innermost first: inlined functions, then the symbol
};

/// Returns the build id from a file of ELF notes such as /sys/kernel/notes, in hexadecimal. Returns an empty string if
/// the file has none.
std::string build_id_of_notes(const std::string& path);

} // namespace dt

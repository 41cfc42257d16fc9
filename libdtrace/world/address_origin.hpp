// What is known of an address beside its text: where it lies, in which file, and which functions are there. For formats
// that others resolve once more, elsewhere and later.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dt {

struct AddressOrigin {
    /// A function, and where in its source.
    struct Function {
        std::string name;
        std::string file; ///< as the debug information has it; empty: not known
        uint32_t line = 0;
    };

    std::string path;     ///< of the file that is mapped there; "[kernel.kallsyms]" and "[nf_nat]"; empty: not known
    std::string build_id; ///< in hexadecimal; empty: not known
    uint64_t start = 0, end = 0, offset = 0; ///< of the mapping; the file's byte at its start
    std::vector<Function> functions;         ///< innermost first: what was inlined there, and last the symbol
};

/// The build id among ELF notes as the kernel shows its own (/sys/kernel/notes), in hexadecimal; empty: none.
std::string build_id_of_notes(const std::string& path);

} // namespace dt

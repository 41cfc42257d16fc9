// The probes that an ELF file describes in notes (.note.stapsdt) or in DTrace's own format (.SUNW_dof).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libdtrace/usdt/notes.hpp"
#include "probes/process_view.hpp"

namespace dt {
class UntrustedFiles;
}

namespace dt::usdt {

/// The probes of one file, independent of processes.
struct FileProbes {
    struct Segment {
        uint64_t offset = 0, size = 0, address = 0;
    };
    std::vector<Segment> segments; ///< segments of the file that a loader maps into memory
    /// Probes of the file. If an argument is in memory without a base register, its location contains a link-time
    /// address.
    std::vector<probes::UserProbe> probes;
    std::string problem; ///< reason why some probes cannot be read; empty if all probes can be read

    /// Returns the difference between addresses in a process and link-time addresses. `start` is the address at which
    /// the process has mapped the byte at `offset` of the file.
    uint64_t moved_by(uint64_t start, uint64_t offset) const;
};

/// Reads a file. Returns no probes if the file cannot be read or is not ELF. Cost: reads the section headers and the
/// probes of the file.
FileProbes read_file_probes(const std::string& path);
/// Reads the file of a traced program by means of a sandboxed reader.
FileProbes read_file_probes(UntrustedFiles& files, const std::string& path);

/// Encode and decode the answer of a sandboxed reader. Decoding returns nothing if the data are invalid.
std::string serialize_file_probes(const FileProbes& found);
std::optional<FileProbes> deserialize_file_probes(std::string_view answer);

} // namespace dt::usdt

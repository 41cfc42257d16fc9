// The probes that an ELF file describes, by notes (.note.stapsdt) or by DTrace's own format (.SUNW_dof).
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
    /// Probes of the file. If an argument is in memory without a base register, its address is a link-time address.
    std::vector<probes::UserProbe> probes;
    std::string problem; ///< reason why some probes are unreadable; empty if all are fine

    /// Returns the difference between addresses in a process and link-time addresses, for a process that has mapped the
    /// byte `offset` of the file at the address `start`.
    uint64_t moved_by(uint64_t start, uint64_t offset) const;
};

/// Reads a file. A file that is unreadable or not ELF has no probes. Cost: its section headers and its probes.
FileProbes read_file_probes(const std::string& path);
/// Reads a traced program's file by a sandboxed reader.
FileProbes read_file_probes(UntrustedFiles& files, const std::string& path);

/// Encode and decode the answer of a sandboxed reader; decoding returns nothing if the data are invalid.
std::string serialize_file_probes(const FileProbes& found);
std::optional<FileProbes> deserialize_file_probes(std::string_view answer);

} // namespace dt::usdt

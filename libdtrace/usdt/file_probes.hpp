// The probes that an ELF file carries: by notes (.note.stapsdt) or by DTrace's own description (.SUNW_dof).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libdtrace/usdt/operands.hpp"
#include "probes/user_probe.hpp"

namespace dt {
class ForeignFiles;
}

namespace dt::usdt {

/// Of one file, whatever process maps it.
struct FileProbes {
    struct Segment {
        uint64_t offset = 0, size = 0, address = 0;
    };
    std::vector<Segment> segments;         ///< that are loaded
    std::vector<probes::UserProbe> probes; ///< an address without any register in an argument is the link-time one
    std::string problem;                   ///< why some cannot be told; empty: nothing is wrong

    /// What a process that mapped the file's byte `offset` at `start` has added to all link-time addresses.
    uint64_t moved_by(uint64_t start, uint64_t offset) const;
};

/// Reads a file. One that cannot be read, or is no ELF file, carries none. Cost: its section headers, and what probes
/// it has.
FileProbes read_file_probes(const std::string& path);
/// The same of a traced program's file, by a reader.
FileProbes read_file_probes(ForeignFiles& files, const std::string& path);

/// As a reader tells them, and what is believed of that; nothing: it makes no sense.
std::string tell_file_probes(const FileProbes& found);
std::optional<FileProbes> file_probes_told(std::string_view answer);

} // namespace dt::usdt

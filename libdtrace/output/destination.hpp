// What -o and option output name: a file, or what the format makes of it.
#pragma once

#include <string>

#include "libdtrace/options/options.hpp"
#include "libdtrace/output/output.hpp"

namespace dt::output {

enum class Destination : uint8_t { File, Socket, Folder };

/// Of a format.
Destination destination_of(OutputFormat format);

/// From now on the output goes to `path`. What is made is the user's of option user. The error is complete.
Result<void> open_destination(Output& output, const std::string& path, Destination destination,
                              const std::string& user);

} // namespace dt::output

// Output target named by -o and the option output: a file, a socket or a folder, depending on the format.
#pragma once

#include <string>

#include "libdtrace/options/options.hpp"
#include "libdtrace/output/output.hpp"

namespace dt::output {

enum class Destination : uint8_t { File, Socket, Folder };

/// Returns the kind of target that the format needs.
Destination destination_of(OutputFormat format);

/// Redirects the output to `path`. New files belong to `user` (option user) if it is not empty. The error message is
/// complete.
Result<void> open_destination(Output& output, const std::string& path, Destination destination,
                              const std::string& user);

} // namespace dt::output

// Opens the output target. If the target is a folder, the stream writes to one growing file in it; the sink creates the
// other files.
#include "libdtrace/output/output_target.hpp"

namespace dt::output {

OutputTarget target_of(OutputFormat format)
{
    const unsigned flags = row_of(format).flags;
    return (flags & kFormatToSocket) != 0   ? OutputTarget::Socket
           : (flags & kFormatToFolder) != 0 ? OutputTarget::Folder
                                            : OutputTarget::File;
}

Result<void> open_target(Output& output, const std::string& path, OutputTarget destination, const std::string& user)
{
    const bool is_folder = destination == OutputTarget::Folder, is_socket = destination == OutputTarget::Socket;
    if (is_folder && !user.empty())
        return Error{"option user applies to files, but the chosen format writes a folder", EINVAL};
    if (!user.empty() && !is_socket)
        if (Result<void> known = output.set_file_owner(user); !known)
            return known;
    const Result<void> opened = is_socket   ? output.connect(path)
                                : is_folder ? output.open_in_folder(path, kStreamFile)
                                            : output.open(path);
    if (opened)
        return {};
    return Error{std::string("failed to open output ") +
                     (is_socket   ? "socket"
                      : is_folder ? "folder"
                                  : "file") +
                     " '" + path + "': " + opened.error().message,
                 opened.error().code};
}

} // namespace dt::output

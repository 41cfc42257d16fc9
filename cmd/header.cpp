// -h: writes a C header for the providers that the programs define. Enables nothing.
#include <cerrno>
#include <cstring>
#include <fstream>

#include "cmd/messages.hpp"
#include "cmd/modes.hpp"
#include "libdtrace/usdt/header.hpp"

namespace dt::cmd {

int header_mode(Command& command)
{
    const Arguments& arguments = command.arguments;
    if (!add_programs(command))
        return kFailure;
    const std::string path = arguments.output ? *arguments.output : replaced_suffix(arguments.programs[0].text, ".h");
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << usdt::make_header(path.substr(path.rfind('/') + 1), command.trace.compiler().program().providers);
    file.close();
    if (file)
        return kSuccess;
    say(arguments, "failed to open header file '" + path + "': " + std::strerror(errno));
    return kFailure;
}

} // namespace dt::cmd

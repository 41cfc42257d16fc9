// -V: the language version; scripts look for the "dtrace: NAME D MAJOR.MINOR" line.
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cmd/messages.hpp"
#include "cmd/modes.hpp"

namespace dt::cmd {

int version_mode(const Arguments& arguments)
{
    std::printf("%s: Linux D 2.0\n", arguments.program_name.c_str());
    if (arguments.verbose) {
        std::printf("This is DTrace %s\n", DTRACE_VERSION);
        std::printf("dtrace(8) build: %s\n", DTRACE_VERSION);
        std::printf("libdtrace build: %s\n", DTRACE_VERSION);
    }
    if (std::fflush(stdout) == 0)
        return kSuccess;
    say(arguments, std::string("cannot write output: ") + std::strerror(errno));
    return kFailure;
}

} // namespace dt::cmd

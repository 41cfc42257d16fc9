// One write per line, so that lines of several processes do not mix.
#include "cmd/messages.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "dcompiler/render.hpp"

namespace dt::cmd {

int print_all(const Arguments& arguments, const std::string& text)
{
    if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0)
        return kSuccess;
    say(arguments, std::string("cannot write output: ") + std::strerror(errno));
    return kFailure;
}

void say(const Arguments& arguments, std::string_view text)
{
    const std::string line = arguments.program_name + ": " + printable(text) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

} // namespace dt::cmd

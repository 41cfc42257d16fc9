// One write per line, so that lines of several processes do not mix.
#include "cmd/messages.hpp"

#include <cstdio>

#include "dcompiler/render.hpp"

namespace dt::cmd {

void say(const Arguments& arguments, std::string_view text)
{
    const std::string line = arguments.program_name + ": " + printable(text) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

} // namespace dt::cmd

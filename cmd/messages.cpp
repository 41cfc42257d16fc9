// Writes each line at once, so that lines of several processes do not mix.
#include "cmd/messages.hpp"

#include <algorithm>
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

void print_verifier_log(const std::string& log)
{
    for (std::size_t start = 0; start < log.size();) {
        const std::size_t end = std::min(log.find('\n', start), log.size());
        std::fprintf(stderr, "BPF: %.*s\n", static_cast<int>(end - start), log.data() + start);
        start = end + 1;
    }
}

} // namespace dt::cmd

// --lsp: a language server for editors on standard input and output.
#include <unistd.h>

#include "cmd/lsp/server.hpp"
#include "cmd/messages.hpp"
#include "cmd/modes.hpp"

namespace dt::cmd {

int lsp_mode(const Arguments& arguments, Options options, Output& output)
{
    if (!arguments.programs.empty() || !arguments.operands.empty() || arguments.output) {
        say(arguments, "--lsp takes no programs or arguments: an editor opens its scripts");
        return kUsage;
    }
    shell::Workbench workbench(arguments, std::move(options), output);
    if (const Result<Session*> session = workbench.session(); !session) {
        say(arguments, session.error().message);
        return kFailure;
    }
    lsp::Channel channel(STDIN_FILENO, STDOUT_FILENO);
    return lsp::Server(workbench, channel).run();
}

} // namespace dt::cmd

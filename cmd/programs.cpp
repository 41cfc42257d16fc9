// From the program texts of the command line to a compiled object, with everything that can go wrong told.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "cmd/messages.hpp"
#include "cmd/modes.hpp"
#include "cmd/report.hpp"
#include "dcompiler/render.hpp"
#include "libdtrace/consume/consumer.hpp"
#include "libdtrace/session/preprocess.hpp"

namespace dt::cmd {
namespace {

Macros macros_for(const Command& command, const std::string& script)
{
    Macros macros;
    macros.script = script;
    if (command.arguments.mode != Mode::Link) // whose operands are object files
        macros.arguments = command.arguments.operands;
    macros.pid = getpid();
    macros.ppid = getppid();
    macros.pgid = getpgid(0);
    macros.sid = getsid(0);
    macros.uid = getuid();
    macros.euid = geteuid();
    macros.gid = getgid();
    macros.egid = getegid();
    macros.target = command.session.processes().first_pid();
    return macros;
}

Result<std::string> read_script(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || (errno = 0, text << file.rdbuf(), file.bad()) || errno == EISDIR)
        return Error{std::strerror(errno), errno};
    return text.str();
}

bool add_script(Command& command, const std::string& path)
{
    Result<std::string> text = read_script(path);
    if (!text) {
        say(command.arguments, "failed to open " + path + ": " + text.error().message);
        return false;
    }
    if (text && text.value().find('\0') != std::string::npos)
        text = Error{"not a D program (binary file)", ENOEXEC};
    else if (text && command.run.options().cpp)
        text = preprocess(std::move(text.value()), command.run.options());
    if (!text) {
        say(command.arguments, "failed to compile script " + path + ": " + text.error().message);
        return false;
    }
    return command.run.add({Source::Kind::Script, path, std::move(text.value())}, SpecKind::Script, macros_for(command, path));
}

RenderOptions render_options(Command& command)
{
    RenderOptions options;
    options.errtags = command.run.options().errtags;
    options.brief = command.run.options().diag_brief || reproducible_output();
    options.program = &command.run.sources().back();
    return options;
}

void print_diagnostics(Command& command)
{
    const std::string text = render_all(command.run.compiler().diagnostics(), render_options(command));
    std::fwrite(text.data(), 1, text.size(), stderr);
}

/// The option in front of which an operand would make sense as a program.
std::string_view option_for(const std::string& operand)
{
    if (access(operand.c_str(), R_OK) == 0)
        return "-s";
    return operand.find_first_of("{:") != std::string::npos ? "-n" : "-P";
}

} // namespace

int no_program(const Command& command)
{
    const Arguments& arguments = command.arguments;
    if (arguments.mode != Mode::List)
        say(arguments, "no probes specified");
    if (!arguments.operands.empty()) {
        const std::string& operand = arguments.operands[0];
        const std::string option(option_for(operand));
        say(arguments, "'" + operand + "' is an argument for a program, and there is none: did you mean " + option + " '" + operand + "'?");
    }
    return arguments.mode == Mode::List ? kUsage : kFailure;
}

std::string describe_program(const ProgramText& program, std::string_view quote)
{
    const bool script = program.kind == SpecKind::Script;
    const std::string_view text = script ? std::string_view(program.text) : spec_of(program.text);
    return std::string(script ? "script " : "description ") + std::string(quote) + std::string(text) + std::string(quote);
}

std::string replaced_suffix(const std::string& script, std::string_view suffix)
{
    std::string base = script.substr(script.rfind('/') + 1);
    if (base.ends_with(".d"))
        base.resize(base.size() - 2);
    return base.append(suffix);
}

bool add_programs(Command& command)
{
    for (const ProgramText& program : command.arguments.programs) {
        const bool added = program.kind == SpecKind::Script ? add_script(command, program.text)
                                                            : command.run.add({Source::Kind::CommandLine, program.text, program.text}, program.kind,
                                                                              macros_for(command, command.arguments.argv0));
        if (added)
            continue;
        if (command.run.compiler().diagnostics().has_errors())
            print_diagnostics(command);
        return false;
    }
    return true;
}

bool finish_programs(Command& command)
{
    const Result<void> compiled = command.run.compile();
    if (!compiled) {
        if (command.run.compiler().diagnostics().has_errors())
            print_diagnostics(command);
        else
            say(command.arguments, "could not enable tracing: " + compiled.error().message);
        return false;
    }
    if (command.arguments.verbose || isatty(STDERR_FILENO)) {
        const std::string warnings = render_warnings(command.run.compiler().diagnostics(), render_options(command));
        std::fwrite(warnings.data(), 1, warnings.size(), stderr);
    }
    if (command.run.options().verbose)
        print_listing(command);
    return true;
}

bool flush_output(Command& command)
{
    const Result<void> flushed = command.output.flush();
    if (!flushed)
        say(command.arguments, flushed.error().message);
    return flushed.ok();
}

} // namespace dt::cmd

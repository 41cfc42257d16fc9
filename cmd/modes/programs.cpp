// Compiles the programs of the command line and reports all errors.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "cmd/common/report.hpp"
#include "cmd/common/tools.hpp"
#include "dcompiler/interface/render.hpp"
#include "libdtrace/consumer/consumer.hpp"
#include "libdtrace/session/program_file.hpp"

namespace dt::cmd {
namespace {

/// Returns a text to append to the message for a missing file: the tools directory, and a tool with a similar name.
/// Returns an empty string if the name was a path.
std::string no_tool_either(const std::string& name)
{
    if (name.find('/') != std::string::npos)
        return "";
    const std::string meant = tool_meant_by(name);
    return "\n\tnor is it one of the tools in " + tools_directory() + " (see --tools)" +
           (meant.empty() ? "" : ": " + meant);
}

bool add_script(Command& command, const ProgramText& program)
{
    std::optional<Script> script = program.contents
                                       ? Script{program.text, *program.contents}
                                       : read_program(command.arguments, command.trace.options(), program.text);
    if (!script)
        return false;
    const Macros macros = macros_for(command, script->path);
    return command.trace.add({Source::Kind::Script, std::move(script->path), std::move(script->text)}, SpecKind::Script,
                             macros);
}

/// Returns whether standard error is a terminal with colors enabled (no-color.org).
bool shows_colours()
{
    const char* const refused = std::getenv("NO_COLOR");
    const char* const terminal = std::getenv("TERM");
    return isatty(STDERR_FILENO) && !(refused && *refused) && terminal && std::string_view(terminal) != "dumb";
}

RenderOptions render_options(Command& command)
{
    RenderOptions options;
    options.errtags = command.trace.options().compile().errtags;
    options.brief = command.trace.options().print().diag_brief || reproducible_output();
    options.program = &command.trace.sources().back();
    options.cause_first = isatty(STDERR_FILENO) && !options.errtags;
    options.colours = shows_colours();
    return options;
}

/// Returns the option (-n, -s, …) with which the operand would be a program.
std::string_view option_for(const std::string& operand)
{
    if (access(operand.c_str(), R_OK) == 0 || !find_tool(operand).empty())
        return "-s";
    return operand.find_first_of("{:") != std::string::npos ? "-n" : "-P";
}

/// The command line has an operand but no program. Returns the option, with its argument, that the user probably meant.
std::string meant_by(const Command& command, const std::string& operand)
{
    if (operand == "help")
        return "--help";
    const std::string_view option = option_for(operand);
    const bool lists = command.arguments.mode == Mode::List;
    std::vector<const Probe*> found;
    const ProbePattern call{"syscall", "", operand, ""};
    if (option == "-P" && operand.find_first_of("*?[\\") == std::string::npos &&
        command.session.world().probes().find(call, found) && !found.empty())
        return (lists ? "-ln 'syscall::" : "-n 'syscall::") + operand + (lists ? ":'" : ":entry'");
    return std::string(option) + " '" + operand + "'";
}

} // namespace

Macros macros_for(const Command& command, const std::string& script)
{
    Macros macros = macros_of_process(command.session.processes().first_pid());
    macros.script = script;
    if (command.arguments.mode != Mode::Link) // with -G, the operands are object files and no macro arguments
        macros.arguments = command.arguments.operands;
    return macros;
}

std::optional<Script> read_program(const Arguments& arguments, const Options& options, std::string path)
{
    Result<std::string> text = read_program_file(path);
    if (!text && text.error().code == ENOENT) {
        if (const std::string tool = find_tool(path); !tool.empty())
            text = read_script(path = tool);
        else
            text = Error{text.error().message + no_tool_either(path), ENOENT};
    }
    const bool is_no_program = !text && (text.error().code == ENOEXEC || text.error().code == EFBIG);
    if (!text && !is_no_program) {
        print_message(arguments, "failed to open " + path + ": " + text.error().message);
        return std::nullopt;
    }
    if (text && options.run().cpp)
        text = preprocess(std::move(text.value()), options);
    if (!text) {
        print_message(arguments, "failed to compile script " + path + ": " + text.error().message);
        return std::nullopt;
    }
    return Script{std::move(path), std::move(text.value())};
}

void print_diagnostics(Command& command)
{
    const Diagnostics& diagnostics = command.trace.compiler().diagnostics();
    const std::string text = command.trace.options().print().errors_json
                                 ? render_json(diagnostics)
                                 : render_all(diagnostics, render_options(command));
    std::fwrite(text.data(), 1, text.size(), stderr);
    if (command.trace.options().print().errors_json)
        return;
    const Source* const wrong = diagnostics.list().empty() ? nullptr : diagnostics.list().front().at.source;
    // the program of a tool compiles, so the error is in the tool's arguments
    for (const ProgramText& program : command.arguments.programs)
        if (const std::string tool = program.kind == SpecKind::Script ? find_tool(program.text) : "";
            !tool.empty() && wrong && wrong->name == tool)
            std::fputs(call_of_script(tool).c_str(), stderr);
}

int no_program(const Command& command)
{
    const Arguments& arguments = command.arguments;
    if (arguments.mode != Mode::List)
        print_message(arguments,
                      arguments.processes.empty() || !arguments.operands.empty()
                          ? "no probes specified"
                          : "no probes specified\n\t-c and -p only name a process: also say what to trace in it, as in "
                            "-n 'syscall:::entry /pid == $target/ { "
                            "@[probefunc] = count(); }'");
    if (!arguments.operands.empty()) {
        const std::string& operand = arguments.operands[0];
        print_message(arguments, "'" + operand +
                                     "' is an argument for a program, but no program is given: did you mean " +
                                     meant_by(command, operand) + "?");
    }
    return arguments.mode == Mode::List ? kUsage : kFailure;
}

std::string describe_program(const ProgramText& program, std::string_view quote)
{
    const bool script = program.kind == SpecKind::Script;
    const std::string_view text = script ? std::string_view(program.text) : spec_of(program.text);
    return std::string(script ? "script " : "description ") + std::string(quote) + std::string(text) +
           std::string(quote);
}

std::string replaced_suffix(const std::string& script, std::string_view suffix)
{
    std::string base = script.substr(script.rfind('/') + 1);
    if (base.ends_with(".d"))
        base.resize(base.size() - 2);
    return base.append(suffix);
}

void time_run(Command& command)
{
    command.timing->begin(command.trace.options().run());
    command.trace.record_phases(command.timing->steps());
}

bool add_programs(Command& command)
{
    for (const ProgramText& program : command.arguments.programs) {
        const bool added = program.kind == SpecKind::Script
                               ? add_script(command, program)
                               : command.trace.add({Source::Kind::CommandLine, program.text, program.text},
                                                   program.kind, macros_for(command, command.arguments.argv0));
        const std::string tree = command.trace.compiler().parse_tree();
        std::fwrite(tree.data(), 1, tree.size(), stderr);
        // Timing starts here, because a pragma of the programs may have enabled it.
        if (command.timing && command.trace.options().run().timing && !command.timing->steps()) {
            time_run(command);
            done(command.timing->steps(), "options to check");
        }
        if (added)
            continue;
        if (command.trace.compiler().diagnostics().has_errors())
            print_diagnostics(command);
        return false;
    }
    return true;
}

bool finish_programs(Command& command)
{
    const Result<void> compiled = command.trace.compile();
    if (!compiled) {
        if (command.trace.compiler().diagnostics().has_errors())
            print_diagnostics(command);
        else
            print_message(command.arguments, "could not enable tracing: " + compiled.error().message);
        return false;
    }
    if (!command.trace.options().print().warnings) {
        // Prints nothing, because warnings are disabled.
    } else if (command.trace.options().print().errors_json) {
        const std::string warnings = render_json(command.trace.compiler().diagnostics());
        std::fwrite(warnings.data(), 1, warnings.size(), stderr);
    } else if (command.arguments.verbose || isatty(STDERR_FILENO)) {
        const std::string warnings = render_warnings(command.trace.compiler().diagnostics(), render_options(command));
        std::fwrite(warnings.data(), 1, warnings.size(), stderr);
    }
    print_passes(command);
    if (command.trace.options().compile().verbose)
        print_listing(command);
    return true;
}

bool flush_output(Command& command)
{
    const Result<void> flushed = command.output.flush();
    if (!flushed)
        print_message(command.arguments, flushed.error().message);
    return flushed.ok();
}

} // namespace dt::cmd

// Opens the processes that the command line names.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <sstream>

#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "cmd/common/tools.hpp"
#include "libdtrace/process/process.hpp"
#include "libdtrace/session/program_file.hpp"

namespace dt::cmd {
namespace {

/// Prints a warning if the command of -c contains shell syntax, because it runs without a shell and gets the syntax
/// literally.
void hint_at_shell(const Arguments& arguments, const ProcessRequest& request)
{
    auto split = command_words(request.text);
    if (request.is_command && split && !split->shell_only.empty())
        print_message(arguments, "-c runs a command without a shell and passes '" + split->shell_only +
                                     "' to it unchanged: quote it if that is intended, or use -c 'sh -c \"...\"'");
}

/// Returns whether the text has a pragma that selects a machine-readable format.
bool sets_machine_format(std::string_view text)
{
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string hash, language, what, option;
        words >> hash >> language >> what >> option;
        constexpr std::string_view kFormat = "format=";
        Options options;
        if (hash == "#pragma" && language == "D" && what == "option" && option.starts_with(kFormat) &&
            options.set("format", std::string_view(option).substr(kFormat.size()), OptionSource::Pragma) &&
            options.print().format != OutputFormat::Text)
            return true;
    }
    return false;
}

/// Returns whether standard output gets a format for programs, such as JSON. This must be known before the D programs
/// are compiled: the command of -c starts first, because $target is its pid. So this function searches the D programs
/// for pragmas that select the format. It skips a program from a pipe, because a pipe can be read only once, and the
/// compiler must read it.
bool is_read_by_programs(const Arguments& arguments, const Options& options)
{
    if (arguments.output || options.print().format != OutputFormat::Text)
        return !arguments.output;
    return std::any_of(arguments.programs.begin(), arguments.programs.end(), [](const ProgramText& program) {
        if (program.kind != SpecKind::Script)
            return sets_machine_format(program.text);
        std::error_code error;
        const bool exists = std::filesystem::exists(program.text, error);
        const Result<std::string> text = !exists ? read_script(find_tool(program.text))
                                         : std::filesystem::is_regular_file(program.text, error)
                                             ? read_program_file(program.text)
                                             : Result<std::string>(std::string());
        return text && sets_machine_format(text.value());
    });
}

} // namespace

Result<void> open_processes(const Arguments& arguments, Session& session)
{
    const HoldPoint point = hold_point(session.options().run().evaltime);
    // The output of a command of -c or system() must not mix with machine-readable output.
    const int output = is_read_by_programs(arguments, session.options()) ? STDERR_FILENO : STDOUT_FILENO;
    Processes& processes = session.processes();
    for (const ProcessRequest& request : arguments.processes) {
        hint_at_shell(arguments, request);
        if (Result<void> opened =
                request.is_command ? processes.create(request.text, point, output) : processes.attach(request.text);
            !opened) {
            const bool is_gone = !request.is_command && opened.error().code == ESRCH;
            const bool is_no_number = !request.is_command && opened.error().code == EINVAL &&
                                      request.text.find_first_not_of("0123456789 ") != std::string::npos;
            if (is_no_number)
                return Error{opened.error().message + "\n\t-p takes a number: -p $(pgrep -n " + request.text + ")",
                             EINVAL};
            return is_gone ? Error{opened.error().message + "\n\tno process has the number " + request.text, ESRCH}
                           : opened.error();
        }
    }
    return {};
}

} // namespace dt::cmd

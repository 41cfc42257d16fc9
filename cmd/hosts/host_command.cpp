// Builds a single shell command, which any transport can run. It contains the program as base64 or as text.
#include "cmd/hosts/host_command.hpp"

#include <algorithm>
#include <iterator>

#include "base/base64.hpp"
#include "cmd/hosts/carriers.hpp"
#include "cmd/messages.hpp"
#include "cmd/modes.hpp"
#include "cmd/option_table.hpp"
#include "cmd/settings.hpp"

namespace dt::cmd {
namespace {

/// Limit of the command, because one shell word may have 128 KB (MAX_ARG_STRLEN), including the transport's own words.
constexpr std::size_t kLongestCommand = 120 * 1024;

/// Returns whether a setting concerns the merged output here and not the traced program. Preprocessor options count
/// too, because the preprocessor runs here.
bool is_for_here(const Setting& setting)
{
    constexpr std::string_view kHere[] = {"format",  "hostkey", "deadline", "labels", "cpp",  "cpphdrs", "cpppath",
                                          "cppargs", "define",  "undef",    "incdir", "stdc", "rotate",  "user"};
    if (setting.letter != 'x')
        return std::string_view("CDHIUX").find(setting.letter) != std::string_view::npos;
    const std::string_view name = std::string_view(setting.value).substr(0, setting.value.find_first_of("=+"));
    return std::find(std::begin(kHere), std::end(kHere), name) != std::end(kHere);
}

char letter_of_program(SpecKind kind)
{
    for (const OptionEntry& entry : option_table())
        if (entry.role == Role::Program && entry.kind == kind)
            return entry.letter;
    return 'n';
}

/// Returns a command with the program as typed and a script as text. Returns nothing if an error was printed.
std::optional<std::string> command_with_text(const Arguments& arguments, const Options& options)
{
    std::string words = "dtrace -x format=snapshot", script;
    if (options.run().aggevery == 0)
        words += " -x aggevery=1s";
    const auto add = [&](char letter, const std::string& value) {
        words += std::string(" -") + letter + (value.empty() ? "" : shell_word(value));
    };
    for (const Setting& setting : arguments.settings)
        if (!is_for_here(setting))
            add(setting.letter, setting.value);
    for (const ProcessRequest& process : arguments.processes)
        add(process.is_command ? 'c' : 'p', process.text);
    for (const ProgramText& program : arguments.programs) {
        if (program.kind != SpecKind::Script) {
            add(letter_of_program(program.kind), program.text);
            continue;
        }
        const std::optional<Script> read = read_program(arguments, options, program.text);
        if (!read)
            return std::nullopt;
        if (!script.empty()) {
            say(arguments, "--on-source takes one script: put several into one");
            return std::nullopt;
        }
        script = read->text + (read->text.ends_with('\n') ? "" : "\n");
        words += " -s /dev/stdin";
    }
    if (!arguments.operands.empty())
        words += " --";
    for (const std::string& operand : arguments.operands)
        words += " " + shell_word(operand);
    constexpr std::string_view kEnd = "END_OF_D_SCRIPT";
    return script.empty() ? words : words + " <<'" + std::string(kEnd) + "'\n" + script + std::string(kEnd) + "\n";
}

/// Returns the arguments for the remote run.
Arguments meant_for_there(const Arguments& arguments, const Options& options)
{
    Arguments there = arguments;
    std::erase_if(there.settings, is_for_here);
    there.settings.push_back({'x', "format=snapshot"});
    if (options.run().aggevery == 0)
        there.settings.push_back({'x', "aggevery=1s"});
    there.hosts.clear();
    there.carrier.clear();
    there.policy.clear();
    there.verbose = false;
    return there;
}

/// Compiles the program here for similar hosts. Errors are not reported: remote hosts may have other probes, and the
/// local user may lack the right to list probes.
Result<Bundle::Variant> compiled_here(Arguments there, const Bundle::Typed& typed, Output& output)
{
    std::size_t script = 0;
    for (ProgramText& program : there.programs)
        if (program.kind == SpecKind::Script)
            program.text = typed.scripts[script].first, program.contents = typed.scripts[script++].second;
    Options options;
    if (const Result<void> set = set_options_from_environment(options, environ); !set)
        return set.error();
    if (const Result<void> set = apply_settings(there.settings, options); !set)
        return set.error();
    Session session(std::move(options));
    if (const Result<void> prepared = session.prepare(); !prepared)
        return prepared.error();
    Trace trace(session, session.options());
    Command command{there, session, trace, output};
    for (const ProgramText& program : there.programs) {
        const auto kind = program.contents ? Source::Kind::Script : Source::Kind::CommandLine;
        if (!trace.add({kind, program.text, program.contents.value_or(program.text)}, program.kind,
                       macros_for(command, program.contents ? program.text : there.argv0)))
            return Error{"it does not compile here"};
    }
    if (const Result<void> compiled = trace.compile(); !compiled)
        return compiled.error();
    return compiled_for_others(command);
}

std::string command_with(const Bundle& bundle)
{
    constexpr std::string_view kEnd = "END_OF_BUNDLE";
    constexpr std::size_t kLine = 76;
    std::string command = "dtrace --run - <<'" + std::string(kEnd) + "'\n";
    std::string letters = to_base64(bundle_bytes(bundle));
    letters.append((4 - letters.size() % 4) % 4, '='); // base64(1) needs padding
    for (std::size_t at = 0; at < letters.size(); at += kLine)
        command += letters.substr(at, kLine) + "\n";
    return command + std::string(kEnd) + "\n";
}

} // namespace

std::optional<std::string> command_for_hosts(const Arguments& arguments, const Options& options, Output& output)
{
    if (arguments.sends_text || !arguments.processes.empty())
        return command_with_text(arguments, options);
    const Arguments there = meant_for_there(arguments, options);
    std::optional<Bundle::Typed> typed = typed_program(there, options);
    if (!typed)
        return std::nullopt;
    Bundle bundle{std::move(*typed), {}};
    if (Result<Bundle::Variant> compiled = compiled_here(there, bundle.typed, output))
        bundle.variants.push_back(std::move(compiled.value()));
    else if (arguments.verbose)
        say(arguments, "hosts compile the program: " + compiled.error().message);
    std::string command = command_with(bundle);
    if (command.size() > kLongestCommand && !bundle.variants.empty()) {
        bundle.variants.clear();
        command = command_with(bundle);
    }
    return command;
}

} // namespace dt::cmd

// The table of the shell's commands, and their functions. A command gets the rest of its line as operand.
#include "cmd/shell/commands.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "base/result.hpp"
#include "cmd/common/messages.hpp"
#include "cmd/common/report.hpp"
#include "cmd/shell/help.hpp"
#include "cmd/shell/scan.hpp"
#include "dcompiler/interface/suggest.hpp"
#include "libdtrace/records/actions.hpp"

namespace dt::shell {

/// Runs an editor ($VISUAL, $EDITOR or vi) on a file with the text and waits for its end. Returns the edited text. The
/// error message can be printed unchanged.
Result<std::string> edit_text(const std::string& text);

namespace {

bool run(Shell& shell, std::string_view)
{
    if (shell.workbench.clauses().empty())
        return shell.refuse(
            "there is nothing to run yet: type a clause, such as  syscall:::entry { @[execname] = count(); }");
    const bool good = shell.workbench.run();
    shell.is_over = shell.workbench.is_over();
    return good;
}

/// Returns a clause with its number; further lines are indented below the first.
std::string numbered(std::size_t number, std::string_view clause)
{
    std::string text = std::to_string(number);
    text.insert(0, text.size() < 3 ? 3 - text.size() : 0, ' ');
    text += "  ";
    for (std::size_t i = 0; i < clause.size(); ++i) {
        text += clause[i];
        if (clause[i] == '\n' && clause[i + 1] != '\n') // indents the next line unless it is empty
            text += "     ";
    }
    return text + "\n";
}

bool show(Shell& shell, std::string_view)
{
    std::size_t number = 0;
    for (const std::string& clause : shell.workbench.clauses())
        shell.terminal.write(numbered(++number, clause));
    for (const std::string& option : shell.workbench.set_options())
        shell.terminal.write("     option " + option + "\n");
    std::string kept;
    for (const auto& [name, value] : shell.workbench.values().globals)
        kept += " " + name;
    for (const auto& [name, value] : shell.workbench.values().aggregations)
        kept += " @" + name;
    if (!kept.empty())
        shell.terminal.write("     kept for the next run:" + kept + "\n");
    return true;
}

/// Parses the number of a clause and returns its index, from 0.
std::optional<std::size_t> clause_number(Shell& shell, std::string_view text)
{
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size() && number >= 1 &&
        number <= shell.workbench.clauses().size())
        return number - 1;
    shell.refuse("there is no clause " + std::string(text) + ": `show` lists them with their numbers");
    return std::nullopt;
}

bool edit(Shell& shell, std::string_view operand)
{
    const std::optional<std::size_t> number = clause_number(shell, operand);
    if (!number)
        return false;
    const std::string& former = shell.workbench.clauses()[*number];
    const Result<std::string> edited = edit_text(former + "\n");
    shell.interrupts.take(); // discards a ^C that was typed while the editor ran
    if (!edited)
        return shell.refuse(edited.error().message);
    const std::string text(trimmed(edited.value()));
    if (text == former)
        return true;
    if (text.empty())
        return shell.refuse("the edited clause is empty, so the clause was not changed: `delete " +
                            std::string(operand) + "` removes it");
    shell.recall = text;
    const Scan scanned = scan(text);
    std::vector<std::string> clauses(scanned.items.begin(), scanned.items.end());
    if (scanned.is_open() || clauses.empty())
        clauses = {text}; // skips the error here, because the compiler will report it
    return shell.workbench.replace(*number, clauses);
}

bool remove(Shell& shell, std::string_view operand)
{
    if (operand == "all")
        return shell.workbench.remove(0, shell.workbench.clauses().size());
    const std::optional<std::size_t> number = clause_number(shell, operand);
    return number && shell.workbench.remove(*number, 1);
}

bool clear(Shell& shell, std::string_view)
{
    shell.workbench.forget_values();
    return true;
}

/// Calls `handle` for each probe that the operand matches, until the user types ^C. If the operand matches none or is
/// invalid, prints an error and returns false.
bool for_each_probe(Shell& shell, std::string_view operand, const std::function<void(Session&, const Probe&)>& handle)
{
    const Result<Session*> session = shell.workbench.session();
    if (!session)
        return shell.refuse(session.error().message);
    const Result<ProbePattern> pattern = parse_pattern(*session.value(), operand);
    if (!pattern)
        return shell.refuse(pattern.error().message);
    std::vector<const Probe*> probes;
    if (const Result<void> found = session.value()->world().probes().find(pattern.value(), probes); !found)
        return shell.refuse(found.error().message);
    if (probes.empty())
        return shell.refuse("failed to match " + std::string(operand) + ": No probe matches description");
    for (const Probe* const probe : probes) {
        if (shell.interrupts.take())
            break;
        handle(*session.value(), *probe);
        shell.terminal.drain();
    }
    return true;
}

bool list(Shell& shell, std::string_view operand)
{
    bool is_first = true;
    return for_each_probe(shell, operand, [&](Session&, const Probe& probe) {
        if (std::exchange(is_first, false))
            shell.terminal.write(cmd::list_heading());
        shell.terminal.write(cmd::list_row(probe));
    });
}

bool args(Shell& shell, std::string_view operand)
{
    TypeTable types(shell.workbench.options().compile().strsize, shell.workbench.options().compile().data_model);
    return for_each_probe(shell, operand, [&](Session& session, const Probe& probe) {
        shell.terminal.write(probe.full_name() + "\n" +
                             cmd::argument_types(session.world().probes().signature(probe), types));
    });
}

bool type(Shell& shell, std::string_view operand)
{
    const auto use = [&](const Type* type) { shell.terminal.write(describe(type)); };
    return with_named_type(shell.workbench, std::string(operand), use) ||
           shell.refuse(std::string(operand) + " is not a known type");
}

bool disasm(Shell& shell, std::string_view)
{
    if (shell.workbench.clauses().empty())
        return shell.refuse("there is no program yet: type a clause first");
    return shell.workbench.compiled([](cmd::Command& command) {
        // with option verbose, the listing was already printed during compilation
        if (!command.trace.options().compile().verbose)
            print_listing(command);
    });
}

bool option(Shell& shell, std::string_view operand)
{
    return shell.workbench.set_option(operand);
}

bool save(Shell& shell, std::string_view operand)
{
    const Result<void> saved = save_script(shell.workbench, shell.arguments, std::string(operand));
    return saved || shell.refuse(saved.error().message);
}

bool load(Shell& shell, std::string_view operand)
{
    const std::optional<cmd::Script> script =
        read_program(shell.arguments, shell.workbench.options(), std::string(operand));
    return script && shell.workbench.add(clauses_of_script(script->text));
}

bool help(Shell& shell, std::string_view operand)
{
    const std::string text = help_text(shell.workbench, operand);
    if (!text.empty()) {
        shell.terminal.write(text);
        return true;
    }
    Nearest nearest(operand);
    for (const std::string_view topic : help_topics())
        nearest.add(topic);
    for (const CommandEntry& command : command_table())
        nearest.add(command.name);
    const std::string question = nearest.question();
    return shell.refuse("no help for '" + std::string(operand) + "'" +
                        (question.empty() ? ": `help` lists all topics" : ": " + question));
}

bool quit(Shell& shell, std::string_view)
{
    shell.is_over = true;
    return true;
}

// clang-format off
constexpr CommandEntry kCommands[] = {
    {"run",    "",             "run the program until ^C, exit(), or the end of the processes of -c and -p", Operand::None, false, run},
    {"show",   "",             "show the program, the options set, and the values kept for the next run", Operand::None, false, show},
    {"edit",   "N",            "edit clause N with $VISUAL, $EDITOR or vi", Operand::Number, true, edit},
    {"delete", "N|all",        "remove clause N, or the whole program", Operand::Number, true, remove},
    {"clear",  "",             "forget globals and aggregations, so that the next run starts without values", Operand::None, false, clear},
    {"list",   "PROBE",        "list the probes that match", Operand::Probe, true, list},
    {"args",   "PROBE",        "show the arguments of probes", Operand::Probe, true, args},
    {"type",   "NAME",         "show members and size of a type, or of the type of an expression", Operand::Type, true, type},
    {"disasm", "",             "show the code that is generated for the program", Operand::None, false, disasm},
    {"option", "NAME[=VALUE]", "set an option, as -x does", Operand::Option, true, option},
    {"save",   "FILE",         "write the program as a script that runs by its path", Operand::File, true, save},
    {"load",   "FILE",         "add the clauses of a script", Operand::File, true, load},
    {"help",   "[TOPIC]",      "show this list, or help about a topic", Operand::Topic, false, help},
    {"quit",   "",             "leave the shell, as ^D does", Operand::None, false, quit},
    {"set",    "NAME[=VALUE]", "", Operand::Option, true, option},
    {"exit",   "",             "", Operand::None, false, quit},
};
// clang-format on

constexpr std::string_view kBlank = " \t";

} // namespace

std::span<const CommandEntry> command_table()
{
    return kCommands;
}

const CommandEntry* find_command(std::string_view line)
{
    line.remove_prefix(std::min(line.find_first_not_of(kBlank), line.size()));
    if (line.starts_with(':') && line.substr(0, line.find_first_of(kBlank)).find(':', 1) == std::string_view::npos)
        line.remove_prefix(1);
    const std::string_view word = line.substr(0, line.find_first_of(" \t\n"));
    const std::string_view rest = trimmed(line.substr(word.size()));
    if (rest.starts_with('{') || rest.starts_with(','))
        return nullptr;
    const auto found = std::find_if(std::begin(kCommands), std::end(kCommands),
                                    [&](const CommandEntry& command) { return command.name == word; });
    return found == std::end(kCommands) ? nullptr : &*found;
}

std::string_view operand_of(std::string_view line)
{
    line = trimmed(line);
    const auto blank = line.find_first_of(kBlank);
    return blank == std::string_view::npos ? std::string_view() : trimmed(line.substr(blank));
}

namespace {

/// The file for the editor. It is in a directory of its own, because editors create further files in the same
/// directory.
class TemporaryFile {
public:
    TemporaryFile()
    {
        const char* const base = std::getenv("TMPDIR");
        directory_ = std::string(base && *base == '/' ? base : "/tmp") + "/dtrace-XXXXXX";
        if (mkdtemp(directory_.data()))
            path_ = directory_ + "/clause.d";
    }
    ~TemporaryFile()
    {
        if (path_.empty())
            return;
        unlink(path_.c_str());
        rmdir(directory_.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    /// Returns the path of the file. If the file could not be created, the path is empty, and errno is set.
    const std::string& path() const { return path_; }

private:
    std::string directory_, path_;
};

std::string editor()
{
    for (const char* const name : {"VISUAL", "EDITOR"})
        if (const char* const value = std::getenv(name); value && *value)
            return value;
    return "vi";
}

} // namespace

Result<std::string> edit_text(const std::string& text)
{
    const TemporaryFile file;
    if (file.path().empty() || !(std::ofstream(file.path()) << text))
        return Error{"cannot write a file for the editor: " + std::string(std::strerror(errno)), errno};
    if (const Result<int> ran = run_system_command(editor() + " '" + file.path() + "'", STDOUT_FILENO); !ran)
        return Error{"cannot run " + editor() + ": " + ran.error().message, ran.error().code};
    std::ostringstream edited;
    std::ifstream input(file.path());
    if (!input || (edited << input.rdbuf(), input.bad()))
        return Error{editor() + " did not save the file"};
    return edited.str();
}

} // namespace dt::shell

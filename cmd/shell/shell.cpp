// dtrace --shell: reads clauses and commands until the user ends the shell. Converts the shell's program to and from
// scripts.
#include "cmd/shell/shell.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <utility>

#include "base/linkage.hpp"
#include "cmd/common/messages.hpp"
#include "cmd/shell/commands.hpp"
#include "cmd/shell/readline.hpp"
#include "cmd/shell/scan.hpp"

namespace dt::shell {
namespace {

constexpr char kPrompt[] = "dtrace> ", kMore[] = "      > ";

bool is_whole(const std::string& entry)
{
    return find_command(entry) || !scan(entry).is_open();
}

/// Reads and executes entries until the input ends or the user quits.
class Loop {
public:
    Loop(Shell& shell, Input& input, bool is_terminal) : shell_(shell), input_(input), is_terminal_(is_terminal) {}

    /// Returns the lines of the current entry before the line that is being typed.
    const std::string& begun() const { return entry_; }

    /// Executes all input; returns true if no entry failed.
    bool run()
    {
        bool good = true;
        while (!shell_.is_over) {
            const Line line = input_.read(entry_.empty() ? kPrompt : kMore);
            if (line.kind == Line::Kind::Interrupted) {
                entry_.clear();
                shell_.workbench.let_go_of_processes();
                continue;
            }
            if (line.kind == Line::Kind::Text)
                entry_ += line.text + "\n";
            const bool is_last = line.kind == Line::Kind::End;
            if (is_last && is_terminal_) {
                shell_.terminal.write("\n");
                shell_.terminal.send();
                break;
            }
            if (is_last || is_whole(entry_))
                good &= take(std::exchange(entry_, {}));
            if (is_last)
                break;
        }
        return good;
    }

private:
    bool take(const std::string& entry)
    {
        const std::string text(trimmed(entry));
        if (text.empty())
            return true;
        input_.remember(text);
        const bool good = obey(shell_, text);
        if (!shell_.recall.empty())
            input_.remember(std::exchange(shell_.recall, {}));
        return good;
    }

    Shell& shell_;
    Input& input_;
    const bool is_terminal_;
    std::string entry_;
};

/// Returns a command-line option that the shell does not support, or an empty string.
std::string unfit_option(const cmd::Arguments& arguments)
{
    // letters of the options that take a program, indexed by SpecKind
    static constexpr const char* kNames[] = {"-s", "-P", "-m", "-f", "-n", "-i"};
    for (const cmd::ProgramText& program : arguments.programs)
        if (program.kind != SpecKind::Script)
            return kNames[static_cast<std::size_t>(program.kind)];
    return arguments.compile_only ? "-e" : "";
}

bool load_scripts(Shell& shell)
{
    for (const cmd::ProgramText& program : shell.arguments.programs) {
        const std::optional<cmd::Script> script =
            read_program(shell.arguments, shell.workbench.options(), program.text);
        if (!script || !shell.workbench.add(clauses_of_script(script->text)))
            return false;
    }
    return true;
}

} // namespace

bool Shell::refuse(std::string_view why)
{
    terminal.send();
    print_message(arguments, why);
    return false;
}

bool obey(Shell& shell, std::string_view entry)
{
    bool good = false;
    if (const CommandEntry* const command = find_command(entry)) {
        const std::string_view operand = operand_of(entry);
        if (operand.empty() ? command->needs_operand : command->operands.empty())
            good = shell.refuse("usage: " + std::string(command->name) + (command->operands.empty() ? "" : " ") +
                                std::string(command->operands));
        else
            good = command->run(shell, operand);
    } else {
        const Scan scanned = scan(entry);
        std::vector<std::string> clauses(scanned.items.begin(), scanned.items.end());
        if (const std::string_view rest = trimmed(entry.substr(scanned.begin)); scanned.is_open() && !rest.empty())
            clauses.emplace_back(rest);
        good = clauses.empty() || shell.workbench.add(clauses);
    }
    shell.terminal.send();
    return good;
}

} // namespace dt::shell

namespace dt::cmd {

int shell_mode(const Arguments& arguments, const Options& options, Output& output)
{
    using namespace dt::shell;
    if (const std::string option = unfit_option(arguments); !option.empty()) {
        print_message(arguments,
                      option + " cannot be used with --shell, which reads programs from the terminal; to start with a "
                               "script, use -s FILE");
        return kUsage;
    }
    Output standard;
    Output& terminal = arguments.output ? standard : output;
    Workbench workbench(arguments, options, output);
    if (const Result<Session*> session = workbench.session(); !session) {
        print_message(arguments, session.error().message);
        return kFailure;
    }
    Interrupts interrupts;
    Shell shell{arguments, workbench, terminal, interrupts};
    if (!load_scripts(shell))
        return kFailure;

    const bool is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    // Through this pointer, the callback for completion gets the previous lines of the entry.
    const Loop* loop = nullptr;
    const std::unique_ptr<Readline> readline =
        is_terminal ? Readline::open(
                          interrupts,
                          [&](std::string_view line) { return complete(workbench, loop->begun() + std::string(line)); })
                    : nullptr;
    if (is_terminal && !readline)
        print_message(arguments, missing_library("editing of lines, history and completion", Readline::library_name(),
                                                 "libreadline8"));
    PlainInput plain(interrupts, is_terminal);
    Loop entries(shell, readline ? static_cast<Input&>(*readline) : plain, is_terminal);
    loop = &entries;
    if (is_terminal)
        std::fputs("Type a clause and `run`, or `help`.\n", stdout);
    const bool good = entries.run();
    return good || is_terminal ? kSuccess : kFailure;
}

} // namespace dt::cmd

namespace dt::shell {
namespace {

/// Returns the letters of the options without values, for the script's #! line. Linux passes everything after the
/// interpreter as one word. So options with values become pragmas instead.
std::string flags(const cmd::Arguments& arguments)
{
    std::string letters;
    for (const cmd::Setting& setting : arguments.settings)
        if (setting.value.empty() && letters.find(setting.letter) == std::string::npos)
            letters += setting.letter;
    return letters;
}

/// Returns a pragma that sets the option; a comment if a program may not set it.
std::string option_line(const std::string& setting)
{
    const auto equals = setting.find('=');
    const auto value = equals == std::string::npos
                           ? std::nullopt
                           : std::optional<std::string_view>(std::string_view(setting).substr(equals + 1));
    Options options;
    const bool may = options.set(setting.substr(0, equals), value, OptionSource::Pragma).ok();
    return may ? "#pragma D option " + setting + "\n" : "/* to be run with -x " + setting + " */\n";
}

} // namespace

std::vector<std::string> clauses_of_script(std::string_view text)
{
    if (text.starts_with("#!"))
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    const Scan scanned = scan(text);
    std::vector<std::string> clauses(scanned.items.begin(), scanned.items.end());
    if (scanned.is_open())
        clauses.emplace_back(trimmed(text.substr(scanned.begin)));
    return clauses;
}

std::string script_text(const Workbench& workbench, const cmd::Arguments& arguments)
{
    std::string text = "#!/usr/sbin/dtrace -" + flags(arguments) + "s\n";
    for (const cmd::Setting& setting : arguments.settings)
        if (setting.letter == 'x')
            text += option_line(setting.value);
        else if (!setting.value.empty())
            text += std::string("/* to be run with -") + setting.letter + " " + setting.value + " */\n";
    for (const std::string& option : workbench.set_options())
        text += option_line(option);
    for (const std::string& clause : workbench.clauses())
        text += "\n" + clause + "\n";
    return text;
}

Result<void> save_script(const Workbench& workbench, const cmd::Arguments& arguments, const std::string& path)
{
    errno = 0;
    std::ofstream file(path);
    file << script_text(workbench, arguments);
    file.close();
    if (!file)
        return Error{"cannot write " + path + ": " + std::strerror(errno), errno};
    const mode_t mask = umask(0);
    umask(mask);
    if (chmod(path.c_str(), 0777 & ~mask) != 0)
        return Error{"cannot make " + path + " executable: " + std::strerror(errno), errno};
    return {};
}

Interrupts::Interrupts()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&set, number);
    sigprocmask(SIG_BLOCK, &set, &previous_);
    signals_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

Interrupts::~Interrupts()
{
    close(signals_);
    sigprocmask(SIG_SETMASK, &previous_, nullptr);
}

void Interrupts::read()
{
    signalfd_siginfo info;
    while (::read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
        (info.ssi_signo == SIGINT ? interrupted_ : ends_) = true;
}

bool Interrupts::wait_for(int input)
{
    pollfd polled[] = {{input, POLLIN, 0}, {signals_, POLLIN, 0}};
    if (poll(polled, 2, -1) < 0)
        return false; // an unrelated signal, such as a change of the terminal's size
    if (polled[1].revents != 0)
        read();
    return polled[0].revents != 0 && !interrupted_ && !ends_;
}

bool Interrupts::take()
{
    read();
    return std::exchange(interrupted_, false);
}

} // namespace dt::shell

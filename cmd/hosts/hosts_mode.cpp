// --hosts runs one program on many hosts and prints one merged result; --merge merges the output files of several
// hosts.
//
// With --hosts, each host runs dtrace with -x format=snapshot and sends its aggregations once a second. This process
// merges these lines as --merge does. An external program, such as ssh, runs the command on the hosts.
#include "cmd/hosts/hosts_mode.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>

#include "base/text.hpp"
#include "base/time.hpp"
#include "cmd/common/arguments.hpp"
#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "cmd/common/option_table.hpp"
#include "cmd/hosts/remote_shells.hpp"
#include "libdtrace/consumer/consumer.hpp"
#include "libdtrace/fleet/fleet_merge.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/output.hpp"

namespace dt::cmd {

/// Returns a shell command, for sh(1) on the hosts, that contains the program. If possible, the program is already
/// compiled, for hosts similar to this machine. Returns nothing if an error was printed.
std::optional<std::string> command_for_hosts(const Arguments& arguments, const Options& options, Output& output);

/// Prints the losses and a summary of all hosts. Call it after FleetMerge::finish(). Returns the exit status.
int report_results(const Arguments& arguments, const consume::FleetMerge& answers, Output& output);

namespace {

constexpr char kUsualCarrier[] = "clush -n -w %h";
constexpr int kLookMs = 100;

/// A line without its prefix, and the host that the prefix names. The prefix is the host's name, and the external
/// program may add text: "web17: …", "clush: web17: …".
struct ReportedHosts {
    std::string host, text;
};
ReportedHosts reported_hosts(std::string_view line, const std::vector<std::string>& sorted)
{
    for (std::size_t from = 0; from < line.size();) {
        const std::size_t colon = line.find(": ", from);
        if (colon == std::string_view::npos)
            break;
        const std::string_view word = line.substr(from, colon - from);
        if (std::binary_search(sorted.begin(), sorted.end(), word))
            return {std::string(word), std::string(line.substr(colon + 2))};
        from = colon + 2;
    }
    return {};
}

/// Returns whether a message belongs to a normal run and is no warning.
bool is_good_news(std::string_view text)
{
    return (text.find(" matched ") != std::string_view::npos && text.find(" probe") != std::string_view::npos) ||
           text.find(kRecompiled) != std::string_view::npos;
}

bool is_end(std::string_view text)
{
    return text.find("exited with") != std::string_view::npos;
}

class HostsRun {
public:
    HostsRun(const Arguments& arguments, const Options& options, Output& output, std::vector<std::string> hosts)
        : arguments_(arguments), options_(options), hosts_(std::move(hosts)),
          answers_({options, output, reproducible_output()})
    {
        for (const std::string& host : hosts_)
            answers_.expect(host);
        sorted_ = hosts_;
        std::sort(sorted_.begin(), sorted_.end());
    }

    Result<void> start(const std::string& command)
    {
        const std::string remote_shell = arguments_.remote_shell.empty() ? kUsualCarrier : arguments_.remote_shell;
        return carriers_.start(remote_shell, arguments_.hosts, hosts_, command);
    }

    void run()
    {
        const uint64_t began = now(), deadline = options_.run().deadline;
        std::optional<std::string> others = "no answer";
        const RemoteShells::Handlers heard = {[this](uint32_t from, std::string_view line) { hear(from, line); },
                                              [this](uint32_t from, std::string_view line) { hear_error(from, line); },
                                              [this](uint32_t from) { hear_end(from); }};
        while (carriers_.any_left() && !answers_.are_all_here()) {
            if (deadline != 0 && now() - began >= deadline) {
                others = "timeout";
                break;
            }
            if (!carriers_.wait(kLookMs, heard)) {
                others = std::nullopt;
                break;
            }
            if (const uint64_t here = now(); here - printed_ >= static_cast<uint64_t>(kLookMs) * kMillisecond)
                answers_.print_ready(printed_ = here);
        }
        answers_.finish(others);
    }

    const consume::FleetMerge& answers() const { return answers_; }
    void end() { carriers_.end(); }

private:
    static uint64_t now() { return now_monotonic(); }

    /// Handles a line of output. If the process reaches only one host, the line belongs to it. Otherwise the line
    /// begins with a host name.
    void hear(uint32_t from, std::string_view line)
    {
        const std::string& host = carriers_.host(from);
        const bool is_ours =
            host.empty() ? answers_.add(from, line, now()) : answers_.add(from, host + ": " + std::string(line), now());
        if (!is_ours)
            hear_error(from, line);
    }

    void hear_error(uint32_t from, std::string_view line)
    {
        ReportedHosts spoken = reported_hosts(line, sorted_);
        if (spoken.host.empty())
            spoken = {carriers_.host(from), std::string(line)};
        if (arguments_.verbose)
            print_message(arguments_, (spoken.host.empty() ? "" : spoken.host + ": ") + spoken.text);
        if (spoken.host.empty() || is_good_news(spoken.text))
            return;
        if (const std::size_t refused = spoken.text.find(kRefused); refused != std::string::npos)
            return answers_.refuse(spoken.host, spoken.text.substr(refused + kRefused.size()));
        answers_.excuse(spoken.host, spoken.text);
        if (is_end(spoken.text))
            answers_.give_up(spoken.host);
    }

    void hear_end(uint32_t from)
    {
        if (const std::string& host = carriers_.host(from); !host.empty())
            answers_.give_up(host);
    }

    const Arguments& arguments_;
    const Options& options_;
    const std::vector<std::string> hosts_;
    std::vector<std::string> sorted_;
    consume::FleetMerge answers_;
    RemoteShells carriers_;
    uint64_t printed_ = 0;
};

} // namespace

int hosts_mode(const Arguments& arguments, const Options& options, Output& output)
{
    if (arguments.programs.empty()) {
        print_message(arguments, "no probes specified");
        return kFailure;
    }
    auto hosts = host_names(arguments.hosts);
    if (!hosts) {
        print_message(arguments, hosts.error().message);
        return kFailure;
    }
    const std::optional<std::string> command = command_for_hosts(arguments, options, output);
    if (!command)
        return kFailure;
    HostsRun run(arguments, options, output, std::move(hosts.value()));
    if (const Result<void> started = run.start(*command); !started) {
        print_message(arguments, started.error().message);
        return kFailure;
    }
    run.run();
    const int status = report_results(arguments, run.answers(), output);
    run.end();
    return status;
}

// --merge: merges the output files of several hosts, which may have been written at different times.

namespace {

struct SnapshotFile {
    /// number of lines in the file that -x format=snapshot wrote (ours), and of all other lines (others)
    uint64_t ours = 0, others = 0;
    int failed = 0; ///< errno of the failure to read the file; 0: the file was read
};

SnapshotFile read_snapshots(const std::string& path, uint32_t source, consume::FleetMerge& answers)
{
    SnapshotFile file;
    const int descriptor = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return {0, 0, errno};
    const auto now = now_monotonic();
    const auto add = [&](std::string_view line) { ++(answers.add(source, line, now) ? file.ours : file.others); };
    Lines lines;
    char bytes[1 << 16];
    for (ssize_t size; (size = read(descriptor, bytes, sizeof bytes)) != 0;) {
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0) {
            file.failed = errno;
            break;
        }
        lines.add({bytes, static_cast<std::size_t>(size)}, add);
    }
    lines.finish(add);
    if (descriptor != STDIN_FILENO)
        close(descriptor);
    return file;
}

} // namespace

int merge_mode(const Arguments& arguments, const Options& options, Output& output)
{
    consume::FleetMerge answers({options, output, reproducible_output()});
    uint32_t source = 0;
    for (const std::string& path : arguments.operands) {
        const SnapshotFile file = read_snapshots(path, source++, answers);
        if (file.failed != 0) {
            print_message(arguments, "failed to read " + path + ": " + std::strerror(file.failed));
            return kFailure;
        }
        if (file.ours == 0) {
            answers.expect(path);
            answers.excuse(path, "it contains no snapshots: write them with -x format=snapshot");
        } else if (file.others != 0 && arguments.verbose) {
            print_message(arguments, path + ": left out " + std::to_string(file.others) +
                                         " lines that -x format=snapshot does not write");
        }
    }
    answers.finish("the file is incomplete");
    return report_results(arguments, answers, output);
}

// Builds one shell command that contains the program as base64 or as text. Any program that reaches hosts, such as ssh,
// can run it.

namespace {

/// Maximum length of the command. One word of a command line can have at most 128 KB (MAX_ARG_STRLEN), and the program
/// that reaches hosts adds words of its own.
constexpr std::size_t kLongestCommand = 120 * 1024;

/// Returns whether a setting applies on this machine and is not sent to the hosts. Such settings concern the merged
/// output, or the preprocessor, which runs here.
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

/// Returns a command that contains the program as typed, including the text of its script. Returns nothing if an error
/// was printed.
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
            print_message(arguments, "--send-source takes one script: join several scripts into one file");
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

/// Returns the command-line arguments for dtrace on the hosts.
Arguments meant_for_there(const Arguments& arguments, const Options& options)
{
    Arguments there = arguments;
    std::erase_if(there.settings, is_for_here);
    there.settings.push_back({'x', "format=snapshot"});
    if (options.run().aggevery == 0)
        there.settings.push_back({'x', "aggevery=1s"});
    there.hosts.clear();
    there.remote_shell.clear();
    there.policy.clear();
    there.verbose = false;
    return there;
}

/// Compiles the program on this machine, for similar hosts. Reports no errors: the hosts may have probes that this
/// machine lacks, and the user may not be allowed to list probes here.
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
    std::string command = "dtrace --run-bundle - <<'" + std::string(kEnd) + "'\n";
    std::string letters = to_base64(bundle_bytes(bundle));
    letters.append((4 - letters.size() % 4) % 4, '='); // adds padding, which base64(1) on the host requires
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
        print_message(arguments, "hosts compile the program: " + compiled.error().message);
    std::string command = command_with(bundle);
    if (command.size() > kLongestCommand && !bundle.variants.empty()) {
        bundle.variants.clear();
        command = command_with(bundle);
    }
    return command;
}

namespace {

std::optional<uint64_t> whole_number(std::string_view text)
{
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Splits a list of hosts at commas outside of brackets.
std::vector<std::string_view> between_commas(std::string_view text)
{
    std::vector<std::string_view> pieces;
    std::size_t begin = 0;
    bool in_bracket = false;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at < text.size() && (text[at] == '[' || text[at] == ']'))
            in_bracket = text[at] == '[';
        if (at == text.size() || (text[at] == ',' && !in_bracket)) {
            pieces.push_back(text.substr(begin, at - begin));
            begin = at + 1;
        }
    }
    return pieces;
}

/// Expands a range: "01-03" becomes 01, 02, 03.
std::vector<std::string> range_of(std::string_view range)
{
    const std::size_t dash = range.find('-');
    const std::string_view first = range.substr(0, dash);
    const auto low = whole_number(first);
    const auto high = dash == std::string_view::npos ? low : whole_number(range.substr(dash + 1));
    std::vector<std::string> numbers;
    if (!low || !high || *high < *low || *high - *low >= kMaxHosts)
        return numbers;
    for (uint64_t number = *low; number <= *high; ++number) {
        const std::string text = std::to_string(number);
        numbers.push_back(std::string(first.size() - std::min(first.size(), text.size()), '0') + text);
    }
    return numbers;
}

/// Appends all host names that a pattern means, each with the prefix `before`. Returns false if the pattern is not
/// valid.
bool add_host_names(std::string_view pattern, const std::string& before, std::vector<std::string>& names)
{
    const std::size_t open = pattern.find('['), close = pattern.find(']');
    if (open == std::string_view::npos && close == std::string_view::npos) {
        names.push_back(before + std::string(pattern));
        return names.size() <= kMaxHosts && !names.back().empty();
    }
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
        return false;
    for (const std::string_view range : between_commas(pattern.substr(open + 1, close - open - 1))) {
        const std::vector<std::string> numbers = range_of(range);
        for (const std::string& number : numbers)
            if (!add_host_names(pattern.substr(close + 1), before + std::string(pattern.substr(0, open)) + number,
                                names))
                return false;
        if (numbers.empty())
            return false;
    }
    return true;
}

} // namespace

Result<std::vector<std::string>> host_names(std::string_view set)
{
    std::vector<std::string> names;
    if (set.find('@') != std::string_view::npos)
        return Error{"'" + std::string(set) + "' names a group: list its hosts with $(nodeset -e GROUP)"};
    for (const std::string_view pattern : between_commas(set))
        if (!add_host_names(pattern, {}, names))
            return Error{"'" + std::string(set) + "' is not a list of hosts; examples are web[01-40] and web1,db1"};
    return names;
}

int report_results(const Arguments& arguments, const consume::FleetMerge& answers, Output& output)
{
    constexpr std::size_t kFew = 10;
    if (const Result<void> flushed = output.flush(); !flushed) {
        print_message(arguments, flushed.error().message);
        return kFailure;
    }
    for (const std::string& line : answers.losses(arguments.verbose ? SIZE_MAX : kFew))
        print_message(arguments, line);
    print_message(arguments, answers.summary(arguments.verbose));
    return answers.is_complete() ? kSuccess : kFailure;
}

} // namespace dt::cmd

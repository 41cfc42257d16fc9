// Parses the command line.
//
// Does not use getopt_long(3), which permutes argv, keeps global state and prints messages itself. The usage text needs
// a table with the meaning of each option anyway.
#include "cmd/common/arguments.hpp"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <iterator>

#include "cmd/common/option_table.hpp"
#include "cmd/common/tools.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/process/process.hpp"

namespace dt::cmd {
namespace {

using Parsed = std::variant<Arguments, UsageError>;

std::string_view base_name(std::string_view path)
{
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

const OptionEntry* find_letter(char letter)
{
    for (const OptionEntry& entry : option_table())
        if (entry.letter == letter)
            return &entry;
    return nullptr;
}

bool is_script(const ProgramText& program)
{
    return program.kind == SpecKind::Script && program.text.ends_with(".d");
}

// ---- combinations of modes and options ----------------------------------------------------------------------------

/// Kinds of options and words that a command line can contain in addition to its mode. Rules restrict which of them a
/// mode allows.
enum Part : uint32_t {
    kNothing = 0,
    kProgramTexts = 1 << 0,
    kProcesses = 1 << 1,
    kOperands = 1 << 2,
    kSeveralOperands = 1 << 3,
    kOutput = 1 << 4,
    kCompileOnly = 1 << 5,
    kBufferDump = 1 << 6,
    kSettings = 1 << 7, ///< options of the trace (-x), except -x grabanon
    kOtherWords = 1 << 8
};

constexpr uint32_t modes(std::initializer_list<Mode> list)
{
    uint32_t bits = 0;
    for (const Mode mode : list)
        bits |= 1U << static_cast<unsigned>(mode);
    return bits;
}

constexpr uint32_t kClassic = modes({Mode::List, Mode::Link, Mode::Header, Mode::Version});
constexpr uint32_t kOfScript = modes({Mode::Detach, Mode::Show, Mode::Follow, Mode::Cost});
constexpr uint32_t kOfService = kOfScript | modes({Mode::Service, Mode::Status, Mode::Attach, Mode::Reload});
constexpr uint32_t kOfSaved = modes({Mode::Claim, Mode::Anonymous, Mode::Initramfs});

/// Options and words that a command line must not contain (excluded) or must contain (needed) in certain modes. The
/// error message is the name of the mode followed by `message`. If several rules are broken, the first one is reported.
struct ModeRule {
    uint32_t modes;
    uint32_t excluded, needed;
    std::string_view message;
};

constexpr ModeRule kModeRules[] = {
    // clang-format off
    {modes({Mode::Doctor}), kProgramTexts | kProcesses | kOperands, kNothing, "takes no programs, processes or arguments"},
    {modes({Mode::Merge}), kProgramTexts | kProcesses, kNothing, "takes no programs or processes: it reads files of earlier traces"},
    {modes({Mode::Merge}), kNothing, kOperands, "needs files that were written with -x format=snapshot, or - for standard input"},
    {modes({Mode::Agent}), kOtherWords, kNothing, "takes no other options or arguments: each request contains its program"},
    {modes({Mode::RunBundle}), kProgramTexts | kProcesses | kOperands | kCompileOnly | kBufferDump, kNothing,
     "takes no programs, processes or arguments: the bundle contains them"},
    {modes({Mode::MakeBundle}), kProcesses | kOutput | kBufferDump, kNothing, "takes no processes or output file: it only compiles the program"},
    {modes({Mode::Postmortem}), kProgramTexts | kProcesses, kNothing, "takes no programs or processes: the dump contains the traces"},
    {modes({Mode::Postmortem}), kSeveralOperands, kOperands, "needs one file, a kernel crash dump"},
    {modes({Mode::TraceErrno}), kProgramTexts | kCompileOnly | kBufferDump, kNothing, "takes no programs: it generates one"},
    {modes({Mode::CheckKernel}), kProcesses | kCompileOnly | kBufferDump, kNothing, "takes no processes (-p, -c): it traces nothing"},
    {modes({Mode::CheckKernel}), kNothing, kProgramTexts, "needs a program: a script file, the name of a ready-made tool, or -n '...'"},
    {kOfService, kBufferDump | kOutput | kProgramTexts | kProcesses, kNothing, "takes no programs, processes or output file"},
    {modes({Mode::Reload}), kOperands, kNothing, "takes no arguments"},
    {kOfService, kSeveralOperands, kNothing, "takes one argument"},
    {modes({Mode::Attach}), kNothing, kOperands, "needs a script file"},
    {kOfScript, kNothing, kOperands, "needs the name of a script: service status lists the names"},
    {modes({Mode::SaveAnonymous}), kBufferDump | kOutput | kProcesses, kNothing, "takes no processes or output file: dtrace -a prints the recorded data"},
    {kOfSaved, kProgramTexts | kProcesses | kBufferDump | kSeveralOperands, kNothing, "takes no programs, processes or arguments"},
    {modes({Mode::Claim, Mode::Anonymous}), kOperands, kNothing, "takes no programs, processes or arguments"},
    {modes({Mode::Anonymous, Mode::Initramfs}), kOutput | kCompileOnly, kNothing, "takes no programs, processes or arguments"},
    {kOfSaved, kSettings, kNothing, "does not take these options: they must be given to dtrace -A"},
    // clang-format on
};

/// Returns whether the option selects a mode.
bool selects_mode(const OptionEntry& entry)
{
    return entry.role == Role::Mode || entry.role == Role::Bundle || entry.role == Role::FailedCall ||
           entry.role == Role::Check;
}

std::string written(const OptionEntry& entry)
{
    return entry.letter != 0 ? std::string("-") + entry.letter : "--" + std::string(entry.long_name);
}

class Parser {
public:
    explicit Parser(std::span<const char* const> argv) : argv_(argv)
    {
        if (!argv.empty()) {
            result_.argv0 = argv[0];
            result_.program_name = base_name(argv[0]);
        }
    }

    Parsed run()
    {
        if (argv_.size() <= 1)
            return UsageError{};
        if (std::string_view(argv_[1]) == "service")
            service_verb();
        while (next_ < argv_.size() && !error_) {
            const std::string_view word = argv_[next_++];
            if (options_ended_ || word.size() < 2 || word[0] != '-')
                result_.operands.emplace_back(word);
            else if (word == "--")
                options_ended_ = true;
            else if (word[1] == '-')
                long_option(word.substr(2));
            else
                short_options(word.substr(1));
        }
        if (!error_)
            check();
        if (error_)
            return std::move(*error_);
        return std::move(result_);
    }

private:
    void refuse(std::string message) { error_ = UsageError{{std::move(message)}}; }

    /// Reports an invalid option and refers the user to the list of options.
    void refuse_option(std::string message)
    {
        error_ = UsageError{{std::move(message), "try '" + result_.program_name + " --help' for the options"}};
    }

    /// Reads the verb that follows the word "service".
    void service_verb()
    {
        is_service_ = true;
        const std::string_view word = argv_.size() > 2 ? argv_[2] : "";
        next_ = std::min<std::size_t>(3, argv_.size());
        if (word == "help" || word == "--help")
            return add_mode(Mode::Help);
        std::string names;
        for (const ServiceVerb& verb : service_verbs()) {
            if (verb.name == word)
                return add_mode(verb.mode);
            names += (names.empty() ? "" : ", ") + std::string(verb.name);
        }
        const std::string problem =
            word.empty() ? "service needs a verb: " : "service has no verb '" + std::string(word) + "': use ";
        error_ = UsageError{{problem + names, "try '" + result_.program_name + " service --help' for the verbs"}};
    }

    void short_options(std::string_view letters)
    {
        while (!letters.empty() && !error_) {
            const char letter = letters[0];
            letters.remove_prefix(1);
            const OptionEntry* entry = find_letter(letter);
            if (!entry)
                return refuse_option(std::string("invalid option -- '") + letter + "'");
            if (!entry->value) {
                apply(*entry, {});
            } else if (!letters.empty()) {
                return apply(*entry, letters);
            } else if (next_ < argv_.size()) {
                return apply(*entry, argv_[next_++]);
            } else {
                return refuse_option(std::string("option requires an argument -- '") + letter + "'");
            }
        }
    }

    void long_option(std::string_view text)
    {
        const std::string_view name = text.substr(0, text.find('='));
        std::vector<const OptionEntry*> found;
        for (const OptionEntry& entry : option_table()) {
            if (entry.long_name == name) {
                found = {&entry};
                break;
            }
            if (!entry.long_name.empty() && !name.empty() && entry.long_name.starts_with(name))
                found.push_back(&entry);
        }
        if (found.empty())
            return refuse_option("unrecognized option '--" + std::string(name) + "'");
        if (found.size() > 1) {
            std::string message = "option '--" + std::string(name) + "' is ambiguous; possibilities:";
            for (const OptionEntry* entry : found)
                message += " '--" + std::string(entry->long_name) + "'";
            return refuse_option(std::move(message));
        }
        const OptionEntry& entry = *found[0];
        const bool attached = name.size() != text.size();
        if (attached && entry.mode == Mode::Help && text.substr(name.size() + 1) == entry.fixed) {
            result_.help_all = true;
            return apply(entry, {});
        }
        if (attached && entry.role == Role::Shorthand && Options::find(entry.fixed)->syntax == OptionSyntax::Special) {
            result_.settings.push_back({'x', std::string(entry.fixed) + std::string(text.substr(name.size()))});
            return;
        }
        if (attached && !entry.value)
            return refuse_option("option '--" + std::string(entry.long_name) + "' doesn't allow an argument");
        if (attached)
            return apply(entry, text.substr(name.size() + 1));
        if (!entry.value)
            return apply(entry, {});
        const bool is_followed_by_option = next_ < argv_.size() && std::string_view(argv_[next_]).starts_with("-");
        // a word that begins with "-" is an option and not the script of --check-kernel; its programs then come from
        // -n, -s or similar options
        if (entry.role == Role::Check && is_followed_by_option)
            return add_mode(entry.mode);
        if (next_ >= argv_.size())
            return refuse_option("option '--" + std::string(entry.long_name) + "' requires an argument");
        apply(entry, argv_[next_++]);
    }

    void add_mode(Mode mode)
    {
        if (std::find(modes_.begin(), modes_.end(), mode) == modes_.end())
            modes_.push_back(mode);
    }

    void apply(const OptionEntry& entry, std::string_view value)
    {
        switch (entry.role) {
        case Role::Setting:
            result_.settings.push_back({entry.letter, std::string(value)});
            break;
        case Role::Program:
            result_.programs.push_back({entry.kind, std::string(value)});
            break;
        case Role::Process:
            result_.processes.push_back({entry.letter == 'c', std::string(value)});
            break;
        case Role::FailedCall:
            result_.failed_call = value;
            add_mode(entry.mode);
            break;
        case Role::Check:
            result_.programs.push_back({entry.kind, std::string(value)});
            add_mode(entry.mode);
            break;
        case Role::Kernel:
            result_.kernels.emplace_back(value);
            break;
        case Role::Bundle:
            result_.bundle_file = value;
            add_mode(entry.mode);
            break;
        case Role::Mode:
            add_mode(entry.mode);
            break;
        case Role::DataModel:
            if (value != entry.fixed)
                refuse_option(std::string("illegal option -- ") + entry.letter + std::string(value));
            result_.settings.push_back({entry.letter, std::string(value)});
            break;
        case Role::Output:
            result_.output = value;
            break;
        case Role::CompileOnly:
            result_.compile_only = true;
            break;
        case Role::Verbose:
            result_.verbose = true;
            break;
        case Role::BufferDump:
            buffer_dump_ = true;
            break;
        case Role::Shorthand:
            result_.settings.push_back({'x', std::string(entry.fixed)});
            break;
        case Role::Hosts:
            result_.hosts = value;
            break;
        case Role::Policy:
            result_.policy = value;
            break;
        case Role::HostsText:
            result_.sends_text = true;
            break;
        case Role::Carrier:
            result_.remote_shell = value;
            break;
        }
    }

    /// Checks options that exclude or need each other, which getopt cannot do (dtrace(8), Modes).
    void check()
    {
        if (std::find(modes_.begin(), modes_.end(), Mode::Help) != modes_.end()) {
            result_.mode = Mode::Help; // --help has precedence over all other options
            result_.help_service = is_service_;
            return;
        }
        if (modes_.size() > 1)
            return refuse(several_modes());
        if (!modes_.empty())
            result_.mode = modes_[0];
        const bool makes_usdt = result_.mode == Mode::Link || result_.mode == Mode::Header;
        const uint32_t mode = modes({result_.mode}), parts = given_parts();
        const auto breaks = [mode, parts](const ModeRule& rule) {
            return (rule.modes & mode) != 0 && ((rule.excluded & parts) | (rule.needed & ~parts)) != 0;
        };
        const auto* const broken = std::find_if(std::begin(kModeRules), std::end(kModeRules), breaks);
        const bool is_broken = broken != std::end(kModeRules);
        // In modes of services and saved programs, an option that needs another mode is reported first, before violated
        // rules of the present mode.
        const bool is_late = ((kOfService | kOfSaved | modes({Mode::SaveAnonymous})) & mode) != 0;
        if (is_broken && !is_late)
            return refuse(name_of_mode() + " " + std::string(broken->message));
        if (!result_.kernels.empty() && result_.mode != Mode::CheckKernel)
            return refuse("--kernel only works with --check-kernel");
        if (!result_.remote_shell.empty() && result_.hosts.empty())
            return refuse("--rsh needs --hosts, which names the hosts");
        if (result_.sends_text && result_.hosts.empty())
            return refuse("--send-source needs --hosts, which names the hosts");
        if (!result_.hosts.empty() && (result_.mode != Mode::Run || result_.compile_only || buffer_dump_))
            return refuse("--hosts can only be used for tracing");
        const bool traces = (result_.mode == Mode::Run && !result_.compile_only) || result_.mode == Mode::RunBundle;
        if (!result_.policy.empty() && (!traces || !result_.hosts.empty()))
            return refuse("--policy only works for traces on this machine");
        const auto is_keep = [](const Setting& setting) { return setting.letter == 'k'; };
        if (!makes_usdt && std::any_of(result_.settings.begin(), result_.settings.end(), is_keep))
            return refuse("-k only works with -G and -h");
        if (is_broken)
            return refuse(name_of_mode() + " " + std::string(broken->message));
        if (is_late)
            return;
        if (result_.mode == Mode::Header && !result_.output && result_.programs.size() == 1 &&
            !is_script(result_.programs[0]) && !find_tool(result_.programs[0].text).empty()) {
            result_.mode = Mode::Help; // -s opensnoop -h shows the help of a tool
            return;
        }
        if (buffer_dump_ && (makes_usdt || result_.mode == Mode::List))
            return refuse("-B not valid in combination with [-Gl] options");
        if (buffer_dump_ && result_.output)
            return refuse("-B not valid in combination with -o option");
        if (buffer_dump_)
            return refuse("-B, the dump of raw buffers, is not supported");
        if (makes_usdt && result_.programs.empty())
            return refuse(name_of_mode() + " requires one or more scripts or enabling options");
        if (result_.mode == Mode::Header && !result_.output && result_.programs.size() > 1)
            return refuse("-h requires an output file if multiple scripts are specified");
        if (result_.mode == Mode::Header && !result_.output && !is_script(result_.programs[0]))
            return refuse("-h requires an output file if no scripts are specified");
    }

    uint32_t given_parts() const
    {
        const auto is_grabanon = [](const Setting& each) { return each.letter == 'x' && each.value == "grabanon"; };
        const bool sets =
            result_.verbose || !std::all_of(result_.settings.begin(), result_.settings.end(), is_grabanon);
        return (result_.programs.empty() ? kNothing : kProgramTexts) |
               (result_.processes.empty() ? kNothing : kProcesses) | (result_.operands.empty() ? kNothing : kOperands) |
               (result_.operands.size() > 1 ? kSeveralOperands : kNothing) | (result_.output ? kOutput : kNothing) |
               (result_.compile_only ? kCompileOnly : kNothing) | (buffer_dump_ ? kBufferDump : kNothing) |
               (sets ? kSettings : kNothing) | (argv_.size() > 2 ? kOtherWords : kNothing);
    }

    /// Returns the option or the verb that selected the mode.
    std::string name_of_mode() const
    {
        const auto selects = [this](const OptionEntry& each) {
            return selects_mode(each) && each.mode == result_.mode;
        };
        return is_service_ ? "service " + std::string(argv_[2])
                           : written(*std::find_if(option_table().begin(), option_table().end(), selects));
    }

    /// Returns the error message for a command line with several modes. It is the message of other DTraces, or it names
    /// the conflicting long options and the verb.
    std::string several_modes() const
    {
        std::string names;
        bool classic = true;
        for (const OptionEntry& entry : option_table()) {
            if (!selects_mode(entry) || std::find(modes_.begin(), modes_.end(), entry.mode) == modes_.end())
                continue;
            classic &= (modes({entry.mode}) & kClassic) != 0;
            names += (names.empty() ? "" : ", ") + written(entry);
        }
        if (is_service_)
            names += ", service " + std::string(argv_[2]);
        return classic && !is_service_ ? "only one of the [-GhlV] options can be specified at a time"
                                       : "only one of " + names + " can be specified at a time";
    }

    std::span<const char* const> argv_;
    std::size_t next_ = 1;
    bool options_ended_ = false;
    bool buffer_dump_ = false;
    bool is_service_ = false; ///< whether the command is `dtrace service VERB`
    std::vector<Mode> modes_;
    Arguments result_;
    std::optional<UsageError> error_;
};

} // namespace

namespace {

/// Returns whether the word consists of flags and ends with -s, so that the next word is the script ("-qs").
bool wants_script(std::string_view word)
{
    if (word.size() < 2 || word[0] != '-' || word.back() != 's')
        return false;
    return std::all_of(word.begin() + 1, word.end() - 1, [](char letter) {
        const OptionEntry* const entry = find_letter(letter);
        return entry && !entry->value;
    });
}

/// Returns whether the first line of the file is "#!", an interpreter and `arguments`.
bool has_first_line(const char* path, std::string_view arguments)
{
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line) || !line.starts_with("#!"))
        return false;
    constexpr std::string_view kBlanks = " \t\r";
    line.erase(line.find_last_not_of(kBlanks) + 1);
    const std::size_t interpreter = std::min(line.find_first_not_of(kBlanks, 2), line.size());
    const std::size_t end = std::min(line.find_first_of(kBlanks, interpreter), line.size());
    const std::size_t rest = std::min(line.find_first_not_of(kBlanks, end), line.size());
    return std::string_view(line).substr(rest) == arguments;
}

} // namespace

std::vector<std::string> split_script_line(std::span<const char* const> argv)
{
    std::vector<std::string> words(argv.begin(), argv.end());
    if (words.size() < 3 || words[1][0] != '-' || words[1].find_first_of(" \t") == std::string::npos ||
        !has_first_line(argv[2], words[1]))
        return words;
    auto split = command_words(words[1]);
    if (!split)
        return words;
    std::vector<std::string> given = split->words;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const bool has_file = i + 1 < given.size() && !given[i + 1].starts_with('-');
        if (!wants_script(given[i]) || has_file)
            continue;
        given.insert(given.begin() + static_cast<std::ptrdiff_t>(i) + 1, words[2]);
        words.erase(words.begin() + 1, words.begin() + 3);
        words.insert(words.begin() + 1, given.begin(), given.end());
        break;
    }
    return words;
}

Parsed parse_arguments(std::span<const char* const> argv)
{
    return Parser(argv).run();
}

} // namespace dt::cmd

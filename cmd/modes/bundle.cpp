// --bundle writes the program to a file, as typed and compiled for similar machines, and --run-bundle runs such a file.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "cmd/common/option_table.hpp"
#include "dcompiler/object/packed.hpp"
#include "libdtrace/attach/dynamic_probes.hpp"
#include "libdtrace/records/actions.hpp"
#include "libdtrace/session/capabilities.hpp"
#include "libdtrace/session/compatibility_key.hpp"

namespace dt::cmd {
namespace {

/// Returns the options that environment variables DTRACE_OPT_NAME=VALUE set.
std::vector<std::string> words_of_environment()
{
    constexpr std::string_view kPrefix = "DTRACE_OPT_";
    std::vector<std::string> words;
    for (const char* const* each = environ; each && *each; ++each) {
        std::string_view variable = *each;
        if (!variable.starts_with(kPrefix))
            continue;
        std::string word(variable.substr(kPrefix.size()));
        for (std::size_t i = 0; i < word.size() && word[i] != '='; ++i)
            word[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(word[i])));
        words.push_back("-x" + word);
    }
    return words;
}

/// Returns a macro variable in the sources whose value differs between machines; an empty string if there is none. Also
/// finds it in comments; then other machines compile the program themselves although they need not.
std::string macro_of_this_machine(const std::deque<Source>& sources)
{
    constexpr std::string_view kNames[] = {"egid", "euid", "gid", "pgid", "pid", "ppid", "sid", "uid"};
    for (const Source& source : sources)
        for (std::size_t at = source.text.find('$'); at != std::string::npos; at = source.text.find('$', at + 1)) {
            std::size_t end = at + 1;
            while (end < source.text.size() && std::isalnum(static_cast<unsigned char>(source.text[end])))
                ++end;
            const std::string name = source.text.substr(at + 1, end - at - 1);
            if (std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames))
                return "$" + name;
        }
    return {};
}

/// Returns why compiled code cannot be used on other machines, or an empty string.
std::string tied_to_here(Command& command)
{
    const Program& program = command.trace.program();
    const Schema& schema = command.trace.object().schema;
    if (DynamicProbes::may_follow(program, command.session.processes()) ||
        std::any_of(schema.programs.begin(), schema.programs.end(),
                    [](const ProgramPlan& each) { return each.plan->kind_info().target == TargetKind::Instruction; }))
        return "probes in processes depend on the files of this machine";
    if (consume::shows_types(schema))
        return "print() depends on the types of this machine";
    if (command.trace.options().compile().annotate)
        return "option annotate needs a program that was compiled on the same machine";
    const std::string macro = macro_of_this_machine(command.trace.sources());
    return macro.empty() ? "" : macro + " has a value that is only valid on this machine";
}

bool has_addresses(const Schema& schema)
{
    return std::any_of(schema.programs.begin(), schema.programs.end(), [](const ProgramPlan& program) {
        const auto& targets = program.plan->targets;
        return std::any_of(targets.begin(), targets.end(), [](const AttachTarget& each) { return each.address != 0; });
    });
}

bool names_host(const Program& program)
{
    return std::any_of(program.exprs.begin(), program.exprs.end(),
                       [](const TExpr& each) { return each.builtin && each.builtin->name == "host"; });
}

} // namespace

std::optional<Bundle::Typed> typed_program(const Arguments& arguments, const Options& options)
{
    Bundle::Typed typed{words_of_environment(), {}};
    for (const Setting& setting : arguments.settings)
        if (!concerns_preprocessor(setting))
            typed.words.push_back(std::string("-") + setting.letter + setting.value);
    if (arguments.verbose)
        typed.words.push_back("-v");
    for (const ProgramText& program : arguments.programs) {
        typed.words.push_back(std::string("-") + letter_of(program.kind) + program.text);
        if (program.kind != SpecKind::Script)
            continue;
        std::optional<Script> script = read_program(arguments, options, program.text);
        if (!script)
            return std::nullopt;
        typed.scripts.emplace_back(std::move(script->path), std::move(script->text));
    }
    if (!arguments.operands.empty())
        typed.words.push_back("--");
    typed.words.insert(typed.words.end(), arguments.operands.begin(), arguments.operands.end());
    return typed;
}

Result<Bundle::Variant> compiled_for_others(Command& command)
{
    // Loads the program once before saving it. If this kernel rejects one of the BPF programs, the compiler makes an
    // attach plan that avoids it, because similar kernels would reject it, too.
    const bool may_load = geteuid() == 0 || missing_to_trace().empty();
    if (may_load && command.trace.options().compile().pin.empty())
        static_cast<void>(command.trace.load());
    if (std::string why = tied_to_here(command); !why.empty())
        return Error{std::move(why)};
    const Object& object = command.trace.object();
    const Program& program = command.trace.program();
    CompatibilityFacts facts = {{"dtrace", build_name()}};
    for (auto& fact : compatibility_facts(command.session.world()))
        facts.push_back(std::move(fact));
    if (has_addresses(object.schema))
        add_fact(facts, command.session.world(), "boot");
    for (const Statement& statement : program.statements)
        for (const Probe* probe : statement.probes)
            if (!probe->module.empty() && probe->module != "vmlinux" &&
                command.session.world().has_module(probe->module))
                add_fact(facts, command.session.world(), "module:" + probe->module);
    if (names_host(program))
        add_fact(facts, command.session.world(), "host");
    return Bundle::Variant{text_of(facts), pack(object, program)};
}

int make_bundle_mode(Command& command)
{
    const Arguments& arguments = command.arguments;
    if (arguments.programs.empty())
        return no_program(command);
    std::optional<Bundle::Typed> typed = typed_program(arguments, command.trace.options());
    if (!typed || !add_programs(command) || !finish_programs(command))
        return kFailure;
    Bundle bundle{std::move(*typed), {}};
    if (Result<Bundle::Variant> compiled = compiled_for_others(command))
        bundle.variants.push_back(std::move(compiled.value()));
    else
        print_message(arguments,
                      arguments.bundle_file + " contains only the text of the program: " + compiled.error().message);
    const std::string bytes = bundle_bytes(bundle);
    const auto* const begin = reinterpret_cast<const uint8_t*>(bytes.data());
    if (const int failed = write_whole_file(arguments.bundle_file, {begin, bytes.size()}); failed != 0) {
        print_message(arguments, "failed to write " + arguments.bundle_file + ": " + std::strerror(failed));
        return kFailure;
    }
    return kSuccess;
}

// --run-bundle: reads a bundle and runs its program, compiled in advance if that fits this machine.

namespace {

constexpr std::size_t kLargestBundle = 64 << 20;

/// Reads the file; "-" is standard input.
Result<std::string> bytes_of_bundle(const std::string& path)
{
    const int descriptor = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return Error{"failed to open " + path + ": " + std::strerror(errno), errno};
    std::string bytes;
    char room[1 << 16];
    ssize_t size = 0;
    while (((size = read(descriptor, room, sizeof room)) > 0 || (size < 0 && errno == EINTR)) &&
           bytes.size() <= kLargestBundle)
        bytes.append(room, size < 0 ? 0 : static_cast<std::size_t>(size));
    const int failed = size < 0 ? errno : 0;
    if (descriptor != STDIN_FILENO)
        close(descriptor);
    if (failed != 0)
        return Error{"failed to read " + path + ": " + std::strerror(failed), failed};
    return bytes;
}

std::string name_of_bundle(const Arguments& arguments)
{
    return arguments.bundle_file == "-" ? "the bundle" : arguments.bundle_file;
}

/// Returns whether the compiled code of a bundle depends on the setting, so that --run-bundle cannot change it.
bool is_compiled_in(const Setting& setting)
{
    if (setting.letter != 'x')
        return std::string_view("bFqw").find(setting.letter) == std::string_view::npos;
    const std::string_view name = std::string_view(setting.value).substr(0, setting.value.find_first_of("=+"));
    const auto rows = compile_options();
    return std::any_of(rows.begin(), rows.end(), [name](const OptionHead& each) { return each.name == name; });
}

std::variant<int, Arguments> failed_with(const Arguments& given, const std::string& message)
{
    print_message(given, message);
    return kFailure;
}

/// Inserts the texts of the bundle's scripts into the command line's programs. Returns false if the number of scripts
/// differs.
bool give_contents(std::vector<ProgramText>& programs, const Bundle::Typed& typed)
{
    std::size_t next = 0;
    for (ProgramText& program : programs) {
        if (program.kind != SpecKind::Script)
            continue;
        if (next == typed.scripts.size())
            return false;
        program.text = typed.scripts[next].first;
        program.contents = typed.scripts[next++].second;
    }
    return next == typed.scripts.size();
}

} // namespace

std::variant<int, Arguments> arguments_of_bundle(const Arguments& given)
{
    const std::string& path = given.bundle_file;
    const Result<std::string> bytes = bytes_of_bundle(path);
    if (!bytes)
        return failed_with(given, bytes.error().message);
    Result<Bundle> read = read_bundle(bytes.value());
    if (!read)
        return failed_with(given, name_of_bundle(given) + " " + read.error().message);
    for (const Setting& setting : given.settings)
        if (is_compiled_in(setting))
            return failed_with(given, std::string("-") + setting.letter + " " + setting.value +
                                          " affects the compilation: give it to dtrace --bundle");
    std::vector<const char*> argv = {given.argv0.c_str()};
    for (const std::string& word : read->typed.words)
        argv.push_back(word.c_str());
    auto parsed = parse_arguments(argv);
    auto* const meant = std::get_if<Arguments>(&parsed);
    if (!meant || meant->mode != Mode::Run || meant->programs.empty() || !meant->processes.empty() ||
        !give_contents(meant->programs, read->typed))
        return failed_with(given,
                           name_of_bundle(given) + " is damaged: the command line that it contains is not valid");
    meant->settings.insert(meant->settings.end(), given.settings.begin(), given.settings.end());
    meant->output = given.output;
    meant->policy = given.policy;
    meant->verbose |= given.verbose;
    meant->bundle_file = path;
    meant->bundle = std::make_shared<const Bundle>(std::move(read.value()));
    return std::move(*meant);
}

bool take_from_bundle(Command& command)
{
    const Bundle* const bundle = command.arguments.bundle.get();
    if (!bundle)
        return false;
    const CompatibilityFacts ours = {{"dtrace", build_name()}};
    std::string why = "it contains only the text of the program";
    for (const Bundle::Variant& each : bundle->variants) {
        why = difference_here(command.session.world(), each.facts, ours);
        if (!why.empty())
            continue;
        Result<std::unique_ptr<PackedProgram>> unpacked = unpack(each.packed);
        const Result<void> taken = unpacked ? command.trace.take(std::move(unpacked.value())) : unpacked.error();
        if (taken)
            return true;
        why = taken.error().message;
    }
    if (bundle->variants.size() > 1)
        why = "none of the " + std::to_string(bundle->variants.size()) +
              " compiled programs was made for a machine like this one; the last one differs: " + why;
    report_recompiled(command, why);
    return false;
}

void report_recompiled(const Command& command, const std::string& why)
{
    if (!command.trace.options().print().quiet)
        print_message(command.arguments, name_of_bundle(command.arguments) + std::string(kRecompiled) + why);
}

} // namespace dt::cmd

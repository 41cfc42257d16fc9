// --run: reads a bundle and runs its program, compiled in advance if that fits this machine.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cmd/messages.hpp"
#include "cmd/modes.hpp"
#include "dcompiler/object/packed.hpp"
#include "libdtrace/world/machine_facts.hpp"

namespace dt::cmd {
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

/// Returns whether the setting affects compiled code and can no longer change.
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
    say(given, message);
    return kFailure;
}

/// Assigns the bundle's scripts to the programs. Returns false if their numbers differ.
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
                                          " is compiled in: it is for dtrace --bundle");
    std::vector<const char*> argv = {given.argv0.c_str()};
    for (const std::string& word : read->typed.words)
        argv.push_back(word.c_str());
    auto parsed = parse_arguments(argv);
    auto* const meant = std::get_if<Arguments>(&parsed);
    if (!meant || meant->mode != Mode::Run || meant->programs.empty() || !meant->processes.empty() ||
        !give_contents(meant->programs, read->typed))
        return failed_with(given, name_of_bundle(given) + " is damaged: nobody types such a command");
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
    const MachineFacts ours = {{"dtrace", build_name()}};
    std::string why = "it has the program's text alone";
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
        why = "none of " + std::to_string(bundle->variants.size()) + " fits; of the last, " + why;
    tell_compiled_anew(command, why);
    return false;
}

void tell_compiled_anew(const Command& command, const std::string& why)
{
    if (!command.trace.options().print().quiet)
        say(command.arguments, name_of_bundle(command.arguments) + std::string(kCompiledAnew) + why);
}

} // namespace dt::cmd

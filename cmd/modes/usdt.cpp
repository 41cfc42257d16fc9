// Modes for building programs that have USDT probes: -h writes a C header for the providers that the D programs define,
// and -G processes object files. Neither mode traces.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "libdtrace/usdt/link.hpp"

namespace dt::cmd {

int header_mode(Command& command)
{
    const Arguments& arguments = command.arguments;
    if (!add_programs(command))
        return kFailure;
    const std::string path = arguments.output ? *arguments.output : replaced_suffix(arguments.programs[0].text, ".h");
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << usdt::make_header(path.substr(path.rfind('/') + 1), command.trace.compiler().program().providers);
    file.close();
    if (file)
        return kSuccess;
    print_message(arguments, "failed to open header file '" + path + "': " + std::strerror(errno));
    return kFailure;
}

// -G: replaces the probe calls in object files by no-op instructions, and writes an object file that describes their
// locations.

namespace {

/// Returns the path of the object file that -G writes for a D program: "prov.o" for a script prov.d, d.out for other
/// programs. If there are several of them, the name has a number.
std::string output_path(const Arguments& arguments, std::size_t program)
{
    if (arguments.output)
        return *arguments.output;
    const ProgramText& text = arguments.programs[program];
    if (text.kind == SpecKind::Script && text.text.ends_with(".d"))
        return replaced_suffix(text.text, ".o");
    return arguments.programs.size() == 1 ? "d.out" : "d.out." + std::to_string(program);
}

Result<void> write_file(const std::string& path, const std::vector<uint8_t>& bytes)
{
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file)
        return Error{"failed to write " + path + ": " + std::strerror(errno), errno};
    return {};
}

/// Returns the providers that go into the object file of one D program. With -o, returns the providers of all programs,
/// because they share one object file.
std::vector<const DefinedProvider*> providers_of(const Command& command, std::size_t program)
{
    std::vector<const DefinedProvider*> found;
    for (const DefinedProvider& provider : command.trace.compiler().program().providers)
        if (command.arguments.output || provider.at.source == &command.trace.sources()[program])
            found.push_back(&provider);
    return found;
}

} // namespace

int link_mode(Command& command)
{
    const Arguments& arguments = command.arguments;
    if (!add_programs(command))
        return kFailure;
    const std::size_t objects = arguments.output ? 1 : arguments.programs.size();
    for (std::size_t i = 0; i < objects; ++i)
        if (const std::string path = output_path(arguments, i);
            std::count(arguments.operands.begin(), arguments.operands.end(), path) != 0) {
            print_message(arguments,
                          "the output would overwrite the object file " + path + ": name another one with -o");
            return kFailure;
        }
    const auto form = command.trace.options().run().linktype == "dof" ? usdt::LinkedForm::Dof : usdt::LinkedForm::Elf;
    const auto sites = usdt::take_call_sites(arguments.operands, form);
    // Build systems run -G without object files to check whether -G works.
    const bool has_objects = !arguments.operands.empty();
    const bool define_functions = !has_objects || (sites && sites.value().some_are_intermediate);
    for (std::size_t i = 0; i < objects; ++i) {
        Result<void> result = sites ? Result<void>{} : sites.error();
        if (sites) {
            const auto providers = providers_of(command, i);
            const auto bytes = providers.empty() && has_objects
                                   ? Result<std::vector<uint8_t>>(Error{"No provider definitions in the file"})
                                   : usdt::describe_probes(providers, sites.value().sites, define_functions, form);
            result = bytes ? write_file(output_path(arguments, i), bytes.value()) : bytes.error();
        }
        if (!result) {
            print_message(arguments, "failed to link " + describe_program(arguments.programs[i], {}) + ": " +
                                         result.error().message);
            return kFailure;
        }
    }
    return kSuccess;
}

} // namespace dt::cmd

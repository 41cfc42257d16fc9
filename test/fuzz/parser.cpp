// Fuzz target: lexer, parser, tree printer, source renderer and the parser of printf formats. They need no kernel and
// do not look up names.
//
// The first byte chooses the kind of text and options. Besides the checks of the sanitizers, checks the guarantees of
// parser.hpp: at most kMax errors are kept, the tree's height is bounded, and the tree can be printed. Parsing the same
// text twice must give equal trees and equal errors.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "dcompiler/interface/render.hpp"
#include "dcompiler/syntax/format.hpp"
#include "dcompiler/syntax/parser.hpp"
#include "dcompiler/syntax/print.hpp"

namespace {

using namespace dt;

// Tells the parser which names are types: names that end in _t, and the names a and T, which the mutator produces
// often.
class Types : public syntax::TypeNames {
public:
    bool is_type(std::string_view name) override
    {
        return name == "a" || name == "T" || (name.size() > 2 && name.substr(name.size() - 2) == "_t");
    }
};

struct Outcome {
    std::string tree, errors;
};

Outcome parse_once(const Source& source, SpecKind kind, uint8_t flags)
{
    CompileOptions options;
    options.pspec = flags & 1;
    options.defaultargs = flags & 2;
    Macros macros;
    macros.script = "prog.d";
    macros.arguments = {"-12", "name", "a text", "0x7fff"};
    Types types;
    Diagnostics diagnostics;
    syntax::ParseHooks hooks;
    hooks.option = [](std::string_view name, std::optional<std::string_view>) -> Result<void> {
        return name.size() > 8 ? Result<void>(Error{"Invalid option name"}) : Result<void>();
    };
    const auto ast = syntax::parse(source, kind, macros, options, types, hooks, diagnostics);
    if (diagnostics.list().size() > Diagnostics::kMax)
        std::abort();
    return {syntax::print(*ast), render_all(diagnostics, {.errtags = true})};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    constexpr SpecKind kinds[] = {SpecKind::Script,   SpecKind::Provider, SpecKind::Module,
                                  SpecKind::Function, SpecKind::Name,     SpecKind::ProbeId};
    // Seed files begin with 's', which selects a script without options.
    const unsigned choice = data[0] == 's' ? 0 : data[0];
    const SpecKind kind = kinds[choice % 6];
    Source source;
    source.kind = kind != SpecKind::Script ? Source::Kind::CommandLine
                  : choice & 64            ? Source::Kind::Library
                                           : Source::Kind::Script;
    source.name = "prog.d";
    source.text.assign(reinterpret_cast<const char*>(data) + 1, size - 1);

    const Outcome one = parse_once(source, kind, static_cast<uint8_t>(choice >> 4));
    const Outcome two = parse_once(source, kind, static_cast<uint8_t>(choice >> 4));
    if (one.tree != two.tree || one.errors != two.errors)
        std::abort();
    if (auto format = format::parse(source.text); format.ok())
        for (const auto& piece : format->pieces)
            if (const auto* conversion = std::get_if<format::Conversion>(&piece); conversion && !conversion->info)
                std::abort();
    return 0;
}

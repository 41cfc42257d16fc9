// Fuzz target: the lexer without the parser, in any sequence of the lexer's modes.
//
// The first byte is the seed for the sequence of modes, and for what a parser would tell the lexer. Besides the checks
// of the sanitizers, lexing must end, each token must advance, and each token must lie inside the text.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "dcompiler/syntax/lexer.hpp"

namespace {

using namespace dt;

class Types : public syntax::TypeNames {
public:
    bool is_type(std::string_view name) override { return name.size() > 2 && name.substr(name.size() - 2) == "_t"; }
};

/// Reads the next token. Returns false if the text is invalid there; the lexer advances in both cases.
bool next(syntax::Lexer& lexer, syntax::Lexer::Mode mode, syntax::Token& token)
{
    try {
        token = lexer.next(mode);
        return true;
    } catch (const syntax::ParseAbort&) {
        return false;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    constexpr syntax::Lexer::Mode modes[] = {syntax::Lexer::Mode::Outer, syntax::Lexer::Mode::Descriptions,
                                             syntax::Lexer::Mode::Inside};
    Source source;
    source.kind = Source::Kind::Script;
    source.name = "prog.d";
    source.text.assign(reinterpret_cast<const char*>(data) + 1, size - 1);
    CompileOptions options;
    Macros macros;
    macros.arguments = {"-12", "name", "a text"};
    Types types;
    Diagnostics diagnostics;
    syntax::ParseHooks hooks;
    hooks.option = [](std::string_view, std::optional<std::string_view>) -> Result<void> { return {}; };
    ast::Ast ast;
    syntax::MacroTable table(macros, options);
    syntax::ControlLines control_lines(source, ast, hooks, diagnostics);
    syntax::Lexer lexer(source, table, types, true, control_lines, diagnostics);

    uint32_t choice = data[0];
    std::size_t stuck = 0, last = 0;
    for (;;) {
        choice = choice * 1664525 + 1013904223;
        lexer.set_predicate(choice & 0x1000000);
        syntax::Token token;
        const bool good = next(lexer, modes[(choice >> 16) % 3], token);
        if (good && token.is(syntax::TokenKind::End))
            break;
        if (good && std::size_t{token.at.offset} + token.raw.size() > source.text.size())
            std::abort();
        stuck = lexer.position() > last ? 0 : stuck + 1;
        last = lexer.position();
        if (stuck > 8) // the lexer may stay at a position for a few tokens, but not forever
            std::abort();
        if (!good && lexer.position() < source.text.size())
            lexer.skip_character();
    }
    return 0;
}

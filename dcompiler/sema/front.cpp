#include "dcompiler/sema/front.hpp"

#include "dcompiler/syntax/parser.hpp"

namespace dt::sema {

bool check_text(FrontState& state, const Source& source, SpecKind kind) { return check_text(state, source, kind, state.macros); }

bool check_text(FrontState& state, const Source& source, SpecKind kind, const Macros& macros)
{
    Checker& checker = state.checker;
    const std::size_t errors = checker.diagnostics.count();
    checker.begin_program(source, kind, state.texts++);
    syntax::ParseHooks hooks;
    hooks.item = [&checker](ast::Item& item) { checker.declaration(item); };
    hooks.option = [&checker](std::string_view name, std::optional<std::string_view> value) {
        return checker.options.set(name, value, OptionSource::Pragma);
    };
    hooks.end = [&checker](const Span&) { checker.finish_pragmas(); };
    state.trees.push_back(syntax::parse(source, kind, macros, checker.options, checker, hooks, checker.diagnostics));
    checker.clauses(*state.trees.back());
    return checker.diagnostics.count() == errors;
}

} // namespace dt::sema

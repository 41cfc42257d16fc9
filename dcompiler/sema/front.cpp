#include "dcompiler/sema/front.hpp"

#include "dcompiler/syntax/parser.hpp"

namespace dt::sema {

Front::Front(World& world, Options& options, Diagnostics& diagnostics) : options_(options), diagnostics_(diagnostics)
{
    program_.types = std::make_shared<TypeTable>(options.strsize);
    checker_ = std::make_unique<Checker>(program_, world, options, diagnostics);
}

Front::~Front() = default;

bool Front::add(const Source& source, SpecKind kind, const Macros& macros)
{
    const std::size_t errors = diagnostics_.count();
    checker_->begin_program(source, kind, texts_++);
    syntax::ParseHooks hooks;
    hooks.item = [this](ast::Item& item) { checker_->declaration(item); };
    hooks.option = [this](std::string_view name, std::optional<std::string_view> value) {
        Result<void> set = options_.set(name, value, OptionSource::Pragma);
        program_.types->set_strsize(options_.strsize);
        return set;
    };
    hooks.end = [this](const Span&) { checker_->finish_pragmas(); };
    trees_.push_back(syntax::parse(source, kind, macros, options_, *checker_, hooks, diagnostics_));
    program_.types->set_strsize(options_.strsize);
    checker_->clauses(*trees_.back());
    return diagnostics_.count() == errors;
}

} // namespace dt::sema

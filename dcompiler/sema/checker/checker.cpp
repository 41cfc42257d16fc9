// Checks all source texts of a compilation, one item (clause or declaration) after the other.
#include "dcompiler/sema/checker/checker.hpp"

#include "dcompiler/sema/checker/checker_part.hpp"

namespace dt::sema {

// Reports errors in the source texts that are being checked.

void Reports::fail(std::string_view tag, const Span& at, std::string message, std::string hint)
{
    ++count_;
    diagnostics_.error(tag, placed(at), std::move(message), std::move(hint), definition(at));
    throw Failure{tag};
}

void Reports::defer(std::string_view tag, const Span& at, std::string message, std::string hint)
{
    if (here_.unevaluated)
        return;
    if (!here_.deferred_owner)
        fail(tag, at, std::move(message), std::move(hint));
    deferred_.add(here_.deferred_owner, {tag, placed(at), std::move(message), std::move(hint), definition(at)});
}

void Reports::report_deferred(const void* owner)
{
    const DeferredError* const error = deferred_.of(owner);
    if (!error)
        return;
    ++count_;
    diagnostics_.error(error->tag, error->at, error->message, error->hint, error->definition);
    throw Failure{error->tag};
}

void Reports::fail_unknown(std::string_view tag, const Span& at, const std::string& name, std::string message,
                           std::string hint)
{
    ++count_;
    // Errors about names that a failed clause would have defined are suppressed, but only after the check of that
    // clause has ended. The clause may be checked again, and the error must then be reported again.
    if (!incomplete_ && !forgiven_.count(name))
        diagnostics_.error(tag, placed(at), std::move(message), std::move(hint), definition(at));
    throw Failure{tag};
}

void Reports::report(std::string_view tag, const Span& at, std::string message)
{
    ++count_;
    diagnostics_.error(tag, at, std::move(message));
}

CheckerPart::CheckerPart(Checker& owner)
    : checker(owner), program(owner.program), world(owner.world), options(owner.options),
      diagnostics(owner.diagnostics), types(owner.types), here(owner.here)
{
}

void CheckerPart::fail(std::string_view tag, const Span& at, std::string message, std::string hint)
{
    checker.reports.fail(tag, at, std::move(message), std::move(hint));
}

void CheckerPart::defer(std::string_view tag, const Span& at, std::string message, std::string hint)
{
    checker.reports.defer(tag, at, std::move(message), std::move(hint));
}

void CheckerPart::fail_unknown(std::string_view tag, const Span& at, const std::string& name, std::string message,
                               std::string hint)
{
    checker.reports.fail_unknown(tag, at, name, std::move(message), std::move(hint));
}

Checker::Checker(Program& p, World& w, const CompileOptions& o, Diagnostics& d)
    : program(p), world(w), options(o), diagnostics(d), types(*p.types), declared(types)
{
}

Checker::~Checker() = default;

bool Checker::is_type(std::string_view name)
{
    const Global* const own = names.find_own_global(name);
    if (own) // a program's own definition has priority, even if a library has a type of this name
        return declared.find_typedef(Definer::Program, name) != nullptr;
    if (names.find_typedef_of_program(name))
        return true;
    // A name with another meaning is not the name of a type. This test comes first because it does not load the
    // kernel's types.
    if (name.find('`') == std::string_view::npos && names.find_global(name))
        return false;
    return names.find_typedef(name) != nullptr;
}

void Checker::begin_program(const Source& source, SpecKind kind, uint32_t index)
{
    here.source = &source;
    here.kind = kind;
    here.program = index;
}

void Checker::declaration(ast::Item& item)
{
    here.attributes = kMaximum;
    here.deferred_owner = nullptr;
    try {
        switch (item.kind) {
        case ast::Item::Kind::Clause:
            grammar.check(*item.clause);
            break;
        case ast::Item::Kind::Declaration:
            declarations.declare(*item.declaration);
            break;
        case ast::Item::Kind::Inline:
            inlines.define_inline(*item.inline_);
            break;
        case ast::Item::Kind::Translator:
            translators.define_translator(*item.translator);
            break;
        case ast::Item::Kind::Provider:
            providers.define_provider(*item.provider);
            break;
        case ast::Item::Kind::Pragma:
            pragmas.process(*item.pragma);
            break;
        }
    } catch (const Failure&) {
        here.leave();
        item_failed(item);
    }
}

/// Records the names that a failed clause or declaration would have defined, so that later uses of these names cause no
/// errors.
void Checker::item_failed(const ast::Item& item)
{
    if (item.kind == ast::Item::Kind::Clause) {
        failed_clauses_.insert(item.clause);
        grammar.remember_assigned(*item.clause);
    } else if (item.kind == ast::Item::Kind::Declaration) {
        for (const ast::Declarator* declarator : item.declaration->declarators)
            reports.forgive(declarator->name);
    } else if (item.kind == ast::Item::Kind::Translator) {
        translators.one_failed();
    } else if (item.kind == ast::Item::Kind::Inline) {
        reports.forgive(item.inline_->declarator->name);
    }
}

void Checker::broken_clause(const ast::Clause& clause)
{
    try {
        grammar.check(clause);
    } catch (const Failure&) {
        here.leave();
    }
}

void Checker::clauses(const ast::Ast& ast)
{
    for (const ast::Item& item : ast.items) {
        if (item.kind != ast::Item::Kind::Clause || failed_clauses_.count(item.clause))
            continue;
        for (const ast::ProbeDesc& each : item.clause->descriptions)
            if (!statements.check_description(*item.clause, each)) {
                grammar.remember_assigned(*item.clause);
                // Only the first wrong description of a clause is reported: errors at the others would mostly repeat
                // it.
                break;
            }
    }
}

} // namespace dt::sema

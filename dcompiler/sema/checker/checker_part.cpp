// Reports errors in the source texts that are being checked.
#include "dcompiler/sema/checker/checker_part.hpp"

namespace dt::sema {

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
    // When the check of a failed clause has ended, errors about names that the clause would have defined are
    // suppressed. Not earlier, because the clause may be checked again, and the error must then be reported again.
    if (!incomplete_ && !forgiven_.count(name))
        diagnostics_.error(tag, placed(at), std::move(message), std::move(hint), definition(at));
    throw Failure{tag};
}

void Reports::report(std::string_view tag, const Span& at, std::string message)
{
    ++count_;
    diagnostics_.error(tag, at, std::move(message));
}

} // namespace dt::sema

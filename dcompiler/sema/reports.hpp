// Errors of the texts being checked. Each is reported once, at the place where an expansion is used, and counted.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "dcompiler/diagnostics.hpp"
#include "dcompiler/sema/late_errors.hpp"
#include "dcompiler/sema/place.hpp"

namespace dt::sema {

/// Thrown after an error was reported; caught at the end of the clause or declaration.
struct Failure {
    std::string_view tag;
};

/// Thrown instead of Failure if Place::may_lack is set; names the feature that this kernel lacks.
struct Lacking {
    std::string what;
};

class Reports {
public:
    /// Both must outlive this object.
    Reports(Diagnostics& diagnostics, const Place& here) : diagnostics_(diagnostics), here_(here) {}

    [[noreturn]] void fail(std::string_view tag, const Span& at, std::string message, std::string hint = {});
    /// Like fail() for an error of the current statement's second stage.
    void late(std::string_view tag, const Span& at, std::string message, std::string hint = {});
    /// Reports an unknown name, once for all its uses.
    [[noreturn]] void fail_unknown(std::string_view tag, const Span& at, const std::string& name, std::string message,
                                   std::string hint = {});

    /// Reports the deferred error of a statement and fails; returns if it has none.
    void report_late(const void* owner);
    /// Discards deferred errors at the end of a clause.
    void forget_late() { late_.clear(); }
    /// Suppresses errors about a name whose definition failed.
    void forgive(const std::string& name) { forgiven_.insert(name); }
    /// Records that parts of this text did not parse. Unknown names may be a consequence and are not reported from now
    /// on.
    void text_is_incomplete() { incomplete_ = true; }
    /// Reports an error without failing, for unused pragmas.
    void report(std::string_view tag, const Span& at, std::string message);

    std::size_t count() const { return count_; } ///< errors found by the checker, without those of the parser
    Span placed(const Span& at) const { return here_.expansions.empty() ? at : here_.expansions.front(); }

private:
    Span definition(const Span& at) const { return here_.expansions.empty() ? Span{} : at; }

    Diagnostics& diagnostics_;
    const Place& here_;
    LateErrors late_;
    std::set<std::string, std::less<>> forgiven_;
    std::size_t count_ = 0;
    bool incomplete_ = false;
};

} // namespace dt::sema

// Errors of the texts being checked: reported once, at the place where an expansion is used, and counted.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "dcompiler/diagnostics.hpp"
#include "dcompiler/sema/late_errors.hpp"
#include "dcompiler/sema/place.hpp"

namespace dt::sema {

/// Thrown after a report; caught at the border of a clause or declaration.
struct Failure {
    std::string_view tag;
};

/// Instead of a failure where Place::may_lack: the words for what this kernel has not.
struct Lacking {
    std::string what;
};

class Reports {
public:
    /// Both must outlive this.
    Reports(Diagnostics& diagnostics, const Place& here) : diagnostics_(diagnostics), here_(here) {}

    [[noreturn]] void fail(std::string_view tag, const Span& at, std::string message, std::string hint = {});
    /// As fail(), for an error that belongs to the second stage of the current statement.
    void late(std::string_view tag, const Span& at, std::string message, std::string hint = {});
    /// An unknown name: reported once however often it is used.
    [[noreturn]] void fail_unknown(std::string_view tag, const Span& at, const std::string& name, std::string message,
                                   std::string hint = {});

    /// Reports what late() kept for a statement, and fails; returns when there is nothing.
    void report_late(const void* owner);
    /// After a clause.
    void forget_late() { late_.clear(); }
    /// What failed would have made this name known: its uses are no errors of their own.
    void forgive(const std::string& name) { forgiven_.insert(name); }
    /// Parts of this text are missing because they did not parse: from now on an unknown name may be their fault and is
    /// not reported.
    void text_is_incomplete() { incomplete_ = true; }
    /// Without failing: pragmas that were not used.
    void report(std::string_view tag, const Span& at, std::string message);

    std::size_t count() const { return count_; } ///< errors found here, as opposed to the parser's
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

// Base class of the checker's components, and the state that they share: the current position and its context, and the
// errors that were reported or deferred. Each component has one task and the state for it, and reaches the other
// components through the checker that owns them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dcompiler/interface/diagnostics.hpp"
#include "dcompiler/interface/options.hpp"
#include "dcompiler/sema/program/program.hpp"
#include "dcompiler/syntax/macros.hpp"

namespace dt::sema {

inline constexpr Attributes kMaximum{Stability::Standard, Stability::Standard, DependencyClass::Common};

/// Stability attributes from a pragma that precedes the definition to which they apply.
struct PendingPragma {
    Span at;
    std::string name;
    std::optional<Attributes> attributes;
    std::optional<uint32_t> version;
};

inline bool is_of_library(const Span& at)
{
    return at.source && at.source->kind == Source::Kind::Library;
}

/// Context of the source text being checked and of the current position in it. A library that is compiled while a
/// source text is being checked has a context of its own.
struct CheckContext {
    const Source* source = nullptr;
    SpecKind kind = SpecKind::Script;
    uint32_t program = 0; ///< index in the run of the source text that is being checked
    /// Whether the source text is a built-in library. Such a library is correct, so an unknown name in it means that
    /// this kernel lacks a feature.
    bool is_built_in = false;
    std::vector<PendingPragma> pending_pragmas;

    Statement* statement = nullptr; ///< statement that is being checked; null outside of any clause
    /// Statement to which deferred errors belong; if it is null, errors are reported immediately instead of being
    /// deferred.
    const void* deferred_owner = nullptr;
    bool expands_library = false; ///< whether the expression is in the body of an inline or translator of a library
    bool unevaluated = false;     ///< whether the expression is an operand of sizeof, which is not evaluated
    /// whether the next call may be sym(), usym(), …, because the call is an aggregation's key
    bool addresses_allowed = false;
    /// whether the next expression is recorded unchanged; it may then be a text that only the consumer knows
    /// (RecordedText)
    bool recorded = false;
    Attributes attributes = kMaximum; ///< minimum of the stability attributes of everything used so far

    using Frame = std::vector<std::pair<std::string, TExpr*>>;
    /// parameters of the inlines and translators that are being expanded, with their values
    std::vector<Frame> frames = std::vector<Frame>(1);
    /// Locations of the uses of inlines and translators that are being expanded, outermost first; positions and errors
    /// of an expansion refer to them.
    std::vector<Span> expansions;
    uint32_t expanded = 0; ///< number of inlines and translators expanded in this clause or definition

    /// Returns whether names currently have the meaning that the D library gives them, even if the program defines them
    /// differently.
    bool in_library() const { return expands_library || (source && source->kind == Source::Kind::Library); }

    /// Resets the context after an error has ended the check of a clause or definition.
    void leave()
    {
        frames.resize(1);
        expands_library = false;
        unevaluated = addresses_allowed = recorded = may_be_missing = in_provider = false;
    }

    /// tag of the error that an unknown type name causes in the current context
    std::string_view unknown_type_tag = "D_SYNTAX";
    /// Whether the member that is being defined belongs to a built-in translator and may be missing on this kernel.
    bool may_be_missing = false;
    bool userland = false; ///< whether the pointers that are being declared are user addresses
    /// Whether the declared object is defined elsewhere, so that its arrays may have no size and its structs no
    /// members.
    bool external = false;
    bool met_kernel_type = false; ///< whether a type name was resolved to a type of the kernel
    /// whether a provider's probe is being defined; the probe's arguments may then have types that only the traced
    /// program knows
    bool in_provider = false;
    /// whether a ?: has one branch with a pointer to scratch memory and another one with a pointer to other memory
    bool mixed = false;
};

class Checker;

class CheckerPart {
public:
    /// The checker must outlive its components.
    explicit CheckerPart(Checker& owner);

protected:
    CheckerPart(const CheckerPart&) = delete;
    CheckerPart& operator=(const CheckerPart&) = delete;
    ~CheckerPart() = default;

    [[noreturn]] void fail(std::string_view tag, const Span& at, std::string message, std::string hint = {});
    void defer(std::string_view tag, const Span& at, std::string message, std::string hint = {});
    [[noreturn]] void fail_unknown(std::string_view tag, const Span& at, const std::string& name, std::string message,
                                   std::string hint = {});

    Checker& checker;
    Program& program;
    World& world;
    const CompileOptions& options;
    Diagnostics& diagnostics;
    TypeTable& types;
    CheckContext& here;
};

// Deferred errors: errors that the first stage found but that belong to the second stage. They are kept until their
// statement is checked (dtrace-errors(7), WHICH ERROR COMES FIRST).

struct DeferredError {
    std::string_view tag;
    Span at;
    std::string message;
    std::string hint;
    Span definition;
};

class DeferredErrors {
public:
    /// Adds an error. Only the first error of each statement is stored.
    void add(const void* statement, DeferredError error) { errors_.try_emplace(statement, std::move(error)); }
    /// Returns the statement's deferred error, or null if it has none.
    const DeferredError* of(const void* statement) const
    {
        const auto found = errors_.find(statement);
        return found != errors_.end() ? &found->second : nullptr;
    }
    /// Removes all deferred errors at the end of a clause.
    void clear() { errors_.clear(); }

private:
    std::unordered_map<const void*, DeferredError> errors_;
};

// Errors of the source texts being checked. An error inside an expansion is reported once, at the location of the
// outermost use. The number of errors is counted.

/// Thrown after an error was reported; caught at the end of the clause or declaration.
struct Failure {
    std::string_view tag;
};

/// Thrown instead of Failure if CheckContext::may_be_missing is set; names the feature that this kernel lacks.
struct MissingFeature {
    std::string what;
};

class Reports {
public:
    /// The arguments must outlive this object.
    Reports(Diagnostics& diagnostics, const CheckContext& here) : diagnostics_(diagnostics), here_(here) {}

    [[noreturn]] void fail(std::string_view tag, const Span& at, std::string message, std::string hint = {});
    /// Like fail(), but for an error that belongs to the current statement's second stage.
    void defer(std::string_view tag, const Span& at, std::string message, std::string hint = {});
    /// Reports a name that is not defined, only once for all its uses.
    [[noreturn]] void fail_unknown(std::string_view tag, const Span& at, const std::string& name, std::string message,
                                   std::string hint = {});

    /// Reports the deferred error of a statement and fails; returns if it has none.
    void report_deferred(const void* owner);
    /// Discards deferred errors at the end of a clause.
    void discard_deferred() { deferred_.clear(); }
    /// Suppresses errors about a name whose definition failed.
    void forgive(const std::string& name) { forgiven_.insert(name); }
    /// Records that the current source text has syntax errors. Unknown names may be a consequence of these errors, so
    /// they are not reported from now on.
    void text_is_incomplete() { incomplete_ = true; }
    /// Reports an error about an unused pragma, without throwing an exception.
    void report(std::string_view tag, const Span& at, std::string message);

    /// number of errors found by the checker, without errors found by the parser
    std::size_t count() const { return count_; }
    Span placed(const Span& at) const { return here_.expansions.empty() ? at : here_.expansions.front(); }

private:
    Span definition(const Span& at) const { return here_.expansions.empty() ? Span{} : at; }

    Diagnostics& diagnostics_;
    const CheckContext& here_;
    DeferredErrors deferred_;
    std::set<std::string, std::less<>> forgiven_;
    std::size_t count_ = 0;
    bool incomplete_ = false;
};

} // namespace dt::sema

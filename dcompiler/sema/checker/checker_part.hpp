// Base class of the checker's components, and the state that they share: the current position with its context, and the
// reported or deferred errors. Each component has one task and its own state. Components use each other through the
// checker, which owns them all.
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

/// Stability attributes or a D version that a pragma gives to a definition further below.
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

/// The current position in the source text that is being checked, and its surroundings. If a library is compiled in the
/// middle of a source text, it has its own context.
struct CheckContext {
    const Source* source = nullptr;
    SpecKind kind = SpecKind::Script;
    uint32_t program = 0; ///< index of the source text that is being checked
    /// Whether the source text is a built-in library. These libraries have no errors, so an unknown name there means
    /// that this kernel lacks a feature.
    bool is_built_in = false;
    std::vector<PendingPragma> pending_pragmas;

    Statement* statement = nullptr; ///< statement that is being checked; null outside of clauses
    /// Statement to which errors are deferred; if null, errors are reported at once.
    const void* deferred_owner = nullptr;
    bool expands_library = false; ///< whether the expression belongs to an inline or translator of a library
    bool unevaluated = false;     ///< whether the expression is an operand of sizeof, which is not evaluated
    /// whether sym(), usym() and similar actions are allowed in the next call, because it is a key of an aggregation
    bool addresses_allowed = false;
    /// whether the program only records the next expression; then it may be a text that only the consumer knows
    /// (RecordedText)
    bool recorded = false;
    Attributes attributes = kMaximum; ///< minimum of the stability attributes of all names used so far

    using Frame = std::vector<std::pair<std::string, TExpr*>>;
    /// parameters of the inlines and translators that are being expanded, with their arguments
    std::vector<Frame> frames = std::vector<Frame>(1);
    /// Where the inlines and translators that are being expanded are used, outermost first. Errors in an expansion are
    /// reported at the outermost location.
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

    /// error tag for an unknown type name at the current position
    std::string_view unknown_type_tag = "D_SYNTAX";
    /// Whether the definition of a member of a built-in translator is being checked. The member may need a feature that
    /// this kernel lacks.
    bool may_be_missing = false;
    bool userland = false; ///< whether the pointers that are being declared point to user memory
    /// Whether the declared object is defined elsewhere. Its arrays may have no size, and its structs no members.
    bool external = false;
    bool met_kernel_type = false; ///< whether a type name so far denoted a type of the kernel
    /// whether a provider definition's probe is being checked; its arguments may have types that only the traced
    /// program knows
    bool in_provider = false;
    /// whether one branch of a ?: is a pointer to scratch memory and the other one a pointer to other memory
    bool mixed = false;
};

class Checker;

class CheckerPart {
public:
    /// The checker owns its components and must outlive them.
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

// Deferred errors. The check of a clause has two stages. If the first stage finds an error that belongs to the second,
// the error is kept until its statement is checked there (dtrace-errors(7), WHICH ERROR COMES FIRST).

struct DeferredError {
    std::string_view tag;
    Span at;
    std::string message;
    std::string hint;
    Span definition;
};

class DeferredErrors {
public:
    /// Adds an error for a statement, unless it already has one.
    void add(const void* statement, DeferredError error) { errors_.try_emplace(statement, std::move(error)); }
    /// Returns the statement's deferred error, or null if it has none.
    const DeferredError* of(const void* statement) const
    {
        const auto found = errors_.find(statement);
        return found != errors_.end() ? &found->second : nullptr;
    }
    /// Discards all deferred errors; called at the end of a clause.
    void clear() { errors_.clear(); }

private:
    std::unordered_map<const void*, DeferredError> errors_;
};

// Errors of the source texts that are being checked. An error inside the expansion of an inline or translator is
// reported once, at the outermost use. Errors are counted.

/// Thrown after an error was reported; caught at the end of the clause or declaration.
struct Failure {
    std::string_view tag;
};

/// Thrown instead of Failure while CheckContext::may_be_missing is set. Contains the name of the feature that this
/// kernel lacks.
struct MissingFeature {
    std::string what;
};

class Reports {
public:
    /// The arguments must outlive this object, which refers to them.
    Reports(Diagnostics& diagnostics, const CheckContext& here) : diagnostics_(diagnostics), here_(here) {}

    [[noreturn]] void fail(std::string_view tag, const Span& at, std::string message, std::string hint = {});
    /// Keeps an error until the second stage of the current statement's check. If there is no statement, reports it at
    /// once, like fail(). Ignores the error in an operand of sizeof.
    void defer(std::string_view tag, const Span& at, std::string message, std::string hint = {});
    /// Reports that a name is not defined, unless this may be a consequence of an earlier error (forgive(),
    /// text_is_incomplete()). Throws Failure in both cases.
    [[noreturn]] void fail_unknown(std::string_view tag, const Span& at, const std::string& name, std::string message,
                                   std::string hint = {});

    /// Reports the deferred error of a statement and throws Failure; does nothing if there is no error.
    void report_deferred(const void* owner);
    /// Discards deferred errors at the end of a clause.
    void discard_deferred() { deferred_.clear(); }
    /// Suppresses errors about a name that is unknown because its definition failed.
    void forgive(const std::string& name) { forgiven_.insert(name); }
    /// Records that the current source text has syntax errors. From then on, unknown names are not reported, because
    /// they may be a consequence.
    void text_is_incomplete() { incomplete_ = true; }
    /// Reports an error about an unused pragma; does not throw.
    void report(std::string_view tag, const Span& at, std::string message);

    /// number of errors that the checker has found; excludes those of the parser
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

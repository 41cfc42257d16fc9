// Current position and context of the checker.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dcompiler/sema/program.hpp"
#include "dcompiler/syntax/input.hpp"

namespace dt::sema {

inline constexpr Attributes kMaximum{Stability::Standard, Stability::Standard, DependencyClass::Common};

/// Attributes from a pragma that precedes its definition.
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

/// Context of the text being checked and of the current position in it. A library that is compiled in the middle of a
/// text has a context of its own.
struct Place {
    const Source* source = nullptr;
    SpecKind kind = SpecKind::Script;
    uint32_t program = 0;     ///< number of the text
    bool is_built_in = false; ///< a built-in library: it is correct, so an unknown name means that this kernel lacks
                              ///< something
    std::vector<PendingPragma> pending_pragmas;

    Statement* statement = nullptr;   ///< null outside clauses
    const void* late_owner = nullptr; ///< statement that deferred errors belong to; null: report at once
    bool expands_library = false;     ///< in the body of an inline or translator of a library
    bool unevaluated = false;         ///< inside sizeof
    bool addresses_allowed = false;   ///< the next call may be sym(), usym(), …: aggregation keys
    bool recorded = false;            ///< the next expression is recorded as it is and may be a name (is_only_recorded)
    Attributes attributes = kMaximum; ///< minimum over everything used so far

    using Frame = std::vector<std::pair<std::string, TExpr*>>;
    std::vector<Frame> frames = std::vector<Frame>(1); ///< parameters of inlines and translators being expanded
    std::vector<Span> expansions; ///< places of use, outermost first; the results of expansion are positioned and
                                  ///< reported there
    uint32_t expanded = 0;        ///< number of inlines and translators expanded in this clause or definition

    /// Returns whether names have their library meaning, regardless of the program's definitions.
    bool in_library() const { return expands_library || (source && source->kind == Source::Kind::Library); }

    /// Resets the context after an abandoned clause or definition.
    void leave()
    {
        frames.resize(1);
        expands_library = false;
        unevaluated = addresses_allowed = recorded = may_lack = in_provider = false;
    }

    std::string_view unknown_type_tag = "D_SYNTAX"; ///< for an unknown type name, by context
    bool may_lack = false;                          ///< defining a translator member that may not exist on this kernel
    bool userland = false;                          ///< pointers being declared are user addresses
    bool external = false;        ///< declaring something that is defined elsewhere: arrays may be open, structs
                                  ///< unknown
    bool met_kernel_type = false; ///< set when a type name was found among the kernel's types
    bool in_provider = false;     ///< defining a provider's probe, whose types may be known only to the program
    bool mixed = false;           ///< a ?: has mixed a scratch pointer and another one
};

} // namespace dt::sema

// Where checking is: what is true of the text being checked, and of the place in it.
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

/// Attributes of a pragma that waits for its definition.
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

/// What is true of the text being checked, and of the place in it. A library that is compiled in the middle of a text
/// has its own.
struct Place {
    const Source* source = nullptr;
    SpecKind kind = SpecKind::Script;
    uint32_t program = 0;     ///< the text's number
    bool is_built_in = false; ///< one of our own libraries: it is right, so what it misses this kernel has not
    std::vector<PendingPragma> pending_pragmas;

    Statement* statement = nullptr;   ///< null outside clauses
    const void* late_owner = nullptr; ///< statement that late errors belong to; null: report at once
    bool expands_library = false;     ///< in the body of an inline or translator of a library
    bool unevaluated = false;         ///< inside sizeof
    bool addresses_allowed = false;   ///< the next call may be sym(), usym(), …: aggregation keys
    bool recorded = false;            ///< the next expression is recorded as it is: it may be a name (is_only_recorded)
    Attributes attributes = kMaximum; ///< minimum over everything touched so far

    using Frame = std::vector<std::pair<std::string, TExpr*>>;
    std::vector<Frame> frames = std::vector<Frame>(1); ///< parameters of inlines and translators being expanded
    std::vector<Span>
        expansions;        ///< where they are used, outermost first: what they are made of is placed, and told, there
    uint32_t expanded = 0; ///< inlines and translators so far in this clause or definition

    /// Names here mean what they mean to a library, whatever the program has defined.
    bool in_library() const { return expands_library || (source && source->kind == Source::Kind::Library); }

    /// A clause or definition is given up in the middle.
    void leave()
    {
        frames.resize(1);
        expands_library = false;
        unevaluated = addresses_allowed = recorded = may_lack = in_provider = false;
    }

    std::string_view unknown_type_tag = "D_SYNTAX"; ///< for an unknown type name, by context
    bool may_lack = false;        ///< a member of a translator is being defined that may turn out to be none here
    bool userland = false;        ///< pointers being declared are user addresses
    bool external = false;        ///< what is being declared is defined elsewhere: arrays may be open, structs unknown
    bool met_kernel_type = false; ///< a type name since this was last cleared came from the kernel's types
    bool in_provider = false;     ///< a provider's probe is being defined: its types may be known to the program alone
    bool mixed = false;           ///< a scratch and another pointer met in a ?:
};

} // namespace dt::sema

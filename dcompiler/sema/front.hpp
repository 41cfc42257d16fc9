// The front half of the compiler in one call: text in, typed statements out.
#pragma once

#include <memory>
#include <vector>

#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

/// Everything that must live as long as the typed program: the checker and the trees its inlines and translators point into.
struct FrontState {
    /// References must outlive the state; `program.types` must be set.
    FrontState(Program& program, World& world, Options& options, const Macros& macros, Diagnostics& diagnostics)
        : checker(program, world, options, macros, diagnostics), macros(macros)
    {
    }

    Checker checker;
    const Macros& macros;
    std::vector<std::unique_ptr<ast::Ast>> trees;
    uint32_t texts = 0;
};

/// Parses and checks one text of the run; its statements are appended to the program. False when this text had errors, which are then
/// in the diagnostics. `source` must outlive the state.
bool check_text(FrontState& state, const Source& source, SpecKind kind);

/// As above with this text's own macro arguments.
bool check_text(FrontState& state, const Source& source, SpecKind kind, const Macros& macros);

} // namespace dt::sema

// The front half of the compiler in one object: texts in, typed statements out.
#pragma once

#include <memory>
#include <vector>

#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

class Front {
public:
    /// References must outlive the front. Pragmas in the texts change `options`.
    Front(World& world, Options& options, Diagnostics& diagnostics);
    ~Front();

    /// Parses and checks one more text of the run; its statements are appended to program(). False when it had errors, which are then
    /// in the diagnostics. `source` must outlive the front. Cost: linear in the text and in the probes its descriptions match.
    bool add(const Source& source, SpecKind kind, const Macros& macros);

    Program& program() { return program_; }
    const Program& program() const { return program_; }

private:
    Program program_;
    Options& options_;
    Diagnostics& diagnostics_;
    std::unique_ptr<Checker> checker_;
    std::vector<std::unique_ptr<ast::Ast>> trees_; ///< inlines and translators are expanded from them later
    uint32_t texts_ = 0;
};

} // namespace dt::sema

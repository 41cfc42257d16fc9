// Checkers of provider definitions (dtrace-providers(7), PROBES OF PROGRAMS), which declare a program's probes and
// their argument types, and of the pragmas that set properties of names.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "dcompiler/sema/checker/checker_part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

class Providers : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    void define_provider(const ast::ProviderDef& definition);
    /// Returns the stability attributes of a provider that the program defines. They are Unstable unless a pragma sets
    /// others.
    ProviderAttributes& provider_attributes(const std::string& name);

private:
    DefinedProbe define_probe(const ast::ProviderProbe& probe);
    void define_outputs(const ast::ProviderProbe& probe, DefinedProbe& made);

    std::map<std::string, ProviderAttributes, std::less<>> provider_attributes_;
};

/// Checker of #pragma D attributes, binding and depends_on, which may precede the definitions of the names that they
/// affect.
class Pragmas : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    void process(const ast::Pragma& pragma);
    /// Reports an error for each pragma about a name that is not defined. Called at the end of a source text.
    void finish();

private:
    void pragma_attributes(const ast::Pragma& pragma);
    void pragma_binding(const ast::Pragma& pragma);
    void pragma_depends_on(const ast::Pragma& pragma);
    void apply_pragma(PendingPragma pending);
};

} // namespace dt::sema

// Checker of provider definitions: a program's probes with their argument types (dtrace-providers(7), PROBES OF
// PROGRAMS).
#pragma once

#include <functional>
#include <map>
#include <string>

#include "dcompiler/sema/part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

class Providers : public Part {
public:
    using Part::Part;

    void define_provider(const ast::ProviderDef& definition);
    /// Returns the attributes of a provider of the program; Unstable until a pragma changes them.
    ProviderAttributes& provider_attributes(const std::string& name);

private:
    DefinedProbe define_probe(const ast::ProviderProbe& probe);
    void define_outputs(const ast::ProviderProbe& probe, DefinedProbe& made);

    std::map<std::string, ProviderAttributes, std::less<>> provider_attributes_;
};

} // namespace dt::sema

// Inlines: named expressions with optional parameters, expanded where they are used (dtrace-language(7), inline).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dcompiler/sema/part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

struct Global;

struct InlineParameter {
    std::string name;
    const Type* type = nullptr;
};

struct InlineDefinition {
    const ast::Inline* ast = nullptr;
    const Type* type = nullptr;
    std::vector<InlineParameter> parameters;
    Attributes attributes;
    TExpr* constant = nullptr; ///< folded value if the inline is an integer constant
};

class Inlines : public Part {
public:
    using Part::Part;

    /// Defines an inline and checks its body once; each use expands it again.
    void define_inline(const ast::Inline& definition);
    /// Returns the body with `arguments` in place of the parameters.
    TExpr* expand_inline(Global& global, std::vector<TExpr*> arguments, const Span& at);

private:
    std::vector<std::unique_ptr<InlineDefinition>> inlines_;
};

} // namespace dt::sema

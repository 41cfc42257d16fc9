// Checker of #pragma D attributes, binding and depends_on, which set properties of names and may precede their
// definitions.
#pragma once

#include "dcompiler/sema/part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

class Pragmas : public Part {
public:
    using Part::Part;

    void process(const ast::Pragma& pragma);
    /// Ends a text; a pragma without its definition is an error.
    void finish();

private:
    void pragma_attributes(const ast::Pragma& pragma);
    void pragma_binding(const ast::Pragma& pragma);
    void pragma_depends_on(const ast::Pragma& pragma);
    void apply_pragma(PendingPragma pending);
};

} // namespace dt::sema

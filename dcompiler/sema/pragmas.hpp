// #pragma D attributes, binding and depends_on: promises about names, which may come before the names do.
#pragma once

#include "dcompiler/sema/part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

class Pragmas : public Part {
public:
    using Part::Part;

    void process(const ast::Pragma& pragma);
    /// At the end of a text: what still waits is an error.
    void finish();

private:
    void pragma_attributes(const ast::Pragma& pragma);
    void pragma_binding(const ast::Pragma& pragma);
    void pragma_depends_on(const ast::Pragma& pragma);
    void apply_pragma(PendingPragma pending);
};

} // namespace dt::sema

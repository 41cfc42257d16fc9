// Checker of kernel and user symbols that are used as values: module`name.
#pragma once

#include <cstdint>
#include <string>

#include "dcompiler/sema/checker/checker_part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

class Symbols : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Checks a reference to a kernel or user symbol (`NAME or MODULE`NAME). Returns the expression that reads its
    /// value.
    TExpr* symbol(const ast::Expr& e);
    /// Returns the size in bytes that sizeof yields for the symbol.
    uint64_t symbol_size(const std::string& text, const Span& at);
    TExpr* kernel_symbol(const KernelSymbol& symbol, const std::string& name, const Span& at);

private:
    std::string suggest_symbol(std::string_view name) const;
    const Type* symbol_type(const KernelSymbol& symbol, const std::string& text, const Span& at);
    void check_symbol_model(const KernelSymbol& symbol, const std::string& text, const Span& at);
    TExpr* function_address(const KernelSymbol& symbol, const Type* pointer, const std::string& text, const Span& at);
    TExpr* per_cpu_symbol(const KernelSymbol& symbol, const std::string& name, const Type* type, const Span& at);
    TExpr* user_symbol(const std::string& module, const std::string& name, const ast::Expr& e);
};

} // namespace dt::sema

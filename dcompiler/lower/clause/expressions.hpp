// Lowers expression trees. This class evaluates operands. Other classes implement the operations on the values of
// operands, and do not see trees.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dcompiler/lower/clause/strings.hpp"
#include "dcompiler/lower/clause/variables.hpp"
#include "dcompiler/lower/core/hooks.hpp"

namespace dt::lower {

class Expressions : public HookComponent {
public:
    using HookComponent::ClauseComponent;

    Operand expression(const TExpr& e);
    ir::Value value(const TExpr& e); ///< evaluates a numeric expression
    void condition(const TExpr& e, ir::BlockId yes, ir::BlockId no);
    /// Emits a branch like condition(), with a restriction: the code that begins at `no` must not use values that the
    /// clause has cached.
    void predicate(const TExpr& e, ir::BlockId yes, ir::BlockId no);
    Operand text(const TExpr& e); ///< evaluates a string; the result stays valid until the end of the statement
    /// Writes the string to `dst`, at most `size` bytes including the NUL. With `pad`, zeroes all bytes after the
    /// string.
    void text_into(const TExpr& e, ir::Value dst, int64_t offset, uint32_t size, bool pad);
    void key_into(const TExpr& e, const Type* type, ir::Value dst, int64_t offset, uint32_t size);

private:
    ir::Value arithmetic(TOp op, ir::Value left, ir::Value right, bool is_signed, int64_t scale);
    Operand hooked(LowerExpr lower, const TExpr& e);
    Place place(const TExpr& e, bool write = false);
    Place character(const TExpr& e);
    Place own_character(const TExpr& e);
    Target target(const TExpr& e);
    /// Writes the values of a tuple, such as an array's key, to `dst`; the offset of each value is a multiple of 8.
    void tuple_into(const std::vector<TExpr*>& keys, const std::vector<const Type*>& types, ir::Value dst,
                    int64_t offset);
    Operand assign(const TExpr& e);
    Operand compound(const TExpr& e, const Operand& old, ir::Value right);
    ir::Value stored(ir::Value v, const TExpr& left);
    // The following functions are in strings.cpp.
    Operand located(const TExpr& e);
    Operand located_anywhere(const TExpr& e, const std::string& literal);
    ir::Value is_null_text(const TExpr& e);
    ir::Value compare_text(const TExpr& e);                               ///< compares strings; yields 0 or 1
    void branch_on_text(const TExpr& e, ir::BlockId yes, ir::BlockId no); ///< compares strings; branches on the result
    TextComparison comparison(const TExpr& e);
    std::optional<TextComparison> thread_name_comparison(const TExpr& e);
    std::optional<TextComparison> prefix_comparison(const TExpr& e);

    Operand evaluate(const TExpr& e); ///< evaluates an expression like expression(), but does not free temporaries
    /// evaluates an expression like evaluate(), but does not change the current source location of the code
    Operand evaluate_here(const TExpr& e);
    Operand literal(const TExpr& e);
    Operand variable(const TExpr& e);
    Operand address_of(const TExpr& e); ///< yields the address of the object as a number
    Operand cast(const TExpr& e);
    ir::Value truth(const TExpr& e); ///< yields 1 if the expression is true, else 0
    Operand conditional(const TExpr& e);
    void text_or_null(const TExpr& e, ir::Value buffer, uint32_t size, ir::BlockId join,
                      std::vector<ir::Value>& results);
    void text_or_null(Operand from, ir::Value buffer, uint32_t size, ir::BlockId join, std::vector<ir::Value>& results);
    Operand own_copy(const Operand& from);
    /// Compares structs or stacks byte by byte; yields 0 if all bytes are equal.
    ir::Value objects_differ(const TExpr& left, const TExpr& right);
    /// Evaluates both operands in the given order and yields both results. During the evaluation of the second operand,
    /// the first result is on the stack, or in the scratch slot if too many results wait already.
    std::pair<ir::Value, ir::Value> in_turn(const std::function<ir::Value()>& first,
                                            const std::function<ir::Value()>& second);
    std::pair<ir::Value, ir::Value> values(const TExpr& first, const TExpr& second);

    int waiting_ = 0; ///< number of operands whose results in_turn() has saved
};

} // namespace dt::lower

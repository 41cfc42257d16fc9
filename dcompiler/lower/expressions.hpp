// Expressions: the one walk over their trees. Operands are evaluated here, and what is done with the values is asked of
// the parts below, which see no tree.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dcompiler/lower/hooks.hpp"
#include "dcompiler/lower/strings.hpp"
#include "dcompiler/lower/variables.hpp"

namespace dt::lower {

class Expressions : public HookCaller {
public:
    using HookCaller::PartOf;

    Operand expression(const TExpr& e);
    ir::Value value(const TExpr& e); ///< expression() of a number
    void condition(const TExpr& e, ir::BlockId yes, ir::BlockId no);
    /// The same, where nothing that the clause has computed is used behind `no`.
    void predicate(const TExpr& e, ir::BlockId yes, ir::BlockId no);
    Operand text(const TExpr& e); ///< an operand that stays valid until the statement ends
    /// The string's text into dst, as Strings::text_into() does.
    void text_into(const TExpr& e, ir::Value dst, int64_t offset, uint32_t size, bool pad);
    void key_into(const TExpr& e, const Type* type, ir::Value dst, int64_t offset, uint32_t size);

private:
    ir::Value arithmetic(TOp op, ir::Value left, ir::Value right, bool is_signed, int64_t scale);
    Operand hooked(LowerExpr lower, const TExpr& e);
    // places.cpp
    Place place(const TExpr& e, bool write = false);
    Place character(const TExpr& e);
    Place own_character(const TExpr& e);
    Target target(const TExpr& e);
    /// Writes a tuple of values, each at the next multiple of 8, to dst.
    void tuple_into(const std::vector<TExpr*>& keys, const std::vector<const Type*>& types, ir::Value dst,
                    int64_t offset);
    Operand assign(const TExpr& e);
    Operand compound(const TExpr& e, const Operand& old, ir::Value right);
    ir::Value stored(ir::Value v, const TExpr& left);
    // texts.cpp
    Operand located(const TExpr& e);
    Operand located_anywhere(const TExpr& e, const std::string& literal);
    ir::Value is_null_text(const TExpr& e);
    ir::Value compare_text(const TExpr& e);                               ///< 0 or 1
    void branch_on_text(const TExpr& e, ir::BlockId yes, ir::BlockId no); ///< the same comparison by where control goes
    TextComparison comparison(const TExpr& e);
    std::optional<TextComparison> thread_name_comparison(const TExpr& e);
    std::optional<TextComparison> beginning_comparison(const TExpr& e);

    Operand evaluate(const TExpr& e); ///< expression() without giving temporaries back
    ir::Value truth(const TExpr& e);  ///< 0 or 1
    Operand conditional(const TExpr& e);
    void text_or_null(const TExpr& e, ir::Value buffer, uint32_t size, ir::BlockId join,
                      std::vector<ir::Value>& results);
    void text_or_null(Operand from, ir::Value buffer, uint32_t size, ir::BlockId join, std::vector<ir::Value>& results);
    Operand own_copy(const Operand& from);
    ir::Value objects_differ(const TExpr& left, const TExpr& right); ///< structs or stacks; 0: equal, byte by byte
    /// Both results, the first made first. It waits for the second: when too many already do, in the scratch slot and
    /// not on the stack.
    std::pair<ir::Value, ir::Value> in_turn(const std::function<ir::Value()>& first,
                                            const std::function<ir::Value()>& second);
    std::pair<ir::Value, ir::Value> values(const TExpr& first, const TExpr& second);

    int waiting_ = 0; ///< results that wait for others: in_turn()
};

} // namespace dt::lower

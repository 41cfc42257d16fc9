// Expressions: numbers, conditions, and which of them must wait for others.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "dcompiler/lower/clause_part.hpp"

namespace dt::lower {

class Expressions : public ClausePart {
public:
    using ClausePart::ClausePart;

    Operand expression(const TExpr& e);
    ir::Value value(const TExpr& e); ///< expression() of a number
    void condition(const TExpr& e, ir::BlockId yes, ir::BlockId no);
    ir::Value arithmetic(TOp op, ir::Value left, ir::Value right, bool is_signed, int64_t scale);

private:
    Operand evaluate(const TExpr& e); ///< expression() without giving temporaries back
    ir::Value truth(const TExpr& e);  ///< 0 or 1
    Operand conditional(const TExpr& e);
    void text_or_null(const TExpr& e, ir::Value buffer, uint32_t size, ir::BlockId join, std::vector<ir::Value>& results);
    void text_or_null(Operand from, ir::Value buffer, uint32_t size, ir::BlockId join, std::vector<ir::Value>& results, const Span& at);
    Operand own_copy(const Operand& from, const Span& at);
    ir::Value objects_differ(const TExpr& left, const TExpr& right); ///< structs or stacks; 0: equal, byte by byte
    /// Both results, the first made first. It waits for the second: when too many already do, in the scratch slot and not on the stack.
    std::pair<ir::Value, ir::Value> in_turn(const std::function<ir::Value()>& first, const std::function<ir::Value()>& second);
    std::pair<ir::Value, ir::Value> values(const TExpr& first, const TExpr& second);

    int waiting_ = 0; ///< results that wait for others: in_turn()
};

} // namespace dt::lower

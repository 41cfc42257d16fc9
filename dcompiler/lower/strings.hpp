// Strings: where text is, where it goes, and how two compare.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dcompiler/lower/clause_part.hpp"

namespace dt::lower {

class Strings : public ClausePart {
public:
    using ClausePart::ClausePart;

    uint32_t text_size(const Type* type) const;
    /// The string's text into dst, at most `size` bytes with its NUL. With `pad` every byte after the text is 0 (hash keys).
    void text_into(const TExpr& e, ir::Value dst, int64_t offset, uint32_t size, bool pad);
    void text_into(const Operand& text, ir::Value dst, int64_t offset, uint32_t size, bool pad, const Span& at);
    /// Where the subroutine being lowered puts the text it makes: the place its caller wants it, else a temporary. `size` in: wanted,
    /// out: granted. The subroutine must leave what follows the text's NUL as it is: it may be a hash key's padding.
    ir::Value text_buffer(uint32_t& size, ir::Mem& mem);
    ir::Value text_temporary(uint32_t size, ir::Mem& mem);
    /// The same for a runtime function: a map value of at least `size` bytes at a multiple of 8. Without `exact` the function may also
    /// write beyond the text, within `size`.
    ir::Value text_result(uint32_t size, bool exact);
    ir::Value interior(ir::Value base, int64_t offset, uint32_t region);
    ir::Value address_number(const Operand& from);     ///< the address of text or bytes, for arithmetic that the verifier must not see
    ir::Value at_most(ir::Value size, uint32_t limit); ///< the smaller, unsigned; the verifier knows
    Operand text(const TExpr& e);                      ///< an operand that stays valid until the statement ends
    ir::Value compare_text(const TExpr& e);            ///< 0 or 1
    Operand present(Operand text);
    /// Around the lowering of a subroutine: what is wanted of it is not wanted of its arguments.
    void begin_call() { targets_.push_back(std::exchange(target_, {})); }
    void end_call()
    {
        target_ = targets_.back(); // unless it was taken
        targets_.pop_back();
    }

private:
    Operand loadable_text(const Operand& text, const Span& at);
    ir::Value is_zero_address(ir::Op op, ir::Value address);
    ir::Value is_null_text(const TExpr& e);
    ir::Value order_to_truth(ir::Value order, TOp op);
    ir::Value differs_from_literal(const Operand& other, const std::string& literal);
    ir::Value equals_literal(const TExpr& e, const Operand& left, const std::string& literal);
    ir::Value text_order(const Operand& left, const Operand& right, const Span& at);
    ir::Value present_order(const Operand& left, const Operand& right, const Span& at);

    struct TextTarget {
        ir::Value address = ir::kNone;
        uint32_t size = 0;
        ir::Mem mem = ir::Mem::None;
        bool padded = false;              ///< zeroed, and to stay so after the text
    } target_;                            ///< of the call about to be lowered
    std::vector<TextTarget> targets_{{}}; ///< none, then those of the calls being lowered; taken by text_buffer(), so that no argument can
};

} // namespace dt::lower

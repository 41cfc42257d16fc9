// Strings: where text is, where it goes, and how two compare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dcompiler/lower/clause_part.hpp"
#include "dcompiler/lower/operand.hpp"
#include "dcompiler/sema/builtins.hpp"

namespace dt::lower {

class Builtins;

inline constexpr std::size_t kMostInlineLiteral = 64; ///< longer ones are compared and copied by a helper

/// `width` bytes of the text from `at` on, as a number; zeros behind its end.
uint64_t word_at(const std::string& text, std::size_t at, uint8_t width);

inline bool is_thread_name(const TExpr& e)
{
    return e.op == TOp::Builtin && e.builtin->role == VariableRole::ThreadName;
}

/// A comparison as a number; or, when it is about being equal to a literal, not yet done.
struct TextComparison {
    ir::Value truth = ir::kNone;
    Operand text;
    int64_t offset = 0; ///< of the text, from its address
    std::string literal;
    bool beginning = false; ///< the text may go on behind the literal
    std::size_t bytes() const { return literal.size() + (beginning ? 0 : 1); }
};

class Strings : public ClausePart {
public:
    Strings(ClauseState& whole, Builtins& builtins) : PartOf(whole), builtins_(builtins) {}

    /// The text into dst, at most `size` bytes with its NUL. With `pad` every byte after the text is 0 (hash keys).
    void text_into(const Operand& text, ir::Value dst, int64_t offset, uint32_t size, bool pad);
    /// Where the subroutine being lowered puts the text it makes: the place its caller wants it, else a temporary.
    /// `size` in: wanted, out: granted. The subroutine must leave what follows the text's NUL as it is: it may be a
    /// hash key's padding.
    ir::Value text_buffer(uint32_t& size, ir::Mem& mem);
    ir::Value text_temporary(uint32_t size, ir::Mem& mem);
    /// The same for a runtime function: a map value of at least `size` bytes at a multiple of 8. Without `exact` the
    /// function may also write beyond the text, within `size`.
    ir::Value text_result(uint32_t size, bool exact);
    Operand present(Operand text);
    Operand closed(const Operand& text);

    ir::Value is_zero_address(ir::Op op, ir::Value address);
    ir::Value order_to_truth(ir::Value order, TOp op);
    ir::Value text_order(const Operand& left, const Operand& right);
    std::optional<TextComparison> thread_name(const std::string& literal);
    void branch_on_literal(bool wants_equal, const TextComparison& comparison, ir::BlockId yes, ir::BlockId no);

    /// The call about to be lowered may write its text there; did it?
    void offer(ir::Value address, uint32_t size, bool padded)
    {
        target_ = {address, size, b().instr(address).mem, padded};
    }
    bool offer_was_taken() { return std::exchange(target_, {}).address == ir::kNone; }
    /// Around the lowering of a subroutine: what is wanted of it is not wanted of its arguments.
    void begin_call() { targets_.push_back(std::exchange(target_, {})); }
    void end_call()
    {
        target_ = targets_.back(); // unless it was taken
        targets_.pop_back();
    }

private:
    Operand loadable_text(const Operand& text);
    bool is_comparable_in_place(const TextComparison& comparison) const;
    void branch_in_place(const TextComparison& comparison, ir::BlockId equal, ir::BlockId differs);
    void branch_on_copy(TextComparison comparison, ir::BlockId equal, ir::BlockId differs);
    Operand copied_piece(const TextComparison& comparison);
    void branch_on_words(const TextComparison& comparison, ir::BlockId equal, ir::BlockId differs);
    ir::Value present_order(const Operand& left, const Operand& right);

    struct TextTarget {
        ir::Value address = ir::kNone;
        uint32_t size = 0;
        ir::Mem mem = ir::Mem::None;
        bool padded = false; ///< zeroed, and to stay so after the text
    } target_;               ///< of the call about to be lowered
    std::vector<TextTarget> targets_{
        {}}; ///< none, then those of the calls being lowered; taken by text_buffer(), so that no argument can
    Builtins& builtins_;
};

} // namespace dt::lower

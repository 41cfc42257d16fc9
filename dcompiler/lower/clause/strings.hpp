// Lowers strings: determines where their bytes are, and generates code that copies and compares them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dcompiler/lower/clause/clause_state.hpp"
#include "dcompiler/lower/core/hooks.hpp"
#include "dcompiler/sema/program/builtins.hpp"

namespace dt::lower {

class Builtins;

/// Maximum length of a literal that is compared inline. For a longer literal, a helper copies the string to be
/// compared.
inline constexpr std::size_t kMaxInlineLiteral = 64;

/// Returns `width` bytes of the literal, from index `at` on, as a number. Bytes behind its end are zero.
uint64_t word_at(const std::string& text, std::size_t at, uint8_t width);

inline bool is_thread_name(const TExpr& e)
{
    return e.op == TOp::Builtin && e.builtin->role == VariableRole::ThreadName;
}

/// A comparison of strings: either its result as a number, or a test for equality with a literal. The code of such a
/// test has not been emitted yet.
struct TextComparison {
    ir::Value truth = ir::kNone;
    Operand text;
    int64_t offset = 0; ///< the string begins `offset` bytes after the address in `text`
    std::string literal;
    /// Whether the string need only begin with the literal, as for substr() from index 0.
    bool beginning = false;
    std::size_t bytes() const { return literal.size() + (beginning ? 0 : 1); }
};

class Strings : public ClausePart {
public:
    Strings(ClauseState& whole, Builtins& builtins) : ClauseComponent(whole), builtins_(builtins) {}

    /// Copies the string to `dst`, at most `size` bytes including the NUL. With `pad` (for hash keys), zeroes all bytes
    /// after the string.
    void text_into(const Operand& text, ir::Value dst, int64_t offset, uint32_t size, bool pad);
    /// Returns the buffer in which the subroutine that is being lowered builds its string: an offered destination, or
    /// else a temporary. `size` is first the wanted and then the granted size. The subroutine must not change bytes
    /// after the string's NUL, which may be padding of a hash key.
    ir::Value text_buffer(uint32_t& size, ir::Mem& mem);
    ir::Value text_temporary(uint32_t size, ir::Mem& mem);
    /// Returns the buffer for the string that a runtime function builds: memory of a map with at least `size` bytes,
    /// aligned to 8. Without `exact`, the function may also overwrite the bytes of the buffer behind the string.
    ir::Value text_result(uint32_t size, bool exact);
    Operand present(Operand text);
    Operand closed(const Operand& text);

    ir::Value is_zero_address(ir::Op op, ir::Value address);
    ir::Value order_to_truth(ir::Value order, TOp op);
    ir::Value text_order(const Operand& left, const Operand& right);
    std::optional<TextComparison> thread_name(const std::string& literal);
    void branch_on_literal(bool wants_equal, const TextComparison& comparison, ir::BlockId yes, ir::BlockId no);

    /// Offers a destination to the next call that builds a string. offer_was_taken() returns whether the call has
    /// stored its string there.
    void offer(ir::Value address, uint32_t size, bool padded)
    {
        target_ = {address, size, b().instr(address).mem, padded};
    }
    bool offer_was_taken() { return std::exchange(target_, {}).address == ir::kNone; }
    /// begin_call() hides the offered destination while the arguments of a subroutine are lowered, because only the
    /// subroutine's result may be stored there. end_call() offers the destination again.
    void begin_call() { targets_.push_back(std::exchange(target_, {})); }
    void end_call()
    {
        target_ = targets_.back(); // offers the call's destination again, unless the call has used it
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
        bool padded = false; ///< the destination contains zeros, and its bytes behind the string must remain zero
    } target_;               ///< destination for the string that the next call builds
    /// Stack of destinations for strings: an empty one, then one for each call that is being lowered. text_buffer()
    /// uses only the last one, so the arguments of a call cannot overwrite the call's destination.
    std::vector<TextTarget> targets_{{}};
    Builtins& builtins_;
};

} // namespace dt::lower

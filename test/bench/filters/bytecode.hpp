// Stack machine for filters, similar to LTTng's interpreter. It has typed loads of fields and literals, comparisons
// that replace two operands by a truth value, and a logical AND that may exit early. Like LTTng, it keeps the two
// topmost operands in variables and jumps to each next instruction by a separate indirect jump. Instructions contain
// the types (LTTng specialises them when it links a filter).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dt::bench::filters {

enum class Op : uint8_t {
    Return,
    LoadS64,  ///< pushes a field; operand: u16 offset of the field in the event
    LoadU32,  ///< pushes a field; operand: u16 offset of the field in the event
    LoadU16,  ///< pushes a field; operand: u16 offset of the field in the event
    LoadText, ///< operand: u16 offset of a text in the event, which ends with a NUL
    Number,   ///< pushes a number; operand: s64
    Text,     ///< operand: characters and a NUL; '*' at the end matches any rest
    Equal,
    NotEqual,
    Greater,
    Less,
    EqualText,
    /// Operand: u16 distance. If the top of the stack is 0, it remains as the result and the jump is taken; if it is
    /// not 0, it is dropped and no jump is taken.
    And,
};

/// Builds a filter that is the logical AND of its comparisons, in order.
class BytecodeWriter {
public:
    /// Appends the comparison of a field (loaded by `load` at `offset`) with a number.
    void number(Op load, uint16_t offset, Op compare, int64_t value);
    /// Appends the comparison field == text.
    void text(uint16_t offset, std::string_view value);
    std::vector<uint8_t> take();

private:
    void begin();
    template <typename T> void put(T value);
    std::vector<uint8_t> code_;
    std::vector<std::size_t> skips_; ///< positions of the jump distances that end() fills in
};

/// Returns whether an event passes the filter. The code must come from a BytecodeWriter.
bool interpret(const uint8_t* code, const uint8_t* event);

} // namespace dt::bench::filters

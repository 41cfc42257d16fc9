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
    LoadS64,  ///< u16 offset in the event
    LoadU32,  ///< u16 offset in the event
    LoadU16,  ///< u16 offset in the event
    LoadText, ///< u16 offset in the event: characters up to a NUL
    Number,   ///< s64
    Text,     ///< characters and a NUL; '*' at the end matches any rest
    Equal,
    NotEqual,
    Greater,
    Less,
    EqualText,
    And, ///< u16 distance to jump if the top is 0, which remains as the result; otherwise the top is dropped
};

/// Builds a filter: an AND of comparisons, in order.
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
    std::vector<std::size_t> skips_; ///< positions of the distances to the end
};

/// Returns whether an event passes. The code must come from a BytecodeWriter.
bool interpret(const uint8_t* code, const uint8_t* event);

} // namespace dt::bench::filters

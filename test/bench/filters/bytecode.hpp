// Stack machine for filters, similar to LTTng's interpreter. It has typed loads of fields and literals. A comparison
// replaces the two topmost values by a truth value, and a logical AND may end the filter early. Like LTTng, it keeps
// the two topmost values in variables, and each instruction has an indirect jump of its own to the next one. The
// operand types are part of the instructions; LTTng chooses such typed instructions only when it links a filter.
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
    LoadText, ///< pushes a string of the event, which ends with a NUL; operand: u16 offset of the string in the event
    Number,   ///< pushes a number; operand: s64
    Text,     ///< pushes a string literal; operand: its characters and a NUL; a '*' at the end matches any characters
    Equal,
    NotEqual,
    Greater,
    Less,
    EqualText,
    /// Operand: u16 jump distance. If the topmost value is 0, it stays as the filter's result, and the jump is taken.
    /// Else the value is removed, and the next instruction follows.
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

// A stack machine for filters, of the kind LTTng interprets: typed loads of fields and literals, comparisons that take
// two operands off the stack and leave their truth, logical AND that leaves the program early. The two topmost operands
// are kept in variables, and each instruction jumps to the next one by its own indirect jump, as LTTng's does; types
// are in the instruction (LTTng specialises them when it links a filter).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dt::bench::filters {

enum class Op : uint8_t {
    Return,
    LoadS64,  ///< u16 offset in the event
    LoadU32,  ///< "
    LoadU16,  ///< "
    LoadText, ///< ": characters up to a NUL
    Number,   ///< s64
    Text,     ///< characters and a NUL; '*' at the end stands for any rest
    Equal,
    NotEqual,
    Greater,
    Less,
    EqualText,
    And, ///< u16 to skip when the topmost is 0, which is then left as the result; else it is dropped
};

/// Puts a filter together: an AND of comparisons, in order.
class BytecodeWriter {
public:
    /// field (loaded by `load` at `offset`) `compare` number
    void number(Op load, uint16_t offset, Op compare, int64_t value);
    /// field == text
    void text(uint16_t offset, std::string_view value);
    std::vector<uint8_t> take();

private:
    void begin();
    template <typename T> void put(T value);
    std::vector<uint8_t> code_;
    std::vector<std::size_t> skips_; ///< places of the distances to the end
};

/// The verdict on an event. The code must come from a writer.
bool interpret(const uint8_t* code, const uint8_t* event);

} // namespace dt::bench::filters

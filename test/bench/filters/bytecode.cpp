// Translates filters to bytecode for a stack machine, and interprets it.
#include "test/bench/filters/bytecode.hpp"

#include <cstring>
#include <utility>

namespace dt::bench::filters {

template <typename T> void BytecodeWriter::put(T value)
{
    const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
    code_.insert(code_.end(), bytes, bytes + sizeof value);
}

// Comparisons are joined by AND instructions. Their jump distances are filled in when the end of the filter is known.
void BytecodeWriter::begin()
{
    if (code_.empty())
        return;
    put(Op::And);
    skips_.push_back(code_.size());
    put(uint16_t{0});
}

void BytecodeWriter::number(Op load, uint16_t offset, Op compare, int64_t value)
{
    begin();
    put(load);
    put(offset);
    put(Op::Number);
    put(value);
    put(compare);
}

void BytecodeWriter::text(uint16_t offset, std::string_view value)
{
    begin();
    put(Op::LoadText);
    put(offset);
    put(Op::Text);
    code_.insert(code_.end(), value.begin(), value.end());
    put(char{0});
    put(Op::EqualText);
}

std::vector<uint8_t> BytecodeWriter::take()
{
    for (const std::size_t at : skips_) {
        const auto distance = static_cast<uint16_t>(code_.size() - (at + sizeof(uint16_t)));
        std::memcpy(&code_[at], &distance, sizeof distance);
    }
    put(Op::Return);
    return std::move(code_);
}

namespace {

template <typename T> T read(const uint8_t* at)
{
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

bool same_text(const char* text, const char* pattern)
{
    while (*pattern && *pattern != '*' && *text == *pattern) {
        text++;
        pattern++;
    }
    return *pattern == '*' || *text == *pattern;
}

// Depth of the stack; sufficient because a comparison needs two operands and comparisons do not nest.
constexpr int kDepth = 8;

union Operand {
    int64_t number;
    const char* text;
};

} // namespace

bool interpret(const uint8_t* code, const uint8_t* event)
{
    static const void* const targets[] = {&&leave, &&load_s64,  &&load_u32, &&load_u16, &&load_text,  &&number, &&text,
                                          &&equal, &&not_equal, &&greater,  &&less,     &&equal_text, &&logical};
    Operand stack[kDepth];
    Operand *below = stack, top{}, second{};
    const auto push = [&](Operand value) {
        *below++ = second;
        second = top;
        top = value;
    };
    const auto result = [&](bool truth) {
        second = *--below;
        top.number = truth;
    };
    goto* targets[*code];
load_s64:
    push({.number = read<int64_t>(event + read<uint16_t>(code + 1))});
    code += 3;
    goto* targets[*code];
load_u32:
    push({.number = read<uint32_t>(event + read<uint16_t>(code + 1))});
    code += 3;
    goto* targets[*code];
load_u16:
    push({.number = read<uint16_t>(event + read<uint16_t>(code + 1))});
    code += 3;
    goto* targets[*code];
load_text:
    push({.text = reinterpret_cast<const char*>(event + read<uint16_t>(code + 1))});
    code += 3;
    goto* targets[*code];
number:
    push({.number = read<int64_t>(code + 1)});
    code += 9;
    goto* targets[*code];
text:
    push({.text = reinterpret_cast<const char*>(code + 1)});
    code += 2 + std::strlen(top.text);
    goto* targets[*code];
equal:
    result(second.number == top.number);
    code += 1;
    goto* targets[*code];
not_equal:
    result(second.number != top.number);
    code += 1;
    goto* targets[*code];
greater:
    result(second.number > top.number);
    code += 1;
    goto* targets[*code];
less:
    result(second.number < top.number);
    code += 1;
    goto* targets[*code];
equal_text:
    result(same_text(second.text, top.text));
    code += 1;
    goto* targets[*code];
logical:
    if (top.number == 0) {
        code += 3 + read<uint16_t>(code + 1);
        goto* targets[*code];
    }
    top = second;
    second = *--below;
    code += 3;
    goto* targets[*code];
leave:
    return top.number != 0;
}

} // namespace dt::bench::filters

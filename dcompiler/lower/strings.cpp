// Lowers strings. At most a few words of text are on the BPF stack. Text is written directly to its destination (a
// record, a key, a variable); only text that is needed longer gets a scratch buffer. Every buffer ends with a NUL, and
// the rest of a hash key is zero.
#include "dcompiler/lower/strings.hpp"
#include "dcompiler/lower/user_address.hpp"

#include <algorithm>

namespace dt::lower {

using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

uint64_t word_at(const std::string& text, std::size_t at, uint8_t width)
{
    uint64_t word = 0;
    for (std::size_t i = 0; i < width && at + i < text.size(); ++i)
        word |= static_cast<uint64_t>(static_cast<uint8_t>(text[at + i])) << (8 * i);
    return word;
}

Value Strings::text_buffer(uint32_t& size, Mem& mem)
{
    TextTarget& target = targets_.back();
    if (target.address != kNone) {
        const Value address = target.address;
        size = std::min(size, target.size);
        mem = target.mem;
        target = {};
        return address;
    }
    return text_temporary(align_up(size, 8), mem);
}

/// Allocates a temporary with initialised bytes. Texts are compared by words, and the verifier allows reads only of
/// written stack bytes.
Value Strings::text_temporary(uint32_t size, Mem& mem)
{
    const Value buffer = clause.temporary(size, mem);
    if (mem == Mem::Stack)
        clause.values.zero(buffer, 0, align_up(size, 8));
    return buffer;
}

Value Strings::text_result(uint32_t size, bool exact)
{
    TextTarget& target = targets_.back();
    if (target.address != kNone && target.mem == Mem::MapValue && target.size >= size && (exact || !target.padded)) {
        const Value address = target.address;
        target = {};
        return address;
    }
    return clause.scratch_temporary(size);
}

void Strings::text_into(const Operand& from, Value dst, int64_t offset, uint32_t size, bool pad)
{
    const uint32_t most = std::min<uint32_t>(size, static_cast<uint32_t>(module().options.strsize) + 1);
    if (from.kind == Operand::Kind::Number) { // an address converted to a string, or the constant NULL
        Operand address = from;
        address.kind = Operand::Kind::Text;
        address.mem = Mem::Kernel;
        address.may_be_null = true;
        return text_into(address, dst, offset, size, pad);
    }
    if (from.constant && from.text.size() <= kMostInlineLiteral) {
        const std::string text = from.text.substr(0, most - 1);
        const uint32_t end = pad ? size : static_cast<uint32_t>(text.size()) + 1;
        uint32_t done = 0;
        while (done < end && done <= text.size()) {
            uint8_t step = 8;
            while (step > 1 && (done + step > size || (offset + done) % step != 0 || (!pad && done + step > end)))
                step /= 2;
            b().store(step, dst, offset + done, b().constant(static_cast<int64_t>(word_at(text, done, step))));
            done += step;
        }
        if (pad && done < size)
            clause.values.zero(dst, offset + done, size - done);
        return;
    }
    if (from.may_be_null)
        clause.fault_if(Op::Eq, from.value, b().constant(0), kFaultBadAddress, b().constant(0));
    if (pad)
        clause.values.zero(dst, offset, size);
    const Value to = clause.values.interior(dst, offset, size);
    const Value result = b().call_helper(from.mem == Mem::User ? kProbeReadUserStr : kProbeReadKernelStr,
                                         {to, b().constant(most), for_helper(clause, from.mem, from.value)});
    if (!from.loadable())
        clause.fault_if(Op::SLt, result, b().constant(0), kFaultBadAddress, from.value);
}

/// Copies a character array, which need not end with a NUL, and truncates it at its size.
Operand Strings::closed(const Operand& from)
{
    if (!from.open)
        return from;
    Mem mem;
    const uint32_t size = std::min<uint32_t>(from.size + 1, static_cast<uint32_t>(module().options.strsize) + 1);
    const Value buffer = clause.temporary(align_up(size, 8), mem);
    const Value result = b().call_helper(from.mem == Mem::User ? kProbeReadUserStr : kProbeReadKernelStr,
                                         {buffer, b().constant(size), for_helper(clause, from.mem, from.value)});
    clause.fault_if(Op::SLt, result, b().constant(0), kFaultBadAddress, from.value);
    return {Operand::Kind::Text, buffer, mem, size, false, false, {}};
}

/// Copies the text to a buffer of our own unless it can be loaded directly.
Operand Strings::loadable_text(const Operand& from)
{
    if (from.loadable() && !from.may_be_null)
        return from;
    const uint32_t size =
        std::min<uint32_t>(std::max<uint32_t>(from.size, 1), static_cast<uint32_t>(module().options.strsize) + 1);
    Mem mem;
    const Value buffer = clause.temporary(align_up(size, 8), mem);
    text_into(from, buffer, 0, align_up(size, 8), false);
    return {Operand::Kind::Text, buffer, mem, align_up(size, 8), false, false, {}};
}

/// Marks text that may be NULL as present, where this is known.
Operand Strings::present(Operand text)
{
    if (text.mem == Mem::MapOrNull) {
        text.value = b().not_null(text.value);
        text.mem = Mem::MapValue;
    }
    text.may_be_null = false;
    return text;
}

} // namespace dt::lower

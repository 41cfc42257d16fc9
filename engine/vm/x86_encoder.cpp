#include "engine/vm/x86_encoder.hpp"

#include <cstring>

namespace dt::vm::x86 {

namespace {

constexpr uint8_t kLock = 0xf0, kNarrowOperand = 0x66;

bool fits8(int32_t value)
{
    return value >= -128 && value <= 127;
}

/// Returns whether the register's low byte can only be named with a REX prefix.
bool needs_rex_for_byte(Reg reg)
{
    return reg >= rsp && reg <= rdi;
}

} // namespace

// ---- labels

Label Encoder::label()
{
    places_.push_back(0);
    return static_cast<Label>(places_.size() - 1);
}

void Encoder::bind(Label label)
{
    places_[label] = bytes_.size();
}

void Encoder::align(std::size_t to)
{
    while (bytes_.size() % to)
        byte(0xcc); // instruction int3
}

void Encoder::hole(Label label)
{
    holes_.push_back({bytes_.size(), label});
    word(0);
}

void Encoder::link()
{
    for (const Hole& hole : holes_) {
        const auto distance =
            static_cast<int32_t>(static_cast<int64_t>(places_[hole.label]) - static_cast<int64_t>(hole.at) - 4);
        std::memcpy(&bytes_[hole.at], &distance, 4);
    }
    holes_.clear();
}

// ---- pieces

void Encoder::word(uint32_t value)
{
    for (unsigned shift = 0; shift < 32; shift += 8)
        byte(static_cast<uint8_t>(value >> shift));
}

void Encoder::rex(bool wide, uint8_t reg, uint8_t base, bool force)
{
    const uint8_t prefix = static_cast<uint8_t>(0x40 | (wide ? 8 : 0) | (reg >= 8 ? 4 : 0) | (base >= 8 ? 1 : 0));
    if (prefix != 0x40 || force)
        byte(prefix);
}

void Encoder::operand(uint8_t reg, Address memory)
{
    const uint8_t base = memory.base & 7, field = static_cast<uint8_t>((reg & 7) << 3);
    const uint8_t mode = memory.offset == 0 && base != rbp ? 0 : fits8(memory.offset) ? 0x40 : 0x80;
    byte(static_cast<uint8_t>(mode | field | base));
    if (base == rsp)
        byte(0x24); // SIB byte without an index register
    if (mode == 0x40)
        byte(static_cast<uint8_t>(memory.offset));
    else if (mode == 0x80)
        word(static_cast<uint32_t>(memory.offset));
}

// ---- registers

void Encoder::move(Reg to, Reg from, bool wide)
{
    rex(wide, from, to);
    byte(0x89);
    registers(from, to);
}

void Encoder::move(Reg to, uint64_t value)
{
    const auto as_signed = static_cast<int64_t>(value);
    if (value == 0)
        return alu(Alu::Xor, to, to, false);
    if (value <= 0xffffffff) {
        rex(false, 0, to);
        byte(static_cast<uint8_t>(0xb8 | (to & 7)));
        return word(static_cast<uint32_t>(value));
    }
    rex(true, 0, to);
    if (as_signed == static_cast<int32_t>(as_signed)) {
        byte(0xc7);
        registers(0, to);
        return word(static_cast<uint32_t>(value));
    }
    byte(static_cast<uint8_t>(0xb8 | (to & 7)));
    word(static_cast<uint32_t>(value));
    word(static_cast<uint32_t>(value >> 32));
}

void Encoder::extend(Reg to, Reg from, uint32_t bits, bool sign, bool wide)
{
    if (bits == 32 && !sign)
        return move(to, from, false);
    rex(wide && sign, to, from, bits == 8 && needs_rex_for_byte(from));
    if (bits == 32) {
        byte(0x63); // instruction movsxd
    } else {
        byte(0x0f);
        byte(static_cast<uint8_t>((sign ? 0xbe : 0xb6) | (bits == 16 ? 1 : 0)));
    }
    registers(to, from);
}

void Encoder::alu(Alu op, Reg to, Reg from, bool wide)
{
    rex(wide, from, to);
    byte(static_cast<uint8_t>(static_cast<uint8_t>(op) << 3 | 1));
    registers(from, to);
}

void Encoder::alu(Alu op, Reg to, int32_t value, bool wide)
{
    rex(wide, 0, to);
    byte(fits8(value) ? 0x83 : 0x81);
    registers(static_cast<uint8_t>(op), to);
    if (fits8(value))
        byte(static_cast<uint8_t>(value));
    else
        word(static_cast<uint32_t>(value));
}

void Encoder::alu(Alu op, Reg to, Address from)
{
    rex(true, to, from.base);
    byte(static_cast<uint8_t>(static_cast<uint8_t>(op) << 3 | 3));
    operand(to, from);
}

void Encoder::alu(Alu op, Address to, int32_t value, bool wide)
{
    rex(wide, 0, to.base);
    byte(fits8(value) ? 0x83 : 0x81);
    operand(static_cast<uint8_t>(op), to);
    if (fits8(value))
        byte(static_cast<uint8_t>(value));
    else
        word(static_cast<uint32_t>(value));
}

void Encoder::test(Reg a, Reg b, bool wide)
{
    rex(wide, b, a);
    byte(0x85);
    registers(b, a);
}

void Encoder::test(Reg a, int32_t value, bool wide)
{
    rex(wide, 0, a);
    byte(0xf7);
    registers(0, a);
    word(static_cast<uint32_t>(value));
}

void Encoder::multiply(Reg to, Reg from, bool wide)
{
    rex(wide, to, from);
    byte(0x0f);
    byte(0xaf);
    registers(to, from);
}

void Encoder::multiply(Reg to, int32_t value, bool wide)
{
    rex(wide, to, to);
    byte(0x69);
    registers(to, to);
    word(static_cast<uint32_t>(value));
}

void Encoder::unary(Unary op, Reg reg, bool wide)
{
    rex(wide, 0, reg);
    byte(0xf7);
    registers(static_cast<uint8_t>(op), reg);
}

void Encoder::sign_to_rdx(bool wide)
{
    rex(wide, 0, 0);
    byte(0x99);
}

void Encoder::shift(Shift op, Reg reg, uint8_t count, bool wide)
{
    rex(wide, 0, reg);
    byte(0xc1);
    registers(static_cast<uint8_t>(op), reg);
    byte(count);
}

void Encoder::shift_by_cl(Shift op, Reg reg, bool wide)
{
    rex(wide, 0, reg);
    byte(0xd3);
    registers(static_cast<uint8_t>(op), reg);
}

void Encoder::rotate16(Reg reg, uint8_t count)
{
    byte(kNarrowOperand);
    shift(Shift::Rol, reg, count, false);
}

void Encoder::swap_bytes(Reg reg, bool wide)
{
    rex(wide, 0, reg);
    byte(0x0f);
    byte(static_cast<uint8_t>(0xc8 | (reg & 7)));
}

void Encoder::address(Reg to, Address from)
{
    rex(true, to, from.base);
    byte(0x8d);
    operand(to, from);
}

// ---- memory

void Encoder::load(Reg to, Address from, uint32_t width, bool sign)
{
    rex(width == 8 || sign, to, from.base);
    if (width == 8 || (width == 4 && !sign)) {
        byte(0x8b);
    } else if (width == 4) {
        byte(0x63);
    } else {
        byte(0x0f);
        byte(static_cast<uint8_t>((sign ? 0xbe : 0xb6) | (width == 2 ? 1 : 0)));
    }
    operand(to, from);
}

void Encoder::store(Address to, Reg from, uint32_t width)
{
    if (width == 2)
        byte(kNarrowOperand);
    rex(width == 8, from, to.base, width == 1 && needs_rex_for_byte(from));
    byte(width == 1 ? 0x88 : 0x89);
    operand(from, to);
}

void Encoder::store(Address to, int32_t value, uint32_t width)
{
    if (width == 2)
        byte(kNarrowOperand);
    rex(width == 8, 0, to.base);
    byte(width == 1 ? 0xc6 : 0xc7);
    operand(0, to);
    const auto bits = static_cast<uint32_t>(value);
    if (width >= 4)
        return word(bits);
    byte(static_cast<uint8_t>(bits));
    if (width == 2)
        byte(static_cast<uint8_t>(bits >> 8));
}

void Encoder::increment(Address at, bool down)
{
    rex(true, 0, at.base);
    byte(0xff);
    operand(down ? 1 : 0, at);
}

void Encoder::locked_alu(Alu op, Address to, Reg from, uint32_t width)
{
    byte(kLock);
    rex(width == 8, from, to.base);
    byte(static_cast<uint8_t>(static_cast<uint8_t>(op) << 3 | 1));
    operand(from, to);
}

void Encoder::exchange(Address with, Reg reg, uint32_t width)
{
    rex(width == 8, reg, with.base);
    byte(0x87); // xchg with a memory operand is always atomic
    operand(reg, with);
}

void Encoder::exchange_add(Address to, Reg reg, uint32_t width)
{
    byte(kLock);
    rex(width == 8, reg, to.base);
    byte(0x0f);
    byte(0xc1);
    operand(reg, to);
}

void Encoder::compare_exchange(Address to, Reg fresh, uint32_t width)
{
    byte(kLock);
    rex(width == 8, fresh, to.base);
    byte(0x0f);
    byte(0xb1);
    operand(fresh, to);
}

// ---- control

void Encoder::jump(Label to)
{
    byte(0xe9);
    hole(to);
}

void Encoder::jump(Condition condition, Label to)
{
    byte(0x0f);
    byte(static_cast<uint8_t>(0x80 | static_cast<uint8_t>(condition)));
    hole(to);
}

void Encoder::set(Condition condition, Reg to)
{
    rex(false, 0, to, needs_rex_for_byte(to));
    byte(0x0f);
    byte(static_cast<uint8_t>(0x90 | static_cast<uint8_t>(condition)));
    registers(0, to);
}

void Encoder::move_if(Condition condition, Reg to, Reg from)
{
    rex(true, to, from);
    byte(0x0f);
    byte(static_cast<uint8_t>(0x40 | static_cast<uint8_t>(condition)));
    registers(to, from);
}

void Encoder::call(Label to)
{
    byte(0xe8);
    hole(to);
}

void Encoder::call(Reg to)
{
    rex(false, 0, to);
    byte(0xff);
    registers(2, to);
}

void Encoder::push(Reg reg)
{
    rex(false, 0, reg);
    byte(static_cast<uint8_t>(0x50 | (reg & 7)));
}

void Encoder::pop(Reg reg)
{
    rex(false, 0, reg);
    byte(static_cast<uint8_t>(0x58 | (reg & 7)));
}

void Encoder::landing_pad()
{
    for (const uint8_t b : {0xf3, 0x0f, 0x1e, 0xfa})
        byte(b);
}

} // namespace dt::vm::x86

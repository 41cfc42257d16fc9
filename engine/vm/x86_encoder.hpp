// Encodes x86-64 machine instructions as bytes: only those that the compiler needs, each in one form.
//
// A jump to code that is not encoded yet is written with distance 0 and a label; link() fills in the distances.
#pragma once

#include <cstdint>
#include <vector>

namespace dt::vm::x86 {

enum Reg : uint8_t { rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15 };

/// The /n in the opcode of x86 instructions with an immediate operand. The opcode for two registers is 8 * n + 1.
enum class Alu : uint8_t { Add = 0, Or = 1, And = 4, Sub = 5, Xor = 6, Cmp = 7 };
enum class Shift : uint8_t { Rol = 0, Shl = 4, Shr = 5, Sar = 7 };
enum class Unary : uint8_t { Neg = 3, Div = 6, Idiv = 7 };
/// The low four bits of the opcode of Jcc.
enum class Condition : uint8_t {
    Below = 2,
    AboveEqual = 3,
    Equal = 4,
    NotEqual = 5,
    BelowEqual = 6,
    Above = 7,
    Sign = 8,
    Less = 12,
    GreaterEqual = 13,
    LessEqual = 14,
    Greater = 15
};

inline constexpr Condition opposite(Condition condition)
{
    return static_cast<Condition>(static_cast<uint8_t>(condition) ^ 1);
}

struct Address {
    Reg base;
    int32_t offset;
};

/// Identifies a jump target in the code.
using Label = uint32_t;

class Encoder {
public:
    const std::vector<uint8_t>& bytes() const { return bytes_; }
    std::size_t size() const { return bytes_.size(); }

    Label label();
    void bind(Label label);
    std::size_t place(Label label) const { return places_[label]; }
    void link();
    void align(std::size_t to); ///< pads the code to a multiple of `to` with bytes that are never executed

    // `wide` means 64 bits; otherwise 32 bits are moved, and the upper half of the target becomes 0.
    void move(Reg to, Reg from, bool wide = true);
    void move(Reg to, uint64_t value); ///< sets the register, with the shortest encoding for the value
    void extend(Reg to, Reg from, uint32_t bits, bool sign, bool wide);
    void alu(Alu op, Reg to, Reg from, bool wide = true);
    void alu(Alu op, Reg to, int32_t value, bool wide = true);
    void alu(Alu op, Reg to, Address from);
    void alu(Alu op, Address to, int32_t value, bool wide);
    void test(Reg a, Reg b, bool wide = true);
    void test(Reg a, int32_t value, bool wide);
    void multiply(Reg to, Reg from, bool wide);
    void multiply(Reg to, int32_t value, bool wide);
    void unary(Unary op, Reg reg, bool wide);
    void sign_to_rdx(bool wide); ///< copies the sign of rax to all bits of rdx (cqo, cdq)
    void shift(Shift op, Reg reg, uint8_t count, bool wide);
    void shift_by_cl(Shift op, Reg reg, bool wide);
    void rotate16(Reg reg, uint8_t count);
    void swap_bytes(Reg reg, bool wide);
    void address(Reg to, Address from);

    void load(Reg to, Address from, uint32_t width, bool sign = false);
    void store(Address to, Reg from, uint32_t width);
    void store(Address to, int32_t value, uint32_t width);
    void increment(Address at, bool down); ///< adds 1 to a 64-bit number, or subtracts 1 with `down`

    // Atomic operations on memory, by a lock prefix; `width` is 4 or 8.
    void locked_alu(Alu op, Address to, Reg from, uint32_t width);
    void exchange(Address with, Reg reg, uint32_t width);
    void exchange_add(Address to, Reg reg, uint32_t width);
    /// compare and exchange: if the memory equals rax, stores `fresh` there
    void compare_exchange(Address to, Reg fresh, uint32_t width);

    void jump(Label to);
    void jump(Condition condition, Label to);
    void set(Condition condition, Reg to); ///< sets the register's low byte to 1 if the condition holds, else to 0
    void move_if(Condition condition, Reg to, Reg from);
    void call(Label to);
    void call(Reg to);
    void leave_function() { byte(0xc3); }
    void push(Reg reg);
    void pop(Reg reg);
    void landing_pad(); ///< instruction endbr64

private:
    void byte(uint8_t value) { bytes_.push_back(value); }
    void word(uint32_t value);
    void rex(bool wide, uint8_t reg, uint8_t base, bool force = false);
    void registers(uint8_t reg, uint8_t rm) { byte(static_cast<uint8_t>(0xc0 | (reg & 7) << 3 | (rm & 7))); }
    void operand(uint8_t reg, Address memory);
    void hole(Label label);

    struct Hole {
        std::size_t at;
        Label label;
    };
    std::vector<uint8_t> bytes_;
    std::vector<std::size_t> places_;
    std::vector<Hole> holes_;
};

} // namespace dt::vm::x86

// Random D programs, the same for the same seed on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dt::verify {

/// xorshift64*: small, and unlike the standard library's distributions the same everywhere.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 0x2545f4914f6cdd1dull) {}
    std::uint64_t next();
    /// 0 <= result < limit
    unsigned below(unsigned limit) { return static_cast<unsigned>(next() % limit); }
    bool one_in(unsigned n) { return below(n) == 0; }

private:
    std::uint64_t state_;
};

/// An integer type of D.
struct Type {
    const char* name;
    unsigned bits;
    bool is_signed;
};

extern const Type types[8];

/// An expression in two spellings with the value that the language's rules give it, computed here independently of the
/// compiler.
struct Expression {
    std::string constant; // of literals only: the compiler folds it
    std::string variable; // the same with a variable for each literal: the kernel computes it
    const Type* type;
    std::uint64_t value; // all 64 bits
};

/// A variable that an Expression uses, and what must be assigned to it first.
struct Variable {
    const Type* type;
    std::uint64_t value;
};

/// Makes one expression; new variables (named v0, v1, … by their index) are added to `variables`.
Expression random_expression(Random& random, unsigned depth, std::vector<Variable>& variables);

/// The literal for a value of a type, as D spells it.
std::string literal(const Type& type, std::uint64_t value);

/// How printf("%d") shows a value of a type.
std::string shown(const Type& type, std::uint64_t value);

/// A program that prints, for each of `count` expressions, three numbers that must be equal: expected, folded,
/// computed.
std::string differential_program(std::uint64_t seed, unsigned count);

/// A program that compiles by construction and uses what the language has, at random: it must load, run and end with
/// status 0.
std::string any_program(std::uint64_t seed);

} // namespace dt::verify

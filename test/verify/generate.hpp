// Generates random D programs. Equal seeds give equal programs on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dt::verify {

/// Random number generator xorshift64*. It gives equal numbers on all machines; distributions of the standard library
/// do not.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 0x2545f4914f6cdd1dull) {}
    std::uint64_t next();
    /// Returns a random number from 0 to limit - 1.
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

/// An expression in two notations, with and without variables, and its value by the rules of the language. The value is
/// computed independently of the compiler.
struct Expression {
    std::string constant; // the expression with literals, which the compiler folds
    std::string variable; // the expression with a variable for each literal, so that the kernel computes it
    const Type* type;
    std::uint64_t value; // value of the expression, as 64 bits
};

/// A variable that an Expression uses, and the value that a program must assign to it first.
struct Variable {
    const Type* type;
    std::uint64_t value;
};

/// Generates an expression. New variables (named v0, v1, … by their index) are added to `variables`.
Expression random_expression(Random& random, unsigned depth, std::vector<Variable>& variables);

/// Returns D's literal for a value of a type.
std::string literal(const Type& type, std::uint64_t value);

/// Returns the text that D prints for a value of a type: the narrowed value in decimal.
std::string shown(const Type& type, std::uint64_t value);

/// Returns a program with `count` expressions. For each it prints three numbers that must be equal: the expected value,
/// the value that the compiler folds, and the value that the kernel computes.
std::string differential_program(std::uint64_t seed, unsigned count);

/// Returns a program that is valid by construction and uses random features of the language. It must load, run and end
/// with status 0.
std::string any_program(std::uint64_t seed);

} // namespace dt::verify

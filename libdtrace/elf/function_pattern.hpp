// Matches names of functions as people copy them from a stack trace: with or without template arguments, parameters and
// the hashes that Rust adds.
#pragma once

#include <string>
#include <string_view>

namespace dt {

/// Removes the parts of a demangled name that differ between instances of one function: template arguments, ABI tags,
/// and hashes of crates. A method of "<T as Trait>" gets the name of T.
std::string plain_function_name(std::string_view demangled);

/// A glob of function names.
class FunctionPattern {
public:
    explicit FunctionPattern(std::string_view glob);

    /// Returns whether the glob matches the symbol's name in the file, its demangled name with or without parameters,
    /// or its name without template arguments, tags and hashes (plain_function_name).
    bool matches(const std::string& symbol) const;
    const std::string& glob() const { return glob_; }

private:
    std::string glob_;
    std::string demangled_; ///< the glob in the form of the demangler's names
    bool is_plain_;      ///< whether the glob is an identifier without wildcards; each matching symbol then contains it
    bool has_arguments_; ///< whether the glob contains template arguments
};

} // namespace dt

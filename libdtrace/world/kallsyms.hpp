// Kernel symbols by name, from /proc/kallsyms: for `symbol in D programs. (Addresses to names is symbols.hpp's.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dcompiler/result.hpp"

namespace dt {

/// One reading of the kernel's symbol table: about 50 ms and 6 MB for 120,000 symbols, so it is made when the first name is asked for.
class SymbolNames {
public:
    struct Definition {
        std::string module; ///< "vmlinux" for the core kernel
        uint64_t address = 0;
        uint64_t size = 0; ///< up to the next symbol: an upper bound; 0 when nothing follows
        bool is_function = false;
    };

    /// Reads the table. Fails when the file cannot be read or the kernel hides addresses, and says what to do.
    static Result<SymbolNames> load(const char* path = "/proc/kallsyms");

    /// A symbol by name; an empty module: the core kernel first, then the first module that has it. Cost: one search of the text.
    std::optional<Definition> lookup(std::string_view module, std::string_view name) const;

    /// Is this the address of a variable that every CPU has a copy of? True of those of the core kernel only.
    bool is_per_cpu(uint64_t address);

private:
    struct Line {
        uint64_t address = 0;
        char type = 0;
        std::string_view name;
        std::string_view module = "vmlinux";
    };

    static std::optional<Line> parse(std::string_view text);
    std::optional<Line> find(std::string_view module, std::string_view name) const;
    explicit SymbolNames(std::string text) : text_(std::move(text)) {}
    uint64_t next_address(uint64_t address) const;

    std::string text_;
    struct Range {
        uint64_t start = 0, end = 0;
    };
    std::optional<Range> per_cpu_; ///< empty: not yet looked for
};

} // namespace dt

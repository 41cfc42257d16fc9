// Kernel symbols by address and by name, from /proc/kallsyms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dcompiler/result.hpp"

namespace dt {

/// One reading of the kernel's symbol table. Costs about 50 ms and 10 MB for 120,000 symbols, so it is made when the first symbol is wanted.
class KernelSymbols {
public:
    struct Found {
        std::string_view module; ///< "vmlinux" for the core kernel
        std::string_view name;
        uint64_t offset = 0; ///< of the address from the start of the symbol
    };
    struct Definition {
        std::string_view module;
        uint64_t address = 0;
        uint64_t size = 0; ///< up to the next symbol: an upper bound
    };

    /// Reads the table. Fails when the file cannot be read or the kernel hides addresses, and says what to do.
    static Result<KernelSymbols> load(const char* path = "/proc/kallsyms");

    KernelSymbols(KernelSymbols&&) = default;
    KernelSymbols& operator=(KernelSymbols&&) = default;
    KernelSymbols(const KernelSymbols&) = delete;

    /// The symbol that covers an address; global symbols are preferred to local ones at the same address. Cost: a binary search.
    std::optional<Found> find(uint64_t address) const;

    /// A symbol by name; an empty module: the core kernel first, then the first module that has it.
    std::optional<Definition> lookup(std::string_view module, std::string_view name) const;

    std::size_t size() const { return entries_.size(); }

private:
    struct Entry {
        uint64_t address;
        std::string_view name;
        uint32_t module; ///< index into modules_
        uint32_t rank;   ///< lower is preferred at one address
    };

    KernelSymbols() = default;
    bool add_line(std::string_view line);
    uint32_t module_index(std::string_view name);
    void finish();

    std::vector<char> text_; ///< the file: names point into it (a vector keeps its memory when moved)
    std::vector<Entry> entries_; ///< by address
    std::vector<std::string_view> modules_{"vmlinux"};
    std::unordered_map<std::string_view, std::vector<uint32_t>> by_name_; ///< indices into entries_
};

} // namespace dt

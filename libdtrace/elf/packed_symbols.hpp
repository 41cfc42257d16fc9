// A compressed sorted symbol table, for callers that keep a table for months and rarely look up an address. This file
// also contains the rule that chooses the best of several names of one address.
//
// Function names are repetitive and addresses are close to each other. Compressed by zlib, the 122,000 symbols of a
// kernel take 0.9 MB instead of 8. A lookup unpacks one block in about 20 us and keeps it until another block is
// needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/packed_bytes.hpp"

namespace dt {

class PackedSymbols {
public:
    struct Symbol {
        uint64_t start = 0;
        uint16_t module = 0; ///< number by which the caller identifies the symbol's module
        std::string_view name;
        uint64_t size = 0;
    };

    /// Appends a symbol; addresses must not decrease.
    void add(const Symbol& symbol);
    /// Completes the table after the last add().
    void finish();

    bool empty() const { return blocks_.empty(); }
    std::size_t blocks() const { return blocks_.size(); }
    /// Returns the index of the only block that can contain the symbol at an address: blocks are sorted by address.
    /// Returns kNone if the address is before all blocks.
    static constexpr std::size_t kNone = SIZE_MAX;
    std::size_t block_of(uint64_t address) const;
    /// Returns the symbols of a block, followed by the first symbol of the next block. The result is valid until the
    /// next call.
    const std::vector<Symbol>& unpack(std::size_t block);

    /// Frees the memory of the unpacked block.
    void forget_unpacked();

    /// Returns the size of the table in memory, in bytes.
    std::size_t memory() const;

    /// Writes the finished table in a form that another process can read.
    void serialize(PackedWriter& to) const;
    /// Reads a table that another process has written. Lookups in an invalid table read no memory outside of it.
    static PackedSymbols deserialize(PackedReader& from);

private:
    struct Block {
        uint64_t first = 0; ///< address of the block's first symbol
        uint32_t size = 0;  ///< size of the unpacked block in bytes
        std::string packed;
    };
    void write(const Symbol& symbol);
    void write(uint64_t number);
    void pack();

    std::vector<Block> blocks_;
    /// The bytes of one unpacked block. While symbols are added, it is the block that is being filled; later, it is the
    /// block that was unpacked last.
    std::string text_;
    uint64_t last_ = 0;
    std::size_t count_ = 0, unpacked_ = kNone;
    std::vector<Symbol> symbols_;
};

// Chooses the best of several names of one address. The choice does not depend on the order in the symbol table.

/// Returns whether name `a` is better than `b`. A global symbol is better than a weak one, and a weak symbol is better
/// than a local one. If the bindings are equal, fewer leading underscores are better, then a shorter name, then the
/// alphabetically first name.
inline bool is_better_name(std::string_view a, int a_binding, std::string_view b, int b_binding)
{
    const auto underscores = [](std::string_view name) { return name.substr(0, name.find_first_not_of('_')).size(); };
    return std::make_tuple(a_binding, underscores(a), a.size(), a) <
           std::make_tuple(b_binding, underscores(b), b.size(), b);
}

} // namespace dt

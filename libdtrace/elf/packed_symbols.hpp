// A sorted table of symbols in little memory: for who keeps one for months and looks an address up now and then.
//
// Names of functions repeat each other, and addresses are near to the one before: packed by zlib, the 122,000 symbols
// of a kernel take 0.9 MB instead of 8. A look-up unpacks one block, some 20 us, which is kept until another is wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/packed_bytes.hpp"

namespace dt {

class PackedSymbols {
public:
    struct Symbol {
        uint64_t start = 0;
        uint16_t module = 0; ///< whatever the caller numbers
        std::string_view name;
        uint64_t size = 0;
    };

    /// In the order of their addresses.
    void add(const Symbol& symbol);
    /// After the last add().
    void finish();

    bool empty() const { return blocks_.empty(); }
    std::size_t blocks() const { return blocks_.size(); }
    /// The block in which an address would be; none: it is before all.
    static constexpr std::size_t kNone = SIZE_MAX;
    std::size_t block_of(uint64_t address) const;
    /// What is in a block, and behind it the first symbol of the next one. Valid until the next call.
    const std::vector<Symbol>& unpack(std::size_t block);

    /// Until the next call of unpack() nothing is unpacked.
    void forget_unpacked();

    /// Bytes.
    std::size_t memory() const;

    /// For another process, after finish().
    void tell(PackedWriter& to) const;
    /// What one has told. Whatever it is, nothing is looked up beyond it.
    static PackedSymbols told(PackedReader& from);

private:
    struct Block {
        uint64_t first = 0; ///< address
        uint32_t size = 0;  ///< unpacked
        std::string packed;
    };
    void write(const Symbol& symbol);
    void write(uint64_t number);
    void pack();

    std::vector<Block> blocks_;
    std::string text_; ///< of the block that is being filled, or was unpacked last
    uint64_t last_ = 0;
    std::size_t count_ = 0, unpacked_ = kNone;
    std::vector<Symbol> symbols_;
};

} // namespace dt

// Compresses symbol tables in blocks. A symbol is encoded as three variable-length numbers (seven bits per byte): the
// distance from the previous symbol, the size, and the module. The name and a NUL follow.
#include "libdtrace/elf/packed_symbols.hpp"

#include <zlib.h>

#include <algorithm>
#include <utility>

namespace dt {
namespace {

constexpr std::size_t kSymbolsOfBlock = 512;
constexpr std::size_t kMaxExpansion = 1040; // maximum factor by which zlib can expand compressed data

uint64_t number_at(const std::string& text, std::size_t& at)
{
    uint64_t number = 0;
    uint8_t part = 0;
    unsigned shift = 0;
    do {
        part = static_cast<uint8_t>(text[at++]);
        number |= uint64_t{part & 0x7fU} << shift;
        shift += 7;
    } while (part & 0x80);
    return number;
}

} // namespace

void PackedSymbols::write(uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        text_ += static_cast<char>(number | 0x80);
    text_ += static_cast<char>(number);
}

void PackedSymbols::write(const Symbol& symbol)
{
    write(symbol.start - last_);
    write(symbol.size);
    write(symbol.module);
    text_ += symbol.name;
    text_ += '\0';
    last_ = symbol.start;
}

void PackedSymbols::add(const Symbol& symbol)
{
    if (count_ == kSymbolsOfBlock) {
        write(symbol);
        pack();
    }
    if (count_++ == 0) {
        blocks_.push_back({symbol.start, 0, {}});
        last_ = 0;
    }
    write(symbol);
}

void PackedSymbols::pack()
{
    Block& block = blocks_.back();
    uLongf size = compressBound(text_.size());
    std::string packed(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(text_.data()),
                  text_.size(), Z_BEST_SPEED) == Z_OK)
        // If zlib cannot allocate memory, the block stays empty, and its symbols cannot be found
        block.packed.assign(packed, 0, size);
    block.size = static_cast<uint32_t>(text_.size());
    text_.clear();
    count_ = 0;
}

void PackedSymbols::finish()
{
    if (count_ != 0)
        pack();
    blocks_.shrink_to_fit();
    std::exchange(text_, {});
}

std::size_t PackedSymbols::block_of(uint64_t address) const
{
    const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), address,
                                        [](uint64_t value, const Block& block) { return value < block.first; });
    return after == blocks_.begin() ? kNone : static_cast<std::size_t>(after - blocks_.begin()) - 1;
}

const std::vector<PackedSymbols::Symbol>& PackedSymbols::unpack(std::size_t block)
{
    if (block == unpacked_)
        return symbols_;
    const Block& from = blocks_[block];
    unpacked_ = block;
    symbols_.clear();
    text_.resize(from.size);
    uLongf size = from.size;
    if (uncompress(reinterpret_cast<Bytef*>(text_.data()), &size, reinterpret_cast<const Bytef*>(from.packed.data()),
                   from.packed.size()) != Z_OK)
        return symbols_;
    Symbol symbol;
    for (std::size_t at = 0; at < text_.size();) {
        symbol.start += number_at(text_, at);
        symbol.size = number_at(text_, at);
        symbol.module = static_cast<uint16_t>(number_at(text_, at));
        symbol.name = text_.c_str() + at;
        at += symbol.name.size() + 1;
        symbols_.push_back(symbol);
    }
    return symbols_;
}

void PackedSymbols::forget_unpacked()
{
    std::exchange(symbols_, {});
    std::exchange(text_, {});
    unpacked_ = kNone;
}

void PackedSymbols::serialize(PackedWriter& to) const
{
    to.number(blocks_.size());
    for (const Block& block : blocks_) {
        to.number(block.first);
        to.number(block.size);
        to.text(block.packed);
    }
}

PackedSymbols PackedSymbols::deserialize(PackedReader& from)
{
    constexpr std::size_t kMin = 3; // minimum size of a serialized block in bytes
    PackedSymbols symbols;
    symbols.blocks_.resize(from.count(kMin));
    for (Block& block : symbols.blocks_) {
        block.first = from.number();
        block.size = static_cast<uint32_t>(from.number());
        block.packed = from.text();
        if (block.size > kMaxExpansion * block.packed.size())
            from.fail();
    }
    return from.good() ? std::move(symbols) : PackedSymbols();
}

std::size_t PackedSymbols::memory() const
{
    std::size_t bytes = blocks_.capacity() * sizeof(Block) + text_.capacity() + symbols_.capacity() * sizeof(Symbol);
    for (const Block& block : blocks_)
        bytes += block.packed.capacity();
    return bytes;
}

} // namespace dt

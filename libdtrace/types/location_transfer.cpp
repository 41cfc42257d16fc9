// Encodes locations of variables. The receiver validates every number, because a reader that was taken over by a
// malicious file may send anything.
#include "libdtrace/types/type_transfer.hpp"

#include <bit>

#include "machine/machine.hpp"

namespace dt {
namespace {

constexpr std::size_t kMaxSentPieces = 64;
constexpr unsigned kDeepestLocation = 64, kMaxSentNodes = 256;

void serialize_datum(const Location& where, PackedWriter& out)
{
    out.number(static_cast<uint64_t>(where.kind));
    out.number(where.index);
    out.number(static_cast<uint64_t>(where.offset));
    out.number(where.size);
    out.number(where.is_signed);
    out.number(where.of.size());
    for (const Location& part : where.of)
        serialize_datum(part, out);
}

/// Returns the number of locations on which a location of this kind depends, or nothing if a variable cannot have such
/// a location.
std::optional<std::size_t> parts_of(const Location& where)
{
    using Kind = Location::Kind;
    switch (where.kind) {
    case Kind::Register:
        return where.index < machine::native().saved.bytes / 8 ? std::optional<std::size_t>(0) : std::nullopt;
    case Kind::Constant:
    case Kind::ThreadPointer:
    case Kind::Unknown:
        return 0;
    case Kind::UserWord:
    case Kind::And:
        return 1;
    case Kind::ShiftRight:
        return where.offset >= 0 && where.offset < 64 ? std::optional<std::size_t>(1) : std::nullopt;
    case Kind::Add:
    case Kind::Subtract:
        return 2;
    case Kind::Select:
        return 3;
    case Kind::Compute:
        return where.index < Location::kComputations ? std::optional<std::size_t>(2) : std::nullopt;
    default:
        return {};
    }
}

Location read_datum(PackedReader& in, unsigned depth, unsigned& left)
{
    Location where;
    const uint64_t kind = in.number(), index = in.number();
    where.kind =
        static_cast<Location::Kind>(kind <= uint64_t{static_cast<uint8_t>(Location::Kind::Unknown)} ? kind : 0);
    where.index = static_cast<uint32_t>(index);
    where.offset = static_cast<int64_t>(in.number());
    const uint64_t size = in.number();
    where.size = static_cast<uint8_t>(size);
    where.is_signed = in.number() != 0;
    const std::size_t count = in.count();
    const auto parts = parts_of(where);
    if (index > UINT32_MAX || size > 8 || !std::has_single_bit(size) || parts != count || depth == kDeepestLocation ||
        left == 0) {
        in.fail();
        return {};
    }
    --left;
    for (std::size_t i = 0; i < count && in.good(); ++i)
        where.of.push_back(read_datum(in, depth + 1, left));
    return where;
}

} // namespace

void serialize_location(const VariableLocation& location, PackedWriter& out)
{
    out.number(location.pieces.size());
    for (const VariableLocation::Piece& piece : location.pieces) {
        out.number(piece.offset);
        out.number(piece.size);
        out.number(piece.is_address);
        serialize_datum(piece.at, out);
    }
    out.number(location.lost.size());
    for (const ByteRange& range : location.lost) {
        out.number(range.start);
        out.number(range.end);
    }
}

VariableLocation read_location(PackedReader& in)
{
    VariableLocation location;
    const std::size_t count = in.count(9, kMaxSentPieces);
    unsigned left = kMaxSentNodes;
    for (std::size_t i = 0; i < count && in.good(); ++i) {
        const uint64_t offset = in.number(), size = in.number();
        const bool is_address = in.number() != 0;
        if (offset > UINT32_MAX || size > UINT32_MAX || (!is_address && (size > 8 || !std::has_single_bit(size))))
            in.fail();
        location.pieces.push_back(
            {static_cast<uint32_t>(offset), static_cast<uint32_t>(size), is_address, read_datum(in, 0, left)});
    }
    const std::size_t gaps = in.count(2, kMaxSentPieces);
    for (std::size_t i = 0; i < gaps && in.good(); ++i) {
        const uint64_t start = in.number();
        location.lost.push_back({start, in.number()});
    }
    return location;
}

} // namespace dt

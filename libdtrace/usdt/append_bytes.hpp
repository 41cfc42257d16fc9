// Writing of the parts of object files: the bytes of plain values, one after the other.
#pragma once

#include <cstdint>
#include <vector>

namespace dt::usdt {

/// Appends the bytes of a plain value, in the byte order of this machine.
template <typename T> void append_bytes(std::vector<uint8_t>& bytes, const T& value)
{
    const auto* const first = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof value);
}

} // namespace dt::usdt

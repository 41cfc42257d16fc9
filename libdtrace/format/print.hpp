// Prints values without a format: for trace(), padded to the width of their type (dtrace-output(7), VALUES), and for
// aggregation keys. Also print() of whole objects, and plain text for tables.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "dcompiler/interface/types.hpp"
#include "libdtrace/format/text.hpp"
#include "libdtrace/format/value.hpp"

namespace dt::format {

/// Returns a datum's bytes as D defines them, for dumps. A string has strsize bytes and a NUL, even if fewer bytes were
/// stored.
std::vector<uint8_t> raw_bytes(const Environment& env, const Datum& datum, const uint8_t* data);

/// Appends a datum as trace(expr) prints it. The options quiet and rawbytes have an effect.
void append_traced(Text& out, const Environment& env, const Datum& datum, const uint8_t* data);

/// Appends a key as printed by printa() without a format and at exit.
void append_key(Text& out, const Environment& env, const Datum& datum, const uint8_t* key);

/// Appends a key without padding, for layouts that pad all keys together (agghist, aggpack).
void append_bare_key(Text& out, const Environment& env, const Datum& datum, const uint8_t* key);

/// Printed instead of a key for the value that expired keys have together (-x aggttl).
inline constexpr std::string_view kGoneKey = "gone";
/// Appends kGoneKey as append_key() would format a key.
void append_expired_key(Text& out, const Environment& env, const Datum& datum);

// Output of print(): an object formatted according to its type (dtrace-actions(7), print).

/// Appends the pointer, if given, and " = *", then the object of `type` with one line per member. `bytes` holds its
/// beginning; members beyond it were not recorded and print as "...". Character literals are escaped as in C, so that
/// each line is valid UTF-8. `escape` makes control characters of strings visible.
void append_printed(Text& out, std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes,
                    bool escape = false);

} // namespace dt::format

// Prints values as machine-readable text for cells and fields: decimal numbers without padding or quotes.

namespace dt::output {

/// Appends a value. Stack frames are separated by newlines, innermost first; bytes that are not text become hexadecimal
/// digits.
void append_plain(format::Text& out, const format::Environment& env, const Datum& datum, const uint8_t* data);

void append_plain_bytes(format::Text& out, std::span<const uint8_t> bytes);

} // namespace dt::output

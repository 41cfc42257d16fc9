// Prints values without a format: for trace(), padded to the width of their type (dtrace-output(7), VALUES), and for
// aggregation keys. Also prints whole objects for print(), and plain text for tables.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "dcompiler/interface/types.hpp"
#include "libdtrace/format/text.hpp"
#include "libdtrace/format/value.hpp"

namespace dt::format {

/// Returns the bytes of a datum in the size that its D type has, for hex dumps. For a string these are strsize bytes
/// and a NUL, even if fewer bytes were stored.
std::vector<uint8_t> raw_bytes(const Environment& env, const Datum& datum, const uint8_t* data);

/// Appends a datum in the form of trace(expr). Depends on the options quiet and rawbytes.
void append_traced(Text& out, const Environment& env, const Datum& datum, const uint8_t* data);

/// Appends a key in the form of printa() without a format; aggregations that are printed at exit have the same form.
void append_key(Text& out, const Environment& env, const Datum& datum, const uint8_t* key);

/// Appends a key without padding, for layouts that pad all keys to a common width (agghist, aggpack).
void append_bare_key(Text& out, const Environment& env, const Datum& datum, const uint8_t* key);

/// Text that is printed in place of a key, for the merged value of all expired keys (-x aggttl).
inline constexpr std::string_view kGoneKey = "gone";
/// Appends kGoneKey, formatted by the rules of append_key().
void append_expired_key(Text& out, const Environment& env, const Datum& datum);

// Output of print(): an object formatted according to its type (dtrace-actions(7), print).

/// Appends the pointer, if given, and " = *", then the object of `type` with one line per member. `bytes` contains the
/// recorded beginning of the object; members after it are printed as "...". Character literals are escaped as in C, so
/// that each line is valid UTF-8. If `escape` is set, control characters of strings are made visible.
void append_printed(Text& out, std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes,
                    bool escape = false);

} // namespace dt::format

// Prints values as machine-readable text, for table cells and fields: integers in decimal, without padding or quotes.

namespace dt::output {

/// Appends a value. Stack frames are separated by newlines, innermost first; bytes that are not text are printed in
/// hexadecimal.
void append_plain(format::Text& out, const format::Environment& env, const Datum& datum, const uint8_t* data);

void append_plain_bytes(format::Text& out, std::span<const uint8_t> bytes);

} // namespace dt::output

// trace(): a value without a format, padded to the width of its type (dtrace-output(7), VALUES); and the same value as
// a key of an aggregation.
#pragma once

#include <string_view>

#include "libdtrace/format/text.hpp"
#include "libdtrace/format/value.hpp"

namespace dt::format {

/// The bytes of a datum as D has them, for dumps: a string is strsize bytes and a NUL, however it was stored.
std::vector<uint8_t> raw_bytes(const Environment& env, const Datum& datum, const uint8_t* data);

/// What trace(expr) prints for one datum, with the options quiet and rawbytes as they are now.
void append_traced(Text& out, const Environment& env, const Datum& datum, const uint8_t* data);

/// What printa() without a format and the printing at exit show for one key.
void append_key(Text& out, const Environment& env, const Datum& datum, const uint8_t* key);

/// One key without padding, for the layouts that pad several keys together (agghist, aggpack).
void append_bare_key(Text& out, const Environment& env, const Datum& datum, const uint8_t* key);

/// What stands in place of a key of aggregations for all that fell silent (-x aggttl).
inline constexpr std::string_view kGoneKey = "gone";
/// As append_key() would show it.
void append_gone_key(Text& out, const Environment& env, const Datum& datum);

} // namespace dt::format

// Values without a format: those of trace(), padded to the width of their type (dtrace-output(7), VALUES), and
// aggregation keys.
#pragma once

#include <string_view>

#include "libdtrace/format/text.hpp"
#include "libdtrace/format/value.hpp"

namespace dt::format {

/// Returns a datum's bytes as D defines them, for dumps: a string has strsize bytes and a NUL, however it was stored.
std::vector<uint8_t> raw_bytes(const Environment& env, const Datum& datum, const uint8_t* data);

/// Appends a datum as trace(expr) prints it, with the current options quiet and rawbytes.
void append_traced(Text& out, const Environment& env, const Datum& datum, const uint8_t* data);

/// Appends a key as printed by printa() without a format and at exit.
void append_key(Text& out, const Environment& env, const Datum& datum, const uint8_t* key);

/// Appends a key without padding, for layouts that pad all keys together (agghist, aggpack).
void append_bare_key(Text& out, const Environment& env, const Datum& datum, const uint8_t* key);

/// Text that replaces the key of the merged expired keys (-x aggttl).
inline constexpr std::string_view kGoneKey = "gone";
/// Appends that text as append_key() would format it.
void append_gone_key(Text& out, const Environment& env, const Datum& datum);

} // namespace dt::format

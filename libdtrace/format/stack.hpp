// Stacks and symbolized addresses as text (reference 1.12).
#pragma once

#include <cstdint>
#include <string>

#include "libdtrace/format/text.hpp"
#include "libdtrace/format/value.hpp"

namespace dt::format {

/// A newline, then one line a frame, up to the first zero address: `indent` blanks and the frame under `layout`.
void append_stack(Text& out, const Environment& env, const Datum& datum, const uint8_t* data, std::size_t indent,
                  const Layout& layout = {});

/// The text of a Symbol or UserSymbol datum, in the form its action asks for.
std::string_view symbol_text(const Environment& env, const Datum& datum, const uint8_t* data);

/// The text of an address that is a plain integer: %a (kernel) and %A (user, in the target process), always with the offset.
std::string_view kernel_address_text(const Environment& env, uint64_t address);
std::string_view user_address_text(const Environment& env, uint64_t address);

} // namespace dt::format

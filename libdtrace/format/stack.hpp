// Stacks and symbolized addresses as text (dtrace-output(7), STACKS).
#pragma once

#include <cstdint>
#include <string>

#include "libdtrace/format/text.hpp"
#include "libdtrace/format/value.hpp"

namespace dt::format {

/// A newline, then one line a frame, up to the first zero address: `indent` blanks and the frame under `layout`.
void append_stack(Text& out, const Environment& env, const Datum& datum, const uint8_t* data, std::size_t indent,
                  const Layout& layout = {});

/// Hands each address of a stack, innermost first, up to the first zero, to `handle(int64_t pid, uint64_t address,
/// Symbols::Use use)`; pid 0: the kernel's.
template <typename Handle> void for_each_address(const Datum& datum, const uint8_t* data, Handle handle)
{
    const uint8_t* at = data + datum.offset;
    const uint8_t* end = at + datum.size / 8 * 8;
    const bool has_pid = datum.kind == Datum::Kind::UserStack;
    const int64_t pid = has_pid ? load<int64_t>(at) : 0; // a stack value may be a kernel stack
    auto use = Symbols::Use::Exact;                      // the innermost; the others return to their callers
    for (at += has_pid ? 8 : 0; at < end; at += 8) {
        const auto address = load<uint64_t>(at);
        if (address == 0)
            return;
        handle(pid, address, use);
        use = Symbols::Use::Return;
    }
}

/// Hands the text of each frame, those of inlined functions too where lines are wanted, innermost first, to
/// `handle(std::string_view)`.
template <typename Handle>
void for_each_frame(const Environment& env, const Datum& datum, const uint8_t* data, Datum::Address form, Handle handle)
{
    for_each_address(datum, data, [&](int64_t pid, uint64_t pc, Symbols::Use use) {
        if (pid != 0 && !env.options.noresolve)
            for (const std::string& inlined : env.symbols.inlined(pid, pc, form, use))
                handle(inlined);
        handle(pid != 0 ? env.symbols.user(pid, pc, form, env.options.noresolve, use)
                        : env.symbols.kernel(pc, form, use));
    });
}

/// The text of a Symbol or UserSymbol datum, in the form its action asks for.
std::string_view symbol_text(const Environment& env, const Datum& datum, const uint8_t* data);

/// The text of an address that is a plain integer: %a (kernel) and %A (user, in the target process), always with the
/// offset.
std::string_view kernel_address_text(const Environment& env, uint64_t address);
std::string_view user_address_text(const Environment& env, uint64_t address);

} // namespace dt::format

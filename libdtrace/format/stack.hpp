// Prints stacks and single addresses as symbols (dtrace-output(7), STACKS).
#pragma once

#include <cstdint>
#include <string>

#include "libdtrace/format/text.hpp"
#include "libdtrace/format/value.hpp"

namespace dt::format {

/// Appends a newline, then one line per frame up to the first zero address. A line consists of `indent` blanks and the
/// frame, formatted by `layout`.
void append_stack(Text& out, const Environment& env, const Datum& datum, const uint8_t* data, std::size_t indent,
                  const Layout& layout = {});

/// Calls `handle(int64_t pid, uint64_t address, Symbols::Use use)` for each address of a stack, innermost first, up to
/// the first zero. For kernel addresses, `pid` is 0.
template <typename Handle> void for_each_address(const Datum& datum, const uint8_t* data, Handle handle)
{
    const uint8_t* at = data + datum.offset;
    const uint8_t* end = at + datum.size / 8 * 8;
    const bool has_pid = datum.kind == Datum::Kind::UserStack;
    const int64_t pid = has_pid ? load<int64_t>(at) : 0; // id of the stack's process; 0 for a kernel stack
    // The innermost address is that of an instruction; all other addresses are return addresses.
    auto use = Symbols::Use::Exact;
    for (at += has_pid ? 8 : 0; at < end; at += 8) {
        const auto address = load<uint64_t>(at);
        if (address == 0)
            return;
        handle(pid, address, use);
        use = Symbols::Use::Return;
    }
}

/// Calls `handle(std::string_view)` with the text of each frame, innermost first. If source lines are enabled, inlined
/// functions have frames too.
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

/// Returns the text of a Symbol or UserSymbol datum, in the form that the D action requests.
std::string_view symbol_text(const Environment& env, const Datum& datum, const uint8_t* data);

/// kernel_address_text() returns the text of a kernel address, for %a. user_address_text() returns the text of an
/// address in the target process, for %A. Both texts always include the offset.
std::string_view kernel_address_text(const Environment& env, uint64_t address);
std::string_view user_address_text(const Environment& env, uint64_t address);

} // namespace dt::format

// Prints the symbols of stack frames and of single addresses.
#include "libdtrace/format/stack.hpp"

namespace dt::format {

void append_stack(Text& out, const Environment& env, const Datum& datum, const uint8_t* data, std::size_t indent,
                  const Layout& layout)
{
    out.append('\n');
    for_each_frame(env, datum, data, Symbols::Form::Exact, [&](std::string_view frame) {
        out.fill(' ', indent);
        append_text(out, layout, shown(env, frame));
        out.append('\n');
    });
}

std::string_view symbol_text(const Environment& env, const Datum& datum, const uint8_t* data)
{
    const uint8_t* at = data + datum.offset;
    if (datum.kind == Datum::Kind::UserSymbol)
        return env.symbols.user(load<int64_t>(at), load<uint64_t>(at + 8), form_of(datum, at), env.options.noresolve);
    return env.symbols.kernel(load<uint64_t>(at), form_of(datum, at));
}

std::string_view kernel_address_text(const Environment& env, uint64_t address)
{
    return env.symbols.kernel(address, Symbols::Form::Exact);
}

std::string_view user_address_text(const Environment& env, uint64_t address)
{
    return env.symbols.user(env.target, address, Symbols::Form::Exact, env.options.noresolve);
}

} // namespace dt::format

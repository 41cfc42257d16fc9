// Fuzz target: untrusted USDT data: probe descriptions in the formats DOF and ELF note, and the operand texts in notes.
//
// The first byte of the input chooses the kind of data. For DOF, the input is a list of changes (pairs of an offset and
// a byte) to a valid description. For notes and operands, the input is the data itself.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "libdtrace/usdt/dof.hpp"
#include "libdtrace/usdt/notes.hpp"

namespace {

std::vector<uint8_t> good_description()
{
    dt::DefinedProvider provider;
    provider.name = "shop";
    return dt::usdt::make_dof(
               provider, {{"shop", "sale", "sell", {4, 9}, {2}, {"int", "const char *"}, {"char *", "int"}, {1, 0}},
                          {"shop", "close-day", "main", {}, {7}, {}, {}, {}}})
        .bytes;
}

void read_description(std::span<const uint8_t> changes)
{
    std::vector<uint8_t> bytes = good_description();
    for (; changes.size() >= 3; changes = changes.subspan(3))
        bytes[(changes[0] << 8 | changes[1]) % bytes.size()] = changes[2];
    const auto probes = dt::usdt::read_dof(bytes);
    if (!probes)
        return;
    for (const dt::usdt::DofProbe& probe : probes.value())
        for (const uint8_t from : probe.mapping)
            if (from >= probe.native.size() || probe.mapping.size() != probe.translated.size())
                abort(); // checks that accepted data is consistent
}

void read_arguments(std::string_view text)
{
    for (const dt::machine::Machine* const machine : dt::machine::all())
        for (const dt::usdt::NoteArgument& argument : dt::usdt::read_operands(text, *machine))
            if (argument.unreadable.empty() == (argument.where.kind == dt::Location::Kind::Zero))
                abort(); // each argument must be available or have a reason why it is not
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size == 0)
        return 0;
    const std::span<const uint8_t> rest(data + 1, size - 1);
    if (data[0] % 3 == 0)
        read_description(rest);
    else if (data[0] % 3 == 1)
        for (const dt::usdt::Note& note : dt::usdt::read_notes(rest, size))
            read_arguments(note.arguments);
    else
        read_arguments({reinterpret_cast<const char*>(rest.data()), rest.size()});
    return 0;
}

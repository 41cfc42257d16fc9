// Parses notes (format: elf(5), "Notes"). SystemTap's have owner "stapsdt", type 3, three addresses and three texts.
// Notes of -G have owner "dtrace", type 1, an address, provider and probe.
#include "libdtrace/usdt/notes.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "dcompiler/sema/probe_names.hpp"
#include "libdtrace/usdt/append_bytes.hpp"

namespace dt::usdt {
namespace {

constexpr std::string_view kOwner{"stapsdt\0", 8}, kCounterOwner{"dtrace\0", 7};
constexpr uint32_t kType = 3, kCounterType = 1;

struct NoteHeader {
    uint32_t owner_size, description_size, type;
};

uint64_t aligned(uint64_t size)
{
    return (size + 3) / 4 * 4;
}

/// Reads `addresses.size()` words and `texts.size()` texts. Returns false if the description is truncated.
bool read_parts(std::string_view description, std::span<uint64_t> addresses, std::span<std::string> texts)
{
    if (description.size() < addresses.size_bytes())
        return false;
    std::memcpy(addresses.data(), description.data(), addresses.size_bytes());
    description.remove_prefix(addresses.size_bytes());
    for (std::string& each : texts) {
        const std::size_t end = description.find('\0');
        if (end == std::string_view::npos)
            return false;
        each = description.substr(0, end);
        description.remove_prefix(end + 1);
    }
    return !texts[0].empty() && !texts[1].empty();
}

/// Calls `take` with the description of every note of an owner and type.
template <typename Take>
void for_each_note(std::span<const uint8_t> section, std::string_view owner, uint32_t type, Take take)
{
    while (section.size() > sizeof(NoteHeader)) {
        NoteHeader header;
        std::memcpy(&header, section.data(), sizeof header);
        section = section.subspan(sizeof header);
        const uint64_t before = aligned(header.owner_size), whole = before + aligned(header.description_size);
        if (before + header.description_size > section.size())
            break;
        const std::string_view bytes(reinterpret_cast<const char*>(section.data()), section.size());
        if (header.type == type && bytes.substr(0, header.owner_size) == owner)
            take(bytes.substr(before, header.description_size));
        section = section.subspan(std::min<uint64_t>(whole, section.size()));
    }
}

} // namespace

std::vector<Note> read_notes(std::span<const uint8_t> section, uint64_t base)
{
    std::vector<Note> found;
    for_each_note(section, kOwner, kType, [&](std::string_view description) {
        uint64_t addresses[3];
        std::string texts[3];
        if (!read_parts(description, addresses, texts))
            return;
        const uint64_t moved = base != 0 ? base - addresses[1] : 0;
        found.push_back(
            {addresses[0] + moved, addresses[2] != 0 ? addresses[2] + moved : 0, texts[0], dashed(texts[1]), texts[2]});
    });
    return found;
}

std::size_t add_counter_note(std::vector<uint8_t>& section, const std::string& provider, const std::string& probe)
{
    const std::size_t size = sizeof(uint64_t) + provider.size() + probe.size() + 2;
    append_bytes(section, NoteHeader{kCounterOwner.size(), static_cast<uint32_t>(size), kCounterType});
    section.insert(section.end(), kCounterOwner.begin(), kCounterOwner.end());
    section.resize(aligned(section.size()));
    const std::size_t address = section.size();
    append_bytes(section, uint64_t{0});
    for (const std::string& text : {provider, probe})
        section.insert(section.end(), text.c_str(), text.c_str() + text.size() + 1);
    section.resize(aligned(section.size()));
    return address;
}

std::vector<CounterNote> read_counter_notes(std::span<const uint8_t> section)
{
    std::vector<CounterNote> found;
    for_each_note(section, kCounterOwner, kCounterType, [&](std::string_view description) {
        uint64_t address[1];
        std::string texts[2];
        if (read_parts(description, address, texts))
            found.push_back({address[0], texts[0], texts[1]});
    });
    return found;
}

} // namespace dt::usdt

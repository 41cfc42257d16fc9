// The format: elf(5), "Notes"; owner "stapsdt", type 3; three addresses and three texts.
#include "libdtrace/usdt/notes.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "dcompiler/sema/probe_names.hpp"

namespace dt::usdt {
namespace {

constexpr std::string_view kOwner{"stapsdt\0", 8};
constexpr uint32_t kType = 3;

struct NoteHeader {
    uint32_t owner_size, description_size, type;
};

uint64_t aligned(uint64_t size)
{
    return (size + 3) / 4 * 4;
}

std::optional<Note> read_description(std::string_view text, uint64_t base)
{
    uint64_t addresses[3];
    if (text.size() < sizeof addresses)
        return std::nullopt;
    std::memcpy(addresses, text.data(), sizeof addresses);
    text.remove_prefix(sizeof addresses);
    std::string texts[3];
    for (std::string& each : texts) {
        const std::size_t end = text.find('\0');
        if (end == std::string_view::npos)
            return std::nullopt;
        each = text.substr(0, end);
        text.remove_prefix(end + 1);
    }
    if (texts[0].empty() || texts[1].empty())
        return std::nullopt;
    const uint64_t moved = base != 0 ? base - addresses[1] : 0;
    return Note{addresses[0] + moved, addresses[2] != 0 ? addresses[2] + moved : 0, texts[0], dashed(texts[1]),
                texts[2]};
}

} // namespace

std::vector<Note> read_notes(std::span<const uint8_t> section, uint64_t base)
{
    std::vector<Note> found;
    while (section.size() > sizeof(NoteHeader)) {
        NoteHeader header;
        std::memcpy(&header, section.data(), sizeof header);
        section = section.subspan(sizeof header);
        const uint64_t owner = aligned(header.owner_size), whole = owner + aligned(header.description_size);
        if (owner + header.description_size > section.size())
            break;
        const std::string_view bytes(reinterpret_cast<const char*>(section.data()), section.size());
        if (header.type == kType && bytes.substr(0, header.owner_size) == kOwner)
            if (auto note = read_description(bytes.substr(owner, header.description_size), base))
                found.push_back(std::move(*note));
        section = section.subspan(std::min<uint64_t>(whole, section.size()));
    }
    return found;
}

} // namespace dt::usdt

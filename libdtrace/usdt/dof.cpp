// Parses untrusted DOF.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "libdtrace/usdt/dof.hpp"
#include "libdtrace/usdt/dof_layout.hpp"

namespace dt::usdt {
namespace {

using Bytes = std::span<const uint8_t>;

/// Thrown and caught only in this file: a description has many offsets, and each may be invalid.
struct Wrong {
    const char* what;
};

template <typename T> T at(Bytes bytes, uint64_t offset)
{
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
        throw Wrong{"something in it leads out of it"};
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

Bytes part(Bytes bytes, uint64_t offset, uint64_t size)
{
    if (offset > bytes.size() || size > bytes.size() - offset)
        throw Wrong{"a section leads out of it"};
    return bytes.subspan(offset, size);
}

/// Limits the size of the results in proportion to the description, because records may refer to the same strings and
/// sites repeatedly.
class Budget {
public:
    explicit Budget(std::size_t size) : left_(kMostTimes * size) {}
    void spend(std::size_t bytes)
    {
        if (bytes > left_)
            throw Wrong{"it says the same too many times"};
        left_ -= bytes;
    }

private:
    static constexpr std::size_t kMostTimes = 16;
    std::size_t left_;
};

std::string text(Bytes strings, uint32_t offset)
{
    if (offset >= strings.size())
        throw Wrong{"a name leads out of it"};
    const auto first = strings.begin() + offset;
    const auto end = std::find(first, strings.end(), 0);
    if (end == strings.end())
        throw Wrong{"a name has no end"};
    return {first, end};
}

class Reader {
public:
    explicit Reader(Bytes dof) : dof_(dof), header_(at<layout::Header>(dof, 0)), budget_(dof.size())
    {
        if (header_.model != layout::kLp64 || header_.encoding != layout::kLittleEndian || header_.version < 1 ||
            header_.version > 3)
            throw Wrong{"it is of another machine or version"};
        if (header_.section_size != sizeof(layout::Section))
            throw Wrong{"its sections have another size"};
    }

    void read(std::vector<DofProbe>& found)
    {
        for (uint32_t i = 0; i < header_.sections; ++i) {
            const auto section = this->section(i);
            if (section.type == layout::kProvider)
                read_provider(contents(section), found);
        }
    }

private:
    layout::Section section(uint32_t index) const
    {
        if (index >= header_.sections)
            throw Wrong{"there is no such section"};
        return at<layout::Section>(dof_, header_.section_offset + uint64_t{index} * sizeof(layout::Section));
    }

    Bytes contents(const layout::Section& section) const { return part(dof_, section.offset, section.size); }

    Bytes contents(uint32_t index, uint32_t type) const
    {
        const auto section = this->section(index);
        if (section.type != type)
            throw Wrong{"a section is of another type"};
        return contents(section);
    }

    std::vector<uint64_t> addresses(Bytes offsets, uint32_t first, uint16_t count, uint64_t function)
    {
        budget_.spend(std::size_t{count} * sizeof(uint64_t));
        std::vector<uint64_t> result;
        for (uint32_t i = 0; i < count; ++i)
            result.push_back(function + at<uint32_t>(offsets, (uint64_t{first} + i) * sizeof(uint32_t)));
        return result;
    }

    std::vector<std::string> texts(Bytes strings, uint32_t first, uint8_t count)
    {
        std::vector<std::string> result;
        for (uint8_t i = 0; i < count; ++i) {
            result.push_back(name(strings, first));
            first += static_cast<uint32_t>(result.back().size()) + 1;
        }
        return result;
    }

    std::string name(Bytes strings, uint32_t offset)
    {
        std::string found = text(strings, offset);
        budget_.spend(found.size() + 1);
        return found;
    }

    void read_provider(Bytes bytes, std::vector<DofProbe>& found)
    {
        layout::Provider provider{}; // version 1 lacks the last member
        const std::size_t size = header_.version == 1 ? offsetof(layout::Provider, asking_offsets) : sizeof provider;
        std::memcpy(&provider, part(bytes, 0, size).data(), size);
        const Bytes strings = contents(provider.strings, layout::kStrings),
                    probes = contents(provider.probes, layout::kProbes);
        const Bytes arguments = optional(provider.arguments, layout::kArguments),
                    offsets = optional(provider.offsets, layout::kOffsets);
        const Bytes asking = header_.version == 1 ? Bytes{} : optional(provider.asking_offsets, layout::kAskingOffsets);
        for (uint64_t offset = 0; offset + sizeof(layout::Probe) <= probes.size(); offset += sizeof(layout::Probe)) {
            const auto record = at<layout::Probe>(probes, offset);
            DofProbe probe;
            probe.provider = name(strings, provider.name);
            probe.probe = name(strings, record.name);
            probe.function = name(strings, record.function);
            probe.native = texts(strings, record.native, record.native_count);
            probe.translated = texts(strings, record.translated, record.translated_count);
            const Bytes mapping = part(arguments, record.argument, record.translated_count);
            probe.mapping.assign(mapping.begin(), mapping.end());
            if (std::any_of(mapping.begin(), mapping.end(), [&](uint8_t from) { return from >= record.native_count; }))
                throw Wrong{"an argument is made of one that there is not"};
            probe.sites = addresses(offsets, record.offset, record.offset_count, record.address);
            probe.asking = addresses(asking, record.asking_offset, record.asking_count, record.address);
            found.push_back(std::move(probe));
        }
    }

    /// Returns a section's contents. A provider without arguments or sites may refer to no section, or to an empty one.
    Bytes optional(uint32_t index, uint32_t type) const
    {
        return index == 0 || index >= header_.sections ? Bytes{} : contents(index, type);
    }

    Bytes dof_;
    layout::Header header_;
    Budget budget_;
};

} // namespace

Result<std::vector<DofProbe>> read_dof(std::span<const uint8_t> section)
{
    std::vector<DofProbe> found;
    try {
        while (section.size() >= sizeof(layout::Header)) {
            const auto header = at<layout::Header>(section, 0);
            if (!std::equal(std::begin(layout::kMagic), std::end(layout::kMagic), header.magic)) {
                section = section.subspan(8); // padding by the linker
                continue;
            }
            const Bytes dof = part(section, 0, header.file_size);
            Reader(dof).read(found);
            section = section.subspan(std::max<std::size_t>(dof.size() / 8 * 8, sizeof header));
        }
    } catch (const Wrong& wrong) {
        return Error{std::string("the description of its probes (") + kDofSection + ") is damaged: " + wrong.what};
    }
    return found;
}

} // namespace dt::usdt

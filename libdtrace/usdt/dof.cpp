// Parses untrusted DOF, and encodes providers and their probe sites as DOF.
#include "libdtrace/usdt/dof.hpp"

#include <algorithm>
#include <cstring>

#include "libdtrace/usdt/object_writer.hpp"

// The structures of the DOF format, as they are stored in a file.

namespace dt::usdt::layout {

struct Header {
    uint8_t magic[4]; ///< magic number: 0x7f 'D' 'O' 'F'
    uint8_t model;    ///< data model; 2: LP64
    uint8_t encoding; ///< byte order; 1: little-endian
    uint8_t version;  ///< version 2 also describes sites that query whether a probe is enabled
    uint8_t dif_version, integer_registers, tuple_registers, pad[6];
    uint32_t flags, header_size, section_size, sections;
    uint64_t section_offset, load_size, file_size, reserved;
};
static_assert(sizeof(Header) == 64);

struct Section {
    uint32_t type, align, flags, entry_size;
    uint64_t offset, size;
};
static_assert(sizeof(Section) == 32);

struct Provider {
    /// Indexes of the sections with strings, probes, arguments and offsets.
    uint32_t strings, probes, arguments, offsets;
    uint32_t name;
    uint32_t attributes[5]; ///< stability of provider, module, function, name, arguments
    uint32_t asking_offsets;
};
static_assert(sizeof(Provider) == 44);

struct Probe {
    uint64_t address;
    /// Offsets in the string table. `native` is the offset of the first of `native_count` consecutive type names, and
    /// `translated` is the offset of the first of `translated_count` type names.
    uint32_t function, name, native, translated;
    /// Index of the probe's first element in the argument map, and index of the probe's first element in the list of
    /// offsets.
    uint32_t argument, offset;
    uint8_t native_count, translated_count;
    uint16_t offset_count;
    uint32_t asking_offset;
    uint16_t asking_count, pad;
    uint32_t pad2;
};
static_assert(sizeof(Probe) == 48);

inline constexpr uint8_t kMagic[4] = {0x7f, 'D', 'O', 'F'};
inline constexpr uint8_t kLp64 = 2, kLittleEndian = 1, kVersion = 2;
inline constexpr uint32_t kStrings = 8, kProvider = 15, kProbes = 16, kArguments = 17, kOffsets = 18,
                          kAskingOffsets = 26;
inline constexpr uint32_t kLoaded = 1; ///< flag of a DOF section that is loaded at run time

} // namespace dt::usdt::layout

// Reads DOF. Each offset and each index is checked.

namespace dt::usdt {
namespace {

using Bytes = std::span<const uint8_t>;

/// Error in a DOF description. The functions of this file throw it if one of the many offsets is invalid, and
/// read_dof() catches it.
struct Wrong {
    const char* what;
};

template <typename T> T at(Bytes bytes, uint64_t offset)
{
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
        throw Wrong{"an offset points outside of it"};
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

Bytes part(Bytes bytes, uint64_t offset, uint64_t size)
{
    if (offset > bytes.size() || size > bytes.size() - offset)
        throw Wrong{"a section extends outside of it"};
    return bytes.subspan(offset, size);
}

/// Limits the size of the decoded data to a multiple of the description's size. Without this limit, a small description
/// could yield very large data by referring to the same strings and sites many times.
class SizeBudget {
public:
    explicit SizeBudget(std::size_t size) : left_(kMaxTimes * size) {}
    void spend(std::size_t bytes)
    {
        if (bytes > left_)
            throw Wrong{"it refers to the same strings or sites too many times"};
        left_ -= bytes;
    }

private:
    static constexpr std::size_t kMaxTimes = 16;
    std::size_t left_;
};

std::string text(Bytes strings, uint32_t offset)
{
    if (offset >= strings.size())
        throw Wrong{"a name is outside of it"};
    const auto first = strings.begin() + offset;
    const auto end = std::find(first, strings.end(), 0);
    if (end == strings.end())
        throw Wrong{"a name is not terminated"};
    return {first, end};
}

class Reader {
public:
    explicit Reader(Bytes dof) : dof_(dof), header_(at<layout::Header>(dof, 0)), budget_(dof.size())
    {
        if (header_.model != layout::kLp64 || header_.encoding != layout::kLittleEndian || header_.version < 1 ||
            header_.version > 3)
            throw Wrong{"it is for another machine or version"};
        if (header_.section_size != sizeof(layout::Section))
            throw Wrong{"its section headers have the wrong size"};
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
            throw Wrong{"it refers to a section that does not exist"};
        return at<layout::Section>(dof_, header_.section_offset + uint64_t{index} * sizeof(layout::Section));
    }

    Bytes contents(const layout::Section& section) const { return part(dof_, section.offset, section.size); }

    Bytes contents(uint32_t index, uint32_t type) const
    {
        const auto section = this->section(index);
        if (section.type != type)
            throw Wrong{"a section has the wrong type"};
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
        layout::Provider provider{}; // zeroed, because version 1 of the format does not store the last member
        const std::size_t size = header_.version == 1 ? offsetof(layout::Provider, asking_offsets) : sizeof provider;
        std::memcpy(&provider, part(bytes, 0, size).data(), size);
        const Bytes strings = contents(provider.strings, layout::kStrings),
                    probes = contents(provider.probes, layout::kProbes);
        const Bytes arguments = optional(provider.arguments, layout::kArguments),
                    offsets = optional(provider.offsets, layout::kOffsets);
        const Bytes is_enabled_sites =
            header_.version == 1 ? Bytes{} : optional(provider.asking_offsets, layout::kAskingOffsets);
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
                throw Wrong{"a translated argument refers to a missing native argument"};
            probe.sites = addresses(offsets, record.offset, record.offset_count, record.address);
            probe.is_enabled_sites =
                addresses(is_enabled_sites, record.asking_offset, record.asking_count, record.address);
            found.push_back(std::move(probe));
        }
    }

    /// Returns a section's contents, or an empty range for section index 0. A provider without arguments or sites may
    /// refer to section 0 or to an empty section.
    Bytes optional(uint32_t index, uint32_t type) const
    {
        return index == 0 || index >= header_.sections ? Bytes{} : contents(index, type);
    }

    Bytes dof_;
    layout::Header header_;
    SizeBudget budget_;
};

} // namespace

Result<std::vector<DofProbe>> read_dof(std::span<const uint8_t> section)
{
    std::vector<DofProbe> found;
    try {
        while (section.size() >= sizeof(layout::Header)) {
            const auto header = at<layout::Header>(section, 0);
            if (!std::equal(std::begin(layout::kMagic), std::end(layout::kMagic), header.magic)) {
                section = section.subspan(8); // skips the linker's padding
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

// Encodes a provider and its probe sites as DOF.

namespace {

uint32_t packed(const Attributes& attributes)
{
    return uint32_t(attributes.name) << 24 | uint32_t(attributes.data) << 16 | uint32_t(attributes.dependency) << 8;
}

class Writer {
public:
    Dof write(const DefinedProvider& provider, const std::vector<DofProbe>& probes)
    {
        for (const DofProbe& probe : probes)
            add(probe);
        layout::Provider record{};
        record.strings = kStringsAt;
        record.probes = kProbesAt;
        record.arguments = kArgumentsAt;
        record.offsets = kOffsetsAt;
        record.asking_offsets = kAskingAt;
        record.name = string(provider.name);
        const ProviderAttributes& attributes = provider.attributes;
        const Attributes* const each[] = {&attributes.provider, &attributes.module, &attributes.function,
                                          &attributes.name, &attributes.args};
        std::transform(std::begin(each), std::end(each), record.attributes,
                       [](const Attributes* one) { return packed(*one); });
        append_bytes(sections_[kProviderAt].bytes, record);
        return join(probes.size());
    }

private:
    enum At : uint32_t { kStringsAt, kArgumentsAt, kOffsetsAt, kAskingAt, kProbesAt, kProviderAt, kSections };

    struct Part {
        uint32_t type, align, entry_size;
        std::vector<uint8_t> bytes;
    };

    uint32_t string(const std::string& text)
    {
        std::vector<uint8_t>& strings = sections_[kStringsAt].bytes;
        const auto at = static_cast<uint32_t>(strings.size());
        strings.insert(strings.end(), text.begin(), text.end());
        strings.push_back(0);
        return at;
    }

    /// Appends strings to the string table and returns the offset of the first one.
    uint32_t strings(const std::vector<std::string>& texts)
    {
        const auto first = static_cast<uint32_t>(sections_[kStringsAt].bytes.size());
        for (const std::string& text : texts)
            string(text);
        return texts.empty() ? 0 : first;
    }

    uint32_t offsets(At part, const std::vector<uint64_t>& sites)
    {
        std::vector<uint8_t>& bytes = sections_[part].bytes;
        const auto first = static_cast<uint32_t>(bytes.size() / sizeof(uint32_t));
        for (const uint64_t site : sites)
            append_bytes(bytes, static_cast<uint32_t>(site));
        return first;
    }

    void add(const DofProbe& probe)
    {
        layout::Probe record{};
        record.function = string(probe.function);
        record.name = string(probe.probe);
        record.native = strings(probe.native);
        record.translated = strings(probe.translated);
        record.native_count = static_cast<uint8_t>(probe.native.size());
        record.translated_count = static_cast<uint8_t>(probe.translated.size());
        std::vector<uint8_t>& arguments = sections_[kArgumentsAt].bytes;
        record.argument = static_cast<uint32_t>(arguments.size());
        arguments.insert(arguments.end(), probe.mapping.begin(), probe.mapping.end());
        record.offset = offsets(kOffsetsAt, probe.sites);
        record.offset_count = static_cast<uint16_t>(probe.sites.size());
        record.asking_offset = offsets(kAskingAt, probe.is_enabled_sites);
        record.asking_count = static_cast<uint16_t>(probe.is_enabled_sites.size());
        append_bytes(sections_[kProbesAt].bytes, record);
    }

    Dof join(std::size_t probes)
    {
        Dof dof;
        layout::Header header{};
        std::copy(std::begin(layout::kMagic), std::end(layout::kMagic), header.magic);
        header.model = layout::kLp64;
        header.encoding = layout::kLittleEndian;
        header.version = layout::kVersion;
        header.header_size = sizeof(layout::Header);
        header.section_size = sizeof(layout::Section);
        header.sections = kSections;
        header.section_offset = sizeof(layout::Header);
        std::vector<uint8_t> table, contents;
        for (const Part& part : sections_) {
            constexpr std::size_t start = sizeof(layout::Header) + kSections * sizeof(layout::Section);
            contents.resize((contents.size() + 7) / 8 * 8);
            append_bytes(table, layout::Section{part.type, part.align, layout::kLoaded, part.entry_size,
                                                start + contents.size(), part.bytes.size()});
            if (part.type == layout::kProbes)
                for (std::size_t i = 0; i < probes; ++i)
                    dof.addresses.push_back(start + contents.size() + i * sizeof(layout::Probe));
            contents.insert(contents.end(), part.bytes.begin(), part.bytes.end());
        }
        contents.resize((contents.size() + 7) / 8 * 8);
        header.load_size = header.file_size = sizeof header + table.size() + contents.size();
        append_bytes(dof.bytes, header);
        dof.bytes.insert(dof.bytes.end(), table.begin(), table.end());
        dof.bytes.insert(dof.bytes.end(), contents.begin(), contents.end());
        return dof;
    }

    Part sections_[kSections] = {
        {layout::kStrings, 1, 0, {0}},
        {layout::kArguments, 1, 1, {}},
        {layout::kOffsets, 4, 4, {}},
        {layout::kAskingOffsets, 4, 4, {}},
        {layout::kProbes, 8, sizeof(layout::Probe), {}},
        {layout::kProvider, 4, sizeof(layout::Provider), {}},
    };
};

} // namespace

Dof make_dof(const DefinedProvider& provider, const std::vector<DofProbe>& probes)
{
    return Writer().write(provider, probes);
}

} // namespace dt::usdt

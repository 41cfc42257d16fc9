// Encodes a provider and its sites as DOF.
#include <algorithm>
#include <cstring>

#include "libdtrace/usdt/dof.hpp"
#include "libdtrace/usdt/append_bytes.hpp"
#include "libdtrace/usdt/dof_layout.hpp"

namespace dt::usdt {
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

    /// Appends strings and returns the offset of the first.
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
        record.asking_offset = offsets(kAskingAt, probe.asking);
        record.asking_count = static_cast<uint16_t>(probe.asking.size());
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

// A part begins with the line "dtrace-bundle VERSION KIND SIZE STORED CRC32[ FACTS]": the original size, the size
// compressed by zlib, and the checksum of the compressed bytes.
#include "libdtrace/trace/bundle.hpp"

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/base64.hpp"
#include "dcompiler/object/archive.hpp"

namespace dt {
namespace {

constexpr std::string_view kBundleMark = "dtrace-bundle ";
constexpr uint64_t kBundleVersion = 1;
constexpr uint64_t kMostUnpacked = 64 << 20;
constexpr std::string_view kTypedPart = "program", kVariantPart = "variant";

uint32_t bundle_checksum(std::string_view bytes)
{
    return static_cast<uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

std::string part(std::string_view kind, std::string_view bytes, std::string_view facts)
{
    std::string stored(compressBound(bytes.size()), '\0');
    uLongf size = stored.size();
    compress2(reinterpret_cast<Bytef*>(stored.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
              bytes.size(), Z_BEST_COMPRESSION);
    stored.resize(size);
    char crc[16];
    std::snprintf(crc, sizeof crc, "%08x", bundle_checksum(stored));
    return std::string(kBundleMark) + std::to_string(kBundleVersion) + " " + std::string(kind) + " " +
           std::to_string(bytes.size()) + " " + std::to_string(stored.size()) + " " + crc +
           (facts.empty() ? "" : " " + std::string(facts)) + "\n" + stored;
}

template <typename A> void typed_fields(A& archive, Bundle::Typed& it)
{
    archive::all(archive, it.words);
    uint64_t count = it.scripts.size();
    archive::all(archive, count);
    for (uint64_t i = 0; i < count && archive.good(); ++i) {
        if constexpr (A::kReads)
            it.scripts.emplace_back();
        archive::all(archive, it.scripts[i].first, it.scripts[i].second);
    }
}

/// Removes the next word and the space after it from the line, and returns the word.
std::string_view next_word(std::string_view& line)
{
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return word;
}

std::optional<uint64_t> number_in(std::string_view word, int base = 10)
{
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, base);
    return error == std::errc() && end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

class BundleReader {
public:
    explicit BundleReader(std::string_view bytes) : rest_(bytes) {}

    Result<Bundle> read()
    {
        if (!rest_.starts_with(kBundleMark))
            return Error{"is no bundle: dtrace --bundle makes one"};
        while (!rest_.empty())
            if (Result<void> taken = take_part(); !taken)
                return taken.error();
        if (!has_typed_)
            return Error{"is damaged: it has no program"};
        return std::move(bundle_);
    }

private:
    Error damaged(const char* what) const { return {"is damaged: part " + std::to_string(parts_) + " " + what}; }

    Result<void> take_part()
    {
        ++parts_;
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        std::string_view line = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        if (!line.starts_with(kBundleMark))
            return damaged("has no beginning");
        line.remove_prefix(kBundleMark.size());
        const auto version = number_in(next_word(line));
        if (version && *version > kBundleVersion)
            return Error{"was made by a newer dtrace: its format is version " + std::to_string(*version) +
                         ", and this one knows 1"};
        const std::string_view kind = next_word(line);
        const auto size = number_in(next_word(line)), stored = number_in(next_word(line)),
                   crc = number_in(next_word(line), 16);
        if (version != kBundleVersion || !size || !stored || !crc || *size > kMostUnpacked)
            return damaged("has no beginning");
        if (*stored > rest_.size())
            return Error{"is cut: of part " + std::to_string(parts_) + " there are " + std::to_string(rest_.size()) +
                         " bytes of " + std::to_string(*stored)};
        const std::string_view bytes = rest_.substr(0, *stored);
        rest_.remove_prefix(*stored);
        std::string unpacked(*size, '\0');
        uLongf made = *size;
        if (bundle_checksum(bytes) != *crc ||
            uncompress(reinterpret_cast<Bytef*>(unpacked.data()), &made, reinterpret_cast<const Bytef*>(bytes.data()),
                       bytes.size()) != Z_OK ||
            made != *size)
            return damaged("is not what it was");
        if (kind == kTypedPart)
            return take_typed(unpacked);
        if (kind == kVariantPart)
            bundle_.variants.push_back({std::string(line), std::move(unpacked)});
        return {}; // ignores unknown parts of the same version
    }

    Result<void> take_typed(std::string_view unpacked)
    {
        Bundle::Typed typed;
        archive::Reader reader(unpacked);
        typed_fields(reader, typed);
        if (!reader.good() || !reader.at_end())
            return damaged("is not what it was");
        if (has_typed_ && !(typed == bundle_.typed))
            return Error{"has two programs: only bundles of the same one are put together"};
        bundle_.typed = std::move(typed);
        has_typed_ = true;
        return {};
    }

    std::string_view rest_;
    unsigned parts_ = 0;
    bool has_typed_ = false;
    Bundle bundle_;
};

} // namespace

std::string bundle_bytes(const Bundle& bundle)
{
    archive::Writer typed;
    typed_fields(typed, const_cast<Bundle::Typed&>(bundle.typed)); // a writer changes nothing
    std::string bytes = part(kTypedPart, typed.bytes(), {});
    for (const Bundle::Variant& each : bundle.variants)
        bytes += part(kVariantPart, each.packed, each.facts);
    return bytes;
}

Result<Bundle> read_bundle(std::string_view bytes)
{
    if (bytes.starts_with(kBundleMark))
        return BundleReader(bytes).read();
    std::string letters;
    for (const char each : bytes)
        if (each != '\n' && each != '\r' && each != '=')
            letters += each;
    const std::optional<std::string> meant = from_base64(letters);
    return BundleReader(meant ? std::string_view(*meant) : bytes).read();
}

} // namespace dt

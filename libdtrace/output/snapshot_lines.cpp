#include "libdtrace/output/snapshot_lines.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/base64.hpp"

namespace dt::output {
namespace {

constexpr std::string_view kMark = "=dt1 ";

std::string_view without_ends(std::string_view text, std::string_view unwanted)
{
    const std::size_t first = text.find_first_not_of(unwanted);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(unwanted) - first + 1);
}

} // namespace

void SnapshotWriter::number(uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
}

void SnapshotWriter::words(std::span<const int64_t> words, bool is_histogram)
{
    if (!is_histogram) {
        for (const int64_t word : words)
            integer(word);
        return;
    }
    number(static_cast<uint64_t>(std::count_if(words.begin(), words.end(), [](int64_t word) { return word != 0; })));
    std::size_t before = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == 0)
            continue;
        number(i - before);
        integer(words[i]);
        before = i;
    }
}

char SnapshotReader::letter()
{
    if (rest_.empty()) {
        fail();
        return 0;
    }
    const char first = rest_.front();
    rest_.remove_prefix(1);
    return first;
}

uint64_t SnapshotReader::number()
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const auto byte = static_cast<unsigned char>(letter());
        value |= static_cast<uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    fail();
    return 0;
}

std::string_view SnapshotReader::text()
{
    const uint64_t size = number();
    if (!good_ || size > rest_.size()) {
        fail();
        return {};
    }
    const std::string_view value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
}

void SnapshotReader::words(std::span<int64_t> into, bool is_histogram)
{
    if (!is_histogram) {
        for (int64_t& word : into)
            word = integer();
        return;
    }
    std::fill(into.begin(), into.end(), 0);
    uint64_t at = 0;
    for (uint64_t count = number(); count > 0 && good_; --count) {
        at += number();
        if (!good_ || at >= into.size())
            return fail();
        into[at] = integer();
    }
}

std::string snapshot_line(std::string_view bytes)
{
    const std::string text = to_base64(bytes);
    return std::string(kMark) + std::to_string(text.size()) + " " + text + "\n";
}

std::optional<SnapshotLine> read_snapshot_line(std::string_view line)
{
    const std::size_t mark = line.find(kMark);
    if (mark == std::string_view::npos)
        return std::nullopt;
    SnapshotLine read;
    read.carried = without_ends(line.substr(0, mark), " \t:[]|");
    const std::string_view rest = without_ends(line.substr(mark + kMark.size()), "\r\n");
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
    const std::size_t text = static_cast<std::size_t>(end - rest.data()) + 1;
    read.is_whole = error == std::errc() && text <= rest.size() && rest.size() - text == length;
    if (std::optional<std::string> bytes = read.is_whole ? from_base64(rest.substr(text)) : std::nullopt)
        read.bytes = std::move(*bytes);
    else
        read.is_whole = false;
    return read;
}

} // namespace dt::output

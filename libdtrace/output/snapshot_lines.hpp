// What a host sends to where answers of many hosts become one (-x format=snapshot): messages in lines of text.
//
// It goes through whatever carries it: remote shells, fan-out tools, logs of containers. They cut at line ends, and put
// the name of the host in front of each line. So a line is `=dt1 LENGTH BASE64`, wherever in the line that begins, and
// what stands before it is the carrier's. The length tells a line that was cut from a whole one, and a number in each
// tells whether one is missing. Integers are written in as few bytes as they need: 100 keys once a second are less than
// a kilobyte.
//
// Bytes inside a line: its number, then messages, each a letter and what snapshot_sink.cpp writes behind it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dt::output {

/// Grows when what was there before means something else.
inline constexpr uint64_t kSnapshotVersion = 1;

/// The messages, by their letters.
enum class SnapshotMessage : char {
    Head = 'H', ///< version, host, digest of the program, offset of the clock on the wall, its error (0: unknown)
    Aggregation = 'A', ///< id, name, function, parameters, words, keys: kind and size each
    Divisor = 'N',     ///< id, divisor: normalize()
    Keys = 'K',        ///< id, number of them; each key's parts. They are numbered in the order they come, from 0
    Values = 'V',      ///< id, number of them; each the key's number and its words, those that changed
    Removed = 'X',     ///< id, number of them; numbers of keys
    Gone = 'G',        ///< id, 0 or 1, words: what keys that left by themselves come to
    Time = 'T',        ///< CLOCK_MONOTONIC ns: all values are as of then
    Print = 'P',       ///< time, SnapshotPrint, format, number of ids, ids
    Options = 'o',     ///< kSnapshotOptions as bits, aggsortpos, aggsortkeypos: how the program wants it printed
    Heading = 'h',     ///< text above the records
    Record = 'R',      ///< time, CPU, text
    Loss = 'L',        ///< cause, kind (LossKind), count, and its words: one, several, text
    Arrived = 'C',     ///< what was recorded: records, and values of aggregations as far as they count
    End = 'Z'          ///< nothing follows
};

enum class SnapshotPrint : uint8_t { Default, Format, AtEnd };

/// Flags of -x, in the order of their bits.
inline constexpr std::string_view kSnapshotOptions[] = {"aggsortkey", "aggsortrev", "agghist", "aggpack", "aggzoom"};

/// A datum of a key as it is sent: what is an address there is a text everywhere else.
enum class SentKind : uint8_t { Signed, Unsigned, Text, Bytes, Symbol, Stack };

class SnapshotWriter {
public:
    void letter(SnapshotMessage message) { bytes_ += static_cast<char>(message); }
    void number(uint64_t value);
    void integer(int64_t value) { number((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63)); }
    void text(std::string_view value)
    {
        number(value.size());
        bytes_ += value;
    }
    void append(std::string_view bytes) { bytes_ += bytes; }
    /// Words of a value: a histogram has few that are not 0.
    void words(std::span<const int64_t> words, bool is_histogram);

    const std::string& bytes() const { return bytes_; }
    void clear() { bytes_.clear(); }

private:
    std::string bytes_;
};

/// Reads what was written; of damaged bytes something, and good() is false from then on.
class SnapshotReader {
public:
    explicit SnapshotReader(std::string_view bytes) : rest_(bytes) {}

    bool good() const { return good_; }
    bool at_end() const { return rest_.empty() || !good_; }
    std::size_t left() const { return rest_.size(); }
    const char* place() const { return rest_.data(); }

    char letter();
    uint64_t number();
    int64_t integer()
    {
        const uint64_t value = number();
        return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
    }
    std::string_view text();
    /// Fills `into`, which has as many words as the value.
    void words(std::span<int64_t> into, bool is_histogram);
    void fail() { good_ = false; }

private:
    std::string_view rest_;
    bool good_ = true;
};

/// With the line end.
std::string snapshot_line(std::string_view bytes);

struct SnapshotLine {
    std::string_view carried; ///< what the carrier put in front, without blanks and a colon: often the host's name
    std::string bytes;
    bool is_whole = true; ///< false: it was cut, or damaged
};
/// Nothing: the line is none of these.
std::optional<SnapshotLine> read_snapshot_line(std::string_view line);

} // namespace dt::output

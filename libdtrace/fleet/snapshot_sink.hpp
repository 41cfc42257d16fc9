// Encoding of the messages that a host sends to dtrace --merge (-x format=snapshot), as lines of text.
//
// Remote shells, fan-out tools and container logs transport these lines. Such tools split at newlines and put the
// host's name before each line. So a message is `=dt1 LENGTH BASE64` at the end of a line, and any text before it comes
// from the tool. The receiver uses the length to detect truncated lines, and a sequence number to detect missing lines.
// Integers use a variable-length encoding: 100 keys once a second need less than a kilobyte.
//
// The decoded bytes consist of the sequence number and the messages. A message is a letter followed by the fields that
// snapshot_sink.cpp writes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dt::output {

/// Version of the encoding. Increase it when the meaning of existing messages changes.
inline constexpr uint64_t kSnapshotVersion = 1;

/// Message types; the enumerator's value is the letter. The comment of each type lists the fields of its message.
enum class SnapshotMessage : char {
    /// Fields: version, host, digest of the program, offset of the wall clock, error of the clock (0 if unknown)
    Head = 'H',
    Aggregation = 'A', ///< fields: id, name, function, parameters, words; kind and size of each part of the key
    Divisor = 'N',     ///< fields: id of the aggregation, divisor of normalize()
    /// Fields: id of the aggregation, number of new keys, parts of each key. A new key implicitly gets the next index;
    /// the first key has index 0
    Keys = 'K',
    /// Fields: id of the aggregation, number of changed values; for each of them: index of its key, and its words
    Values = 'V',
    Removed = 'X', ///< fields: id of the aggregation, number of removed keys, indices of these keys
    /// Fields: id of the aggregation, 1 if keys have expired, otherwise 0; then the words of the merged value of
    /// expired keys
    Gone = 'G',
    Time = 'T',    ///< field: CLOCK_MONOTONIC ns for which all values of the message are valid
    Print = 'P',   ///< fields: time, kind of output (SnapshotPrint), format, number of aggregations, their ids
    Options = 'o', ///< fields: a word with a bit for each of kSnapshotOptions, then aggsortpos and aggsortkeypos
    Heading = 'h', ///< field: the heading that is printed above the records
    Record = 'R',  ///< fields of a record: time, CPU, text
    Loss = 'L',    ///< fields: cause, kind (LossKind), count, and the strings one, several, text
    /// fields: number of records; number of aggregated values, as far as the aggregating functions count them
    Arrived = 'C',
    End = 'Z' ///< end of the stream; no fields
};

enum class SnapshotPrint : uint8_t { Default, Format, AtEnd };

/// Options of -x that an Options message contains as bits, in the order of these bits.
inline constexpr std::string_view kSnapshotOptions[] = {"aggsortkey", "aggsortrev", "agghist", "aggpack", "aggzoom"};

/// Kinds of key parts. Addresses are sent as text, because other hosts cannot resolve them.
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
    /// Appends the words of an aggregation value. If `is_sparse`, only words that are not 0 are written.
    void words(std::span<const int64_t> words, bool is_sparse);

    const std::string& bytes() const { return bytes_; }
    void clear() { bytes_.clear(); }

private:
    std::string bytes_;
};

/// Reads the fields of a message. If the bytes are damaged, the returned values are arbitrary, and good() becomes
/// false.
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
    /// Reads the words of an aggregation value into `into`, whose size must be the number of words of the value.
    void words(std::span<int64_t> into, bool is_sparse);
    void fail() { good_ = false; }

private:
    std::string_view rest_;
    bool good_ = true;
};

/// Returns the encoded message line, with its newline.
std::string snapshot_line(std::string_view bytes);

struct SnapshotLine {
    /// Text before the message, without blanks and colon. It is the host's name if the transporting tool writes the
    /// name before each line.
    std::string_view carried;
    std::string bytes;
    bool is_whole = true; ///< whether the line is complete: false if it is truncated or damaged
};
/// Returns the message in a line, or nothing if the line contains no message.
std::optional<SnapshotLine> read_snapshot_line(std::string_view line);

} // namespace dt::output

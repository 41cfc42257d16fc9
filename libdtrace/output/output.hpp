// The output stream of a trace: standard output, the file of -o, or the target of freopen(). Messages to stderr are not
// part of this stream.
//
// A consumer must not stop in the middle of a record because a disk is full, and must not report the same full disk a
// thousand times. So text is buffered, the error of a failed write is stored, and failure() reports it once. A slow
// reader of a pipe or terminal must not block the consumer either: text that it has not read is stored up to a limit.
// Above the limit the consumer leaves samples in the kernel's buffers, which count what they drop.
//
// A trace that runs for months survives a disk that is full for an hour: see enable_retry().
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/format/text.hpp"
#include "libdtrace/output/journal_socket.hpp"

namespace dt {

/// Destination of the messages of a run. Messages are not written to the output stream (messages.hpp).
struct MessageTarget {
    /// prefix of this run's messages, after the program's name, if the process has several runs; otherwise empty
    std::string prefix;
    /// Callback that receives each message without the program's name and prefix. It must stay callable during the
    /// lifetime of the output.
    std::function<void(std::string_view message)> handler = [](std::string_view) {};
    bool is_silent = false; ///< whether messages are not written to standard error
};

class Output {
public:
    /// Creates a stream that writes to standard output.
    Output();
    /// Creates a stream that writes to an open descriptor, which the destructor does not close. If the descriptor is
    /// negative, nothing is written, and the code that uses text() must clear the text itself.
    explicit Output(int descriptor);
    /// Writes the buffered text. Errors cannot be reported here, so call flush() first.
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    /// Makes open() create files that belong to `user` (output_target.hpp). Call it before open(). The error message is
    /// complete; the caller adds no prefix.
    Result<void> set_file_owner(const std::string& user);
    /// Returns the user's name; empty if files belong to the tracer's user.
    const std::string& file_owner() const { return user_; }

    /// Opens the file `path` of option -o for appending, and redirects the stream to it. The error message is only the
    /// reason (strerror).
    Result<void> open(const std::string& path);

    /// Redirects the stream to a file in a folder, which is created if needed. Formats with several files use it for
    /// -o.
    Result<void> open_in_folder(const std::string& folder, const std::string& name);
    /// Returns the folder of open_in_folder(), or an empty string.
    const std::string& folder() const { return folder_; }

    /// Redirects the stream to the datagram socket `path`. Only write_entry() writes to it; redirect() fails on such a
    /// stream. The error message is only the reason.
    Result<void> connect(const std::string& path);
    bool is_connected() const { return socket_.has_value(); }
    /// Sends one complete entry to the socket of connect().
    void write_entry(std::string_view entry)
    {
        text_.append(entry);
        entries_.push_back(entry.size());
        drain();
    }
    /// Number of entries that were dropped because the socket rejected them, or because the receiver of a network sink
    /// did not accept them. `reason` is the reason of the last drop.
    struct Refused {
        uint64_t entries = 0;
        std::string reason;
        std::string by; ///< name of the receiver that did not accept the entries; empty if the socket rejected them
        /// number of log records among the entries; the other entries are pages of metrics, each with many samples
        uint64_t records = 0;
    };
    const Refused& refused() const { return refused_; }
    void refuse(uint64_t pages, uint64_t records, std::string reason, std::string by)
    {
        refused_ = {refused_.entries + pages + records, std::move(reason), std::move(by), refused_.records + records};
    }

    /// Returns whether open() succeeded.
    bool has_file() const { return !path_.empty(); }

    /// Reopens the file of open() by name, for log rotation by another program. Earlier output stays in the renamed
    /// file; a new file is created if needed. Does nothing without open(). On failure the stream is unchanged, and the
    /// error message is only the reason (strerror).
    Result<void> reopen();
    struct Rotation {
        uint64_t size = 0; ///< maximum size of a file in bytes; 0: no limit
        uint64_t age = 0;  ///< maximum age of a file in ns; 0: no limit
        uint64_t kept = 0; ///< number of renamed files that are not deleted
    };
    /// Begins a new file when the file of open() reaches `at.size`, and renames the old one to FILE.1
    /// (output_target.hpp). The new file begins between two records at the end of a line, or 256 KiB later if the line
    /// does not end. Fails if the output is not a regular file of open().
    Result<void> rotate_at(const Rotation& at);
    /// Begins a new file when the current one reaches the age limit. Must be called regularly, between two records. The
    /// age counts from the creation of the file, or from its opening if the file is empty or its creation time is not
    /// known.
    void rotate_if_old();
    /// Returns the reason if rotation failed, otherwise nothing. A reason is returned only once; repeated failures
    /// return nothing until rotation has succeeded again. While rotation fails, the file grows; rotation is tried again
    /// after `size` more bytes, or a minute later.
    std::optional<std::string> rotation_failure() { return std::exchange(rotation_.failure, std::nullopt); }
    /// Returns how many new files reopen() and rotation have begun. Sinks with a heading repeat the heading in each
    /// file.
    uint64_t files() const { return files_; }

    MessageTarget& messages() { return messages_; }

    /// Returns the buffer for formatted text. flush() or drain() writes it.
    format::Text& text() { return text_; }
    void write(std::string_view bytes)
    {
        // the text is dropped if the output is a socket, because only write_entry() sends to a socket, in whole entries
        if (!socket_)
            text_.append(bytes);
    }

    /// Treats temporary write failures (a full disk, a named pipe without reader) as a blocked stream: text is stored,
    /// and writing is tried again every second. If more than kMax bytes or kMaxRecords records are stored, the newest
    /// records are dropped as a whole. There are no retries for terminals, nor for a standard output that is a pipe;
    /// their failure ends the run.
    void enable_retry();
    /// Returns the errno because of which the stream is blocked, or 0 if it is not blocked.
    int blocked() const { return retry_.blocked; }
    /// Number of bytes and records that were dropped so far. A partly written record counts as dropped.
    struct Unwritten {
        uint64_t bytes = 0, records = 0;
    };
    const Unwritten& unwritten() const { return retry_.unwritten; }
    /// Writes all text. If the stream is blocked, drops its unwritten text. The file then ends with a complete record
    /// unless another process also writes to the file. Returns an errno if text was dropped, else 0.
    int settle();

    /// Replaces the content of the file of open() atomically: writes PATH.new and renames it. failure() reports an
    /// error later. After enable_retry(), a failure blocks the stream instead, until replace() succeeds again. If the
    /// output is not a file of open(), appends `whole` to the stream.
    void replace(std::string_view whole);

    /// Returns whether anything except newlines has been written so far, to any target.
    bool has_printed() const { return printed_ || text_.view().find_first_not_of('\n') != std::string_view::npos; }

    /// Writes the buffer if it has grown large, and rotates the file if it has reached its size limit. Call it between
    /// two records.
    void drain()
    {
        if (retry_.is_on)
            end_record();
        if (rotation_.limits.size != 0 && saved_ < 0 && rotation_.file_size + (text_.size() - sent_) >= rotation_.next)
            rotate();
        if (text_.size() >= offered_ + kLarge)
            offer();
    }

    /// Writes as much as the reader accepts, waits briefly for a slow reader, and leaves the remaining text in the
    /// buffer. failure() reports an error later.
    void offer();
    /// is_waiting() returns whether there is unwritten text; is_full() returns whether there is so much unwritten text
    /// that printing should pause.
    bool is_waiting() const { return sent_ < text_.size(); }
    bool is_full() const
    {
        return retry_.blocked == 0 && (text_.size() - sent_ >= kMax || retry_.ends.size() >= kMaxRecords);
    }
    /// Returns whether a reader may take the unwritten text soon, so that offer() should be called again.
    bool is_waiting_for_reader() const { return retry_.blocked == 0 && is_waiting(); }
    /// Returns whether `descriptor` and the stream's descriptor refer to the same file, pipe or terminal.
    bool refers_to(int descriptor) const;

    /// Returns whether the last character of the output is not a newline.
    bool is_in_line() const { return (text_.size() != 0 ? text_.view().back() : last_) != '\n'; }

    /// Writes all text; failure() reports an error later. Call it before another process writes to the same terminal.
    void send();

    /// Writes all text, and returns the result of failure().
    Result<void> flush();

    /// Returns the first write error since the last call: "cannot write output: REASON" with the errno as code. After
    /// an error all text is discarded until redirect() or open() succeeds.
    Result<void> failure();

    /// Implements freopen(): appends further output to `path`. An empty path restores the original target. On failure
    /// the stream is unchanged, and the error message is only the reason (strerror). The descriptor itself is replaced,
    /// so that children of system() write to the same target.
    Result<void> redirect(const std::string& path);

    /// Returns the size of the terminal that the stream writes to, or nothing if it is not a terminal.
    struct Size {
        unsigned rows = 24, columns = 80;
    };
    std::optional<Size> terminal() const;

    /// Returns the number of redirections so far; 0 while the original target is in use.
    uint64_t redirects() const { return saved_ >= 0 ? redirects_ : 0; }
    /// Writes the buffered text, and returns whether the file is empty.
    bool file_is_empty();

    /// Implements ftruncate(): writes the buffered text, truncates the file to size 0 and sets the file position to 0.
    /// No effect on terminals and pipes.
    void truncate();

    static constexpr std::size_t kMax = 16 << 20; ///< limit of unwritten bytes
    /// Maximum number of unwritten records. Records are counted only after enable_retry().
    static constexpr std::size_t kMaxRecords = 1 << 18;
    static constexpr std::size_t kMaxMemory = kMax + 2 * kMaxRecords * sizeof(uint64_t);

private:
    static constexpr std::size_t kLarge = 256 * 1024;
    /// Kind of reader. Slow: the reader may be slow, so that a write may block. None: the stream is a file, which has
    /// no reader.
    enum class Reader : uint8_t { Unknown, Terminal, Slow, None };
    /// Result of an attempt to write. NotNow: the reader has no room at present. Failed: the stream is blocked or
    /// broke.
    enum class Step { Done, NotNow, Failed };

    int open_file(const std::string& path, int flags) const;
    Reader reader() const;
    Result<void> replace_file(int file);
    Result<int> next_file() const;
    bool is_replaceable() const;
    Result<int> write_temporary(const std::string& path, std::string_view whole) const;
    void rotate();
    void begin_next_file();
    Step write_some(bool may_wait);
    Step send_entry();
    Step fail(int code);
    bool may_pass(int code) const;
    bool may_try() const;
    void end_record()
    {
        if (const uint64_t end = retry_.base + text_.size(); end != retry_.ended)
            end_record(end);
    }
    void end_record(uint64_t end);
    void note_written();
    void truncate_to_record();
    void drop_front(std::size_t bytes);
    void give_up_waiting();
    void refuse_entry(int code);
    void wait_for_room();
    void forget_sent();

    /// State of the rotation that rotate_at() has requested.
    struct RotationState {
        Rotation limits;
        uint64_t next = 0;      ///< file size that triggers the next rotation
        uint64_t too_old = 0;   ///< time of the next rotation by age (CLOCK_REALTIME ns)
        uint64_t file_size = 0; ///< size in bytes of the file of open(), counting only the writes of this process
        bool failed = false;    ///< whether the failure of the rotation was reported
        std::optional<std::string> failure;
    };
    /// State of the retries that enable_retry() has enabled. Offsets are numbers of bytes since the stream began.
    struct RetryState {
        /// `is_on`: whether failed writes to the current target are tried again. `is_wanted`: whether enable_retry()
        /// was called.
        bool is_on = false, is_wanted = false;
        int blocked = 0;
        uint64_t next = 0;          ///< time of the next retry (CLOCK_MONOTONIC ns)
        uint64_t base = 0;          ///< offset of the first byte of `text_`
        uint64_t whole = 0;         ///< offset of the end of the last completely written record
        uint64_t ended = 0;         ///< offset of the end of the last record
        std::vector<uint64_t> ends; ///< offsets of the ends of records that are not written yet
        Unwritten unwritten;
    };

    MessageTarget messages_;
    RotationState rotation_;
    RetryState retry_;
    format::Text text_;
    std::size_t sent_ = 0;    ///< number of bytes of `text_` that are already written
    std::size_t offered_ = 0; ///< size of `text_` at the last offer()
    int descriptor_;
    mutable Reader reader_ = Reader::Unknown; ///< kind of reader (Reader) of `descriptor_`
    int saved_ = -1;                          ///< while redirect() is in effect, a duplicate of the original descriptor
    bool owned_ = false;
    std::string path_;                            ///< path that was passed to open()
    std::string folder_;                          ///< folder that was passed to open_in_folder()
    std::string user_;                            ///< user that was passed to set_file_owner()
    uid_t user_number_ = 0;                       ///< user id of the user `user_`
    std::optional<output::JournalSocket> socket_; ///< socket to which connect() has connected
    std::deque<std::size_t> entries_;             ///< sizes of the entries that are not sent yet
    Refused refused_;
    uint64_t files_ = 0; ///< number of new files that reopen() and rotation have begun
    /// whether the file of -o was replaced while redirect() was in effect; the sink then repeats its heading when the
    /// stream returns to -o
    bool has_new_file_ = false;
    uint64_t redirects_ = 0;
    char last_ = '\n';     ///< last character of the text that was removed from `text_`
    bool printed_ = false; ///< whether the text that was removed from `text_` contained anything except newlines
    int error_ = 0;        ///< errno of the first failed write since failure() was last called
    bool broken_ = false;  ///< whether a write has failed permanently, so that all text is discarded
};

} // namespace dt

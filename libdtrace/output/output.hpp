// The output stream: where everything that is not a message goes (stdout, the -o file, what freopen() names).
//
// A tracer's consumer may not stop in the middle of a record because a disk is full, and may not report the same full
// disk a thousand times: text is buffered, a failed write is remembered, and failure() tells it once. Nor may it stand
// still because whoever reads does: what a pipe or terminal does not take is kept, up to a bound. From there on the
// consumer leaves samples in the kernel's buffers, which count what they have no room for.
//
// A trace that runs for months outlasts a disk that is full for an hour: see outlast().
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
#include "libdtrace/output/entry_socket.hpp"

namespace dt {

class Output {
public:
    /// Writes to standard output.
    Output();
    /// Writes to an open descriptor that stays the caller's. Below 0: nowhere, and whoever takes text() clears it.
    explicit Output(int descriptor);
    /// Flushes what is left; an error at that point is lost, so call flush() before.
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    /// Before open(): files that it makes are this user's, as users_file.hpp says. The error is complete.
    Result<void> make_files_for(const std::string& user);
    /// His name; empty: they are the tracer's.
    const std::string& makes_files_for() const { return user_; }

    /// -o: from now on to this file, opened for appending. The error's message is the reason alone (strerror).
    Result<void> open(const std::string& path);

    /// -o of formats that are several files: from now on to the file of this name in this folder, which is made where
    /// there is none.
    Result<void> open_in_folder(const std::string& folder, const std::string& name);
    /// Of open_in_folder(); else empty.
    const std::string& folder() const { return folder_; }

    /// From now on to this socket, by write_entry() alone; there is no redirect() then. The error's message is the
    /// reason alone.
    Result<void> connect(const std::string& path);
    bool is_connected() const { return socket_.has_value(); }
    /// One entry, whole, where is_connected().
    void write_entry(std::string_view entry)
    {
        text_.append(entry);
        entries_.push_back(entry.size());
        drain();
    }
    /// Entries that the socket did not take, or had no room for at the end: their number, and what was wrong with the
    /// last of them (strerror). Of a sink that sends to somebody else: what it gave up, and who did not take it.
    struct Refused {
        uint64_t entries = 0;
        std::string reason;
        std::string by;       ///< empty: the socket
        uint64_t records = 0; ///< of the entries; the others are pages of metrics
    };
    const Refused& refused() const { return refused_; }
    void refuse(uint64_t pages, uint64_t records, std::string reason, std::string by)
    {
        refused_ = {refused_.entries + pages + records, std::move(reason), std::move(by), refused_.records + records};
    }

    /// Was open() successful?
    bool has_file() const { return !path_.empty(); }

    /// The file of open() may have been renamed: what was printed before stays in it, and from now on everything goes
    /// to the file that has its name now, which is made if need be. No effect without open(). On failure the stream
    /// stays as it was; the message is the reason alone.
    Result<void> reopen();
    struct Rotation {
        uint64_t size = 0; ///< bytes; 0: any
        uint64_t age = 0;  ///< ns; 0: any
        uint64_t kept = 0; ///< files
    };
    /// When the file of open() has come to this size it becomes FILE.1, as renamed.hpp says, at the end of a record and
    /// of a line (of a line that has no end, at most 256 KiB later), and another is begun. Fails when there is no such
    /// file, or it is none that can be renamed.
    Result<void> rotate_at(const Rotation& at);
    /// The same when it has come to this age, between two records: to be called now and then. It was begun when it was
    /// made, as far as the file system knows that, or, when nothing is in it, when it was opened.
    void rotate_if_old();
    /// Why it could not be done, once until it can be again; then it goes on growing, and is tried when it has grown by
    /// `size` more, or a minute later.
    std::optional<std::string> rotation_failure() { return std::exchange(rotation_failure_, std::nullopt); }
    /// How often reopen() and rotate_at() have begun another file: who writes a heading writes it again in each.
    uint64_t files() const { return files_; }

    /// Of several outputs of one process: whose messages these are stands behind the program's name in front of each,
    /// and each is told to `heard`, as it is but for the names. It must live as long as this.
    using Heard = std::function<void(std::string_view message)>;
    void speak_as(std::string name, Heard heard)
    {
        speaker_ = std::move(name);
        heard_ = std::move(heard);
    }
    /// Messages are for who hears them alone, and nothing is written to standard error.
    void speak_to(Heard heard)
    {
        heard_ = std::move(heard);
        is_silent_ = true;
    }
    bool is_silent() const { return is_silent_; }
    const std::string& speaker() const { return speaker_; }
    void hear(std::string_view message) const
    {
        if (heard_)
            heard_(message);
    }

    /// Where text is formatted to. What it holds is written by flush() or drain().
    format::Text& text() { return text_; }
    void write(std::string_view bytes)
    {
        if (!socket_) // which takes entries only
            text_.append(bytes);
    }

    /// From now on a failure that may pass (a disk that is full, a named pipe that nobody reads any more) is no
    /// failure: the stream is stuck, and what is written is kept and tried again each second. Of what is more than
    /// kMost bytes, or kMostRecords records, the youngest records are given up whole. No effect on terminals and on a
    /// standard output that is a pipe, whose end is that of the run.
    void outlast();
    /// The reason while it is stuck (an errno), else 0.
    int stuck() const { return stuck_; }
    /// What was given up, all so far; a record of which a part is missing counts.
    struct Unwritten {
        uint64_t bytes = 0, records = 0;
    };
    const Unwritten& unwritten() const { return unwritten_; }
    /// Writes everything out. What a stuck stream does not take now is given up, and what is in the file ends with a
    /// whole record, as long as nobody else writes to it. The result is an errno when something was given up, else 0.
    int settle();

    /// What is in the file of open() is this from now on, and at no moment a part of it: it is written to PATH.new,
    /// which then takes the name. A failure is kept for failure(), or, with outlast(), is the stream's being stuck
    /// until the next one succeeds. Other streams are written to.
    void replace(std::string_view whole);

    /// Has anything but empty lines been written, to whatever file?
    bool has_said() const { return said_ || text_.view().find_first_not_of('\n') != std::string_view::npos; }

    /// Offers the buffer when it has grown large, and begins another file when this one has: between two records.
    void drain()
    {
        if (outlasts_)
            end_record();
        if (rotation_.size != 0 && saved_ < 0 && file_size_ + (text_.size() - sent_) >= rotate_next_)
            rotate();
        if (text_.size() >= offered_ + kLarge)
            offer();
    }

    /// Writes what whoever reads takes, waiting a moment for it, and keeps the rest. A failure is kept for failure().
    void offer();
    /// Was something kept? Is it so much that nothing more should be printed?
    bool is_waiting() const { return sent_ < text_.size(); }
    bool is_full() const { return stuck_ == 0 && (text_.size() - sent_ >= kMost || ends_.size() >= kMostRecords); }
    /// Is it to be offered again soon, because somebody reads it?
    bool is_waiting_for_reader() const { return stuck_ == 0 && is_waiting(); }
    /// Do both lead to the same file, pipe or terminal?
    bool leads_to(int descriptor) const;

    /// Does what was written end in the middle of a line?
    bool is_in_line() const { return (text_.size() != 0 ? text_.view().back() : last_) != '\n'; }

    /// Writes everything out and keeps a failure for failure(): before somebody else writes to the same terminal.
    void send();

    /// Writes everything out. The result is failure().
    Result<void> flush();

    /// The first failed write since the last call: its message is "cannot write output: REASON" with the errno as code.
    /// After a failure text is thrown away until redirect() or open() succeeds.
    Result<void> failure();

    /// freopen(): everything after this goes to `path`, appended; an empty path restores the stream of before the first
    /// redirect() (no effect if there was none). On failure the stream stays as it was; the message is the reason
    /// alone. The descriptor itself is replaced, so that children of system() write to the same place.
    Result<void> redirect(const std::string& path);

    /// Of the terminal that the stream leads to now; none when it is no terminal.
    struct Size {
        unsigned rows = 24, columns = 80;
    };
    std::optional<Size> terminal() const;

    /// How many redirects were made so far; 0 also after the stream of before the first was restored.
    uint64_t redirects() const { return saved_ >= 0 ? redirects_ : 0; }
    /// Whether nothing has been written to the file yet, by anybody. Flushes.
    bool file_is_empty();

    /// ftruncate(): flushes, cuts the file to nothing and rewinds. No effect on terminals and pipes.
    void truncate();

    static constexpr std::size_t kMost = 16 << 20;       ///< bytes that wait for who reads them
    static constexpr std::size_t kMostRecords = 1 << 18; ///< likewise, where they are counted: outlast()
    static constexpr std::size_t kMostMemory = kMost + 2 * kMostRecords * sizeof(uint64_t);

private:
    static constexpr std::size_t kLarge = 256 * 1024;
    enum class Reader : uint8_t { Unknown, Terminal, Slow, None }; ///< Slow: it may stand still; None: a file
    enum class Step { Done, NotNow, Failed };                      ///< of writing; Failed: it is stuck or broken

    int open_file(const std::string& path, int flags) const;
    Reader reader() const;
    Result<void> replace_file(int file);
    Result<int> next_file() const;
    bool is_replaceable() const;
    Result<int> write_beside(const std::string& path, std::string_view whole) const;
    void rotate();
    void begin_next_file();
    Step write_some(bool may_wait);
    Step send_entry();
    Step fail(int code);
    bool may_pass(int code) const;
    bool may_try() const;
    void end_record()
    {
        if (const uint64_t end = base_ + text_.size(); end != ended_)
            end_record(end);
    }
    void end_record(uint64_t end);
    void note_written();
    void cut_back();
    void drop_front(std::size_t bytes);
    void give_up_waiting();
    void refuse_entry(int code);
    void wait_for_room();
    void forget_sent();

    std::string speaker_;
    Heard heard_;
    bool is_silent_ = false; ///< speak_to()
    format::Text text_;
    std::size_t sent_ = 0;    ///< bytes of it that are written
    std::size_t offered_ = 0; ///< its size at the last offer
    int descriptor_;
    mutable Reader reader_ = Reader::Unknown; ///< of what the descriptor leads to
    int saved_ = -1;                          ///< what descriptor_ was before the first redirect()
    bool owned_ = false;
    std::string path_;                          ///< of open()
    std::string folder_;                        ///< of open_in_folder()
    std::string user_;                          ///< of make_files_for()
    uid_t user_number_ = 0;                     ///< his
    std::optional<output::EntrySocket> socket_; ///< of connect()
    std::deque<std::size_t> entries_;           ///< sizes of those that wait
    Refused refused_;
    uint64_t files_ = 0;           ///< see files()
    bool has_new_file_ = false;    ///< files_ is to count one more when redirect() comes back
    Rotation rotation_;            ///< rotate_at()
    uint64_t rotate_next_ = 0;     ///< the size that is too much
    uint64_t too_old_ = 0;         ///< when the file is (CLOCK_REALTIME ns)
    uint64_t file_size_ = 0;       ///< of the file of open(), as far as this writes it
    bool rotation_failed_ = false; ///< and that was told
    std::optional<std::string> rotation_failure_;
    uint64_t redirects_ = 0;
    char last_ = '\n';  ///< that was sent
    bool said_ = false; ///< see has_said()
    // outlast(): places are bytes since the stream began.
    bool outlasts_ = false, may_outlast_ = false; ///< this file; some file
    int stuck_ = 0;
    uint64_t retry_ = 0;         ///< when it is tried again (CLOCK_MONOTONIC ns)
    uint64_t base_ = 0;          ///< where text_ begins
    uint64_t whole_ = 0;         ///< the end of the last record that is written whole
    uint64_t ended_ = 0;         ///< the end of the last record
    std::vector<uint64_t> ends_; ///< of records, as far as they wait
    Unwritten unwritten_;
    int error_ = 0;       ///< errno of the first failed write that failure() has not told yet
    bool broken_ = false; ///< a write failed: text is thrown away
};

} // namespace dt

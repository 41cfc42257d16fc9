// Writes the stream with write(2). A call of write(2) may write only a part, be interrupted, or fail. After a permanent
// failure nothing is written until the stream is redirected. The last section of this file stores text while the stream
// is blocked.
#include "libdtrace/output/output.hpp"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/time.hpp"
#include "libdtrace/output/output_target.hpp"

namespace dt {

namespace {

Error reason(int code)
{
    return Error{std::strerror(code), code};
}

int open_for_append(const std::string& path, int flags = 0)
{
    return ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | flags, 0666);
}

/// Returns whether the descriptor is a pipe, socket or terminal, whose reader may be slower than this process.
bool may_stand_still(int descriptor)
{
    struct stat status {};
    return ::fstat(descriptor, &status) == 0 &&
           (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || ::isatty(descriptor));
}

uint64_t size_of_file(int descriptor)
{
    struct stat status {};
    return ::fstat(descriptor, &status) == 0 ? static_cast<uint64_t>(status.st_size) : 0;
}

/// When a file exceeds its age limit, rotation waits for the end of a line, but at most for this time. A rotation that
/// fails is tried again after the same time.
constexpr uint64_t kLongestWait = 60 * kSecond;

uint64_t wall_clock()
{
    return static_cast<uint64_t>(now_ns(CLOCK_REALTIME));
}

/// Returns the creation time of the file (CLOCK_REALTIME ns), or the current time if the file is empty or its creation
/// time is not known.
uint64_t begin_of_file(int descriptor)
{
    struct statx known {};
    if (::statx(descriptor, "", AT_EMPTY_PATH, STATX_BTIME | STATX_SIZE, &known) != 0 ||
        (known.stx_mask & STATX_BTIME) == 0 || known.stx_size == 0)
        return wall_clock();
    return static_cast<uint64_t>(known.stx_btime.tv_sec) * kSecond + known.stx_btime.tv_nsec;
}

bool is_ready(int descriptor, int timeout_ms)
{
    pollfd ready{descriptor, POLLOUT, 0};
    return ::poll(&ready, 1, timeout_ms) > 0;
}

/// Writes like write(2), but fails with EAGAIN instead of blocking. O_NONBLOCK cannot be used, because it affects every
/// process that shares the stream.
ssize_t write_at_once(int descriptor, std::string_view bytes)
{
    iovec part{const_cast<char*>(bytes.data()), bytes.size()};
    const ssize_t written = ::pwritev2(descriptor, &part, 1, -1, RWF_NOWAIT);
    if (written >= 0 || (errno != EOPNOTSUPP && errno != EINVAL))
        return written;
    // a terminal, or a pipe of an older kernel, does not support RWF_NOWAIT; poll(2) is used instead
    if (!is_ready(descriptor, 0)) {
        errno = EAGAIN;
        return -1;
    }
    // A pipe that poll(2) reports as writable has room for PIPE_BUF bytes, so writing that many bytes does not block.
    return ::write(descriptor, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
}

} // namespace

Output::Output() : Output(STDOUT_FILENO) {}

Output::Output(int descriptor) : descriptor_(descriptor) {}

Output::~Output()
{
    send();
    if (saved_ >= 0)
        ::close(saved_);
    if (owned_)
        ::close(descriptor_);
}

Result<void> Output::set_file_owner(const std::string& user)
{
    Result<uid_t> number = output::uid_of_user(user);
    if (!number)
        return number.error();
    user_ = user;
    user_number_ = number.value();
    return {};
}

int Output::open_file(const std::string& path, int flags) const
{
    return user_.empty() ? open_for_append(path, flags) : output::open_owned_file(path, user_number_, flags);
}

Result<void> Output::open(const std::string& path)
{
    const int file = open_file(path, 0);
    if (file < 0)
        return reason(errno);
    send();
    if (owned_)
        ::close(descriptor_);
    descriptor_ = file;
    reader_ = Reader::Unknown;
    owned_ = true;
    path_ = path;
    broken_ = false;
    if (retry_.is_wanted)
        enable_retry();
    return {};
}

Result<void> Output::open_in_folder(const std::string& folder, const std::string& name)
{
    if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
        return reason(errno);
    const Result<void> opened = open(folder + "/" + name);
    if (opened)
        folder_ = folder;
    return opened;
}

Result<void> Output::connect(const std::string& path)
{
    Result<output::JournalSocket> made = output::JournalSocket::connect(path);
    if (!made)
        return made.error();
    send();
    socket_.emplace(std::move(made.value()));
    descriptor_ = socket_->descriptor();
    reader_ = Reader::Unknown;
    return {};
}

Result<void> Output::reopen()
{
    if (path_.empty())
        return {};
    // With O_NONBLOCK, opening a named pipe that has no reader fails instead of blocking.
    const int file = open_file(path_, O_NONBLOCK);
    if (file < 0)
        return reason(errno);
    ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
    return replace_file(file);
}

/// Makes the stream write to `file`, and closes the previous file of -o. While freopen() has redirected the stream,
/// replaces only the saved descriptor of -o.
Result<void> Output::replace_file(int file)
{
    const bool is_elsewhere = saved_ >= 0;
    if (!is_elsewhere)
        send();
    if (!is_elsewhere && retry_.blocked != 0)
        // removes the part of an incomplete record that was written to the old file; the whole record is then written
        // to the next file
        truncate_to_record();
    const int moved = ::dup3(file, is_elsewhere ? saved_ : descriptor_, O_CLOEXEC);
    reader_ = Reader::Unknown;
    const int code = moved < 0 ? errno : 0;
    ::close(file);
    if (code != 0)
        return reason(code);
    if (is_elsewhere) {
        has_new_file_ = true;
        return {};
    }
    ++files_;
    rotation_.file_size = size_of_file(descriptor_);
    if (rotation_.limits.age != 0)
        rotation_.too_old = begin_of_file(descriptor_) + rotation_.limits.age;
    broken_ = false;
    retry_.next = 0;
    return {};
}

Result<void> Output::rotate_at(const Rotation& at)
{
    struct stat status {};
    if (path_.empty() || !folder_.empty() || ::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode))
        return Error{"option rotate needs -o with the name of a regular file", EINVAL};
    rotation_.limits = at;
    rotation_.next = at.size;
    rotation_.file_size = static_cast<uint64_t>(status.st_size);
    rotation_.too_old = begin_of_file(descriptor_) + at.age;
    return {};
}

/// Renames the file and returns a new file under its name, with the mode of the renamed file. If another program has
/// already renamed the file, opens the file that is now at that path.
Result<int> Output::next_file() const
{
    struct stat status {
    }, named{};
    const bool is_there = ::stat(path_.c_str(), &named) == 0 && ::fstat(descriptor_, &status) == 0 &&
                          named.st_dev == status.st_dev && named.st_ino == status.st_ino;
    if (is_there)
        if (Result<void> renamed = output::rename_to_next(path_, rotation_.limits.kept); !renamed)
            return renamed.error();
    int file = -1;
    if (is_there && !user_.empty()) {
        file = output::create_owned_file(path_, user_number_);
    } else if (is_there) {
        const mode_t mode = status.st_mode & 0777;
        file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, mode);
        if (file >= 0)
            ::fchmod(file, mode); // fchmod() sets the mode regardless of the umask
    }
    if (file < 0)
        file = open_file(path_, O_NONBLOCK);
    if (file >= 0)
        return file;
    const int code = errno;
    if (is_there)
        output::rename_back(path_);
    return reason(code);
}

void Output::rotate()
{
    constexpr std::size_t kLongestLine = kLarge;
    if (!is_in_line() || rotation_.file_size + (text_.size() - sent_) >= rotation_.next + kLongestLine)
        begin_next_file();
}

void Output::rotate_if_old()
{
    if (rotation_.limits.age == 0 || saved_ >= 0)
        return;
    const uint64_t now = wall_clock();
    if (now < rotation_.too_old || (is_in_line() && now < rotation_.too_old + kLongestWait))
        return;
    if (rotation_.file_size + (text_.size() - sent_) == 0)
        // for an empty file, the age counts from the time when something is written to it
        rotation_.too_old = now + rotation_.limits.age;
    else
        begin_next_file();
}

void Output::begin_next_file()
{
    send();
    if (broken_ || retry_.blocked != 0)
        return;
    Result<int> file = next_file();
    const Result<void> replaced = file ? replace_file(file.value()) : Result<void>(file.error());
    rotation_.next = replaced ? rotation_.limits.size : rotation_.file_size + rotation_.limits.size;
    if (!replaced)
        rotation_.too_old = wall_clock() + kLongestWait;
    if (!replaced && !rotation_.failed)
        rotation_.failure = replaced.error().message;
    rotation_.failed = !replaced;
}

void Output::refuse_entry(int code)
{
    ++refused_.entries;
    refused_.reason = std::strerror(code);
    sent_ += entries_.front();
    entries_.pop_front();
}

/// Sends the next entry to the socket. An entry that the socket rejects is dropped, because the next may be accepted.
Output::Step Output::send_entry()
{
    switch (socket_->send(text_.view().substr(sent_, entries_.front()))) {
    case output::JournalSocket::Outcome::NoRoom:
        return Step::NotNow;
    case output::JournalSocket::Outcome::Refused:
        refuse_entry(errno);
        return Step::Done;
    case output::JournalSocket::Outcome::Sent:
        break;
    }
    sent_ += entries_.front();
    entries_.pop_front();
    return Step::Done;
}

Output::Step Output::write_some(bool may_wait)
{
    if (socket_)
        return send_entry();
    const std::string_view left = text_.view().substr(sent_);
    const ssize_t written =
        may_wait ? ::write(descriptor_, left.data(), left.size()) : write_at_once(descriptor_, left);
    if (written >= 0) {
        sent_ += static_cast<std::size_t>(written);
        rotation_.file_size += saved_ < 0 ? static_cast<std::size_t>(written) : 0;
        return Step::Done;
    }
    if (errno == EINTR)
        return Step::Done;
    if (errno != EAGAIN)
        return fail(errno);
    retry_.blocked = 0; // the pipe or terminal is full but not broken
    return Step::NotNow;
}

/// Removes written text from the buffer, and, after a permanent failure, removes all text. Moves the remaining text
/// only if that frees much memory.
void Output::forget_sent()
{
    const bool all = !is_waiting() || broken_;
    if (all)
        retry_.blocked = 0;
    if (retry_.is_on)
        note_written();
    if (!all && sent_ < kMax)
        return;
    const std::size_t used = text_.size();
    drop_front(all ? used : retry_.is_on && retry_.whole > retry_.base ? retry_.whole - retry_.base : sent_);
    text_.fit(used);
    offered_ = 0;
}

void Output::drop_front(std::size_t bytes)
{
    printed_ = has_printed();
    if (text_.size() != 0)
        last_ = text_.view().back();
    text_.drop(bytes);
    retry_.base += bytes;
    sent_ -= std::min(sent_, bytes);
}

/// Blocks until the descriptor is writable. Entries for a socket are dropped after ten seconds, so that the reader of a
/// log socket cannot prevent the end of the trace.
void Output::wait_for_room()
{
    constexpr int kMaxSilenceMs = 10'000;
    pollfd ready{descriptor_, POLLOUT, 0};
    if (::poll(&ready, 1, socket_ ? kMaxSilenceMs : -1) != 0)
        return;
    while (is_waiting())
        refuse_entry(ETIMEDOUT);
}

void Output::send()
{
    if (descriptor_ < 0)
        return;
    if (!may_try())
        return;
    Step step = Step::Done;
    while (is_waiting() && !broken_ && step != Step::Failed) {
        step = write_some(true);
        // the write would block: the stream is a socket, or another process has set O_NONBLOCK
        if (step == Step::NotNow)
            wait_for_room();
    }
    forget_sent();
}

void Output::offer()
{
    if (descriptor_ < 0)
        return;
    using Clock = std::chrono::steady_clock;
    // Waits up to this time for the reader. A reader that is running empties a pipe in less than one millisecond.
    constexpr std::chrono::milliseconds kPatience(20);
    if (!may_try()) {
        offered_ = text_.size();
        return;
    }
    if (is_waiting() && reader() == Reader::None)
        return send();
    std::optional<Clock::time_point> until;
    while (is_waiting() && !broken_) {
        const Step step = write_some(false);
        if (step == Step::Failed)
            break;
        if (step == Step::Done)
            continue;
        const auto now = Clock::now();
        if (!until)
            until = now + kPatience;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - now).count();
        if (left <= 0)
            break;
        is_ready(descriptor_, static_cast<int>(left));
    }
    forget_sent();
    offered_ = text_.size();
}

Result<void> Output::flush()
{
    send();
    return failure();
}

Result<void> Output::failure()
{
    if (error_ == 0)
        return {};
    const int code = error_;
    error_ = 0;
    return Error{std::string("cannot write output: ") + std::strerror(code), code};
}

Result<void> Output::redirect(const std::string& path)
{
    if (path.empty()) {
        if (saved_ < 0)
            return {};
        settle();
        ::dup2(saved_, descriptor_);
        reader_ = Reader::Unknown;
        ::close(saved_);
        saved_ = -1;
        broken_ = false;
        if (retry_.is_wanted)
            enable_retry();
        files_ += std::exchange(has_new_file_, false);
        return {};
    }
    if (socket_)
        return reason(ENOTSUP);
    const int file = open_for_append(path);
    if (file < 0)
        return reason(errno);
    settle();
    if (saved_ < 0)
        saved_ = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 3);
    // At exec, for system(), standard output must stay open and the descriptor of -o is closed.
    const int moved = owned_ ? ::dup3(file, descriptor_, O_CLOEXEC) : ::dup2(file, descriptor_);
    reader_ = Reader::Unknown;
    const int code = moved < 0 ? errno : 0;
    ::close(file);
    if (code != 0)
        return reason(code);
    broken_ = false;
    if (retry_.is_wanted)
        enable_retry();
    ++redirects_;
    return {};
}

/// Returns the kind of reader. The result is cached, because it is needed in each pass, and isatty() fails for a file:
/// tools that monitor system calls would report each of these failures.
Output::Reader Output::reader() const
{
    if (reader_ == Reader::Unknown)
        reader_ = ::isatty(descriptor_) ? Reader::Terminal : may_stand_still(descriptor_) ? Reader::Slow : Reader::None;
    return reader_;
}

std::optional<Output::Size> Output::terminal() const
{
    if (reader() != Reader::Terminal)
        return std::nullopt;
    winsize size{};
    if (::ioctl(descriptor_, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
        return Size{};
    return Size{size.ws_row, size.ws_col};
}

bool Output::refers_to(int descriptor) const
{
    struct stat mine {
    }, other{};
    return ::fstat(descriptor_, &mine) == 0 && ::fstat(descriptor, &other) == 0 && mine.st_dev == other.st_dev &&
           mine.st_ino == other.st_ino;
}

bool Output::file_is_empty()
{
    send();
    struct stat status {};
    return ::fstat(descriptor_, &status) == 0 && status.st_size == 0;
}

void Output::truncate()
{
    send();
    if (retry_.blocked != 0) { // the retries end, and the text that could not be written yet is discarded
        drop_front(text_.size());
        forget_sent();
    }
    if (::ftruncate(descriptor_, 0) != 0)
        return;
    ::lseek(descriptor_, 0, SEEK_SET);
    if (saved_ < 0)
        rotation_.file_size = 0;
}

// Handles an output stream to which nothing can be written for a while (enable_retry()). Stores unwritten text up to a
// limit, drops whole records that exceed the limit, and tracks record boundaries.

namespace {

constexpr uint64_t kRetryNs = kSecond;

} // namespace

/// Enables retries. A failed write to a terminal is not retried, because a terminal that has failed never works again.
void Output::enable_retry()
{
    struct stat status {};
    const bool has_name = saved_ >= 0 || owned_;
    retry_.is_wanted = true;
    retry_.is_on = !socket_ && ::fstat(descriptor_, &status) == 0 && ::isatty(descriptor_) == 0 &&
                   (has_name || S_ISREG(status.st_mode));
    retry_.blocked = 0;
    retry_.whole = retry_.base + sent_;
    retry_.ended = retry_.base + text_.size();
    retry_.ends.clear();
    if (retry_.ended != retry_.whole)
        retry_.ends.push_back(retry_.ended);
}

/// Returns whether an error may be temporary. EPIPE is permanent, except for a named pipe, which another reader can
/// open.
bool Output::may_pass(int code) const
{
    struct stat status {};
    const bool is_named_pipe = saved_ < 0 && ::lstat(path_.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
    return retry_.is_on && (code == ENOSPC || code == EDQUOT || code == EIO || (code == EPIPE && is_named_pipe));
}

bool Output::may_try() const
{
    return retry_.blocked == 0 || now_monotonic() >= retry_.next;
}

Output::Step Output::fail(int code)
{
    if (may_pass(code)) {
        retry_.blocked = code;
        retry_.next = now_monotonic() + kRetryNs;
    } else {
        error_ = code;
        broken_ = true;
    }
    return Step::Failed;
}

void Output::end_record(uint64_t end)
{
    const uint64_t begin = std::exchange(retry_.ended, end);
    retry_.ends.push_back(end);
    if (retry_.blocked == 0 || (text_.size() - sent_ <= kMax && retry_.ends.size() <= kMaxRecords) ||
        begin < retry_.base + sent_)
        return;
    retry_.unwritten.bytes += end - begin;
    ++retry_.unwritten.records;
    text_.cut(begin - retry_.base);
    retry_.ended = begin;
    retry_.ends.pop_back();
}

void Output::note_written()
{
    const auto first = std::upper_bound(retry_.ends.begin(), retry_.ends.end(), retry_.base + sent_);
    if (first == retry_.ends.begin())
        return;
    retry_.whole = *std::prev(first);
    retry_.ends.erase(retry_.ends.begin(), first);
}

/// Removes the written part of an incomplete record from the file, so that the whole record is written later.
void Output::truncate_to_record()
{
    const uint64_t written = retry_.base + sent_, part = written - retry_.whole;
    struct stat status {};
    if (written <= retry_.whole || retry_.whole < retry_.base || ::fstat(descriptor_, &status) != 0 ||
        !S_ISREG(status.st_mode))
        return;
    const off_t end = status.st_size - static_cast<off_t>(part);
    if (end < 0 || ::lseek(descriptor_, 0, SEEK_CUR) != status.st_size || ::ftruncate(descriptor_, end) != 0)
        return; // another process also writes to the file, so the end of the file may be that process's text
    ::lseek(descriptor_, end, SEEK_SET);
    sent_ -= part;
    if (saved_ < 0)
        rotation_.file_size -= std::min<uint64_t>(rotation_.file_size, part);
}

void Output::give_up_waiting()
{
    truncate_to_record();
    const uint64_t all = retry_.base + text_.size();
    retry_.unwritten.bytes += all - retry_.base - sent_;
    retry_.unwritten.records += retry_.ends.size() + (all > retry_.ended ? 1 : 0);
    drop_front(text_.size());
    sent_ = offered_ = 0;
    retry_.whole = retry_.ended = retry_.base;
    retry_.ends.clear();
}

int Output::settle()
{
    retry_.next = 0;
    send();
    if (retry_.blocked != 0)
        give_up_waiting();
    return retry_.blocked;
}

} // namespace dt

// Handles an output stream that cannot be written for a while: keeps text, drops complete records, and tracks record
// boundaries.
#include <algorithm>
#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/time.hpp"
#include "libdtrace/output/output.hpp"

namespace dt {
namespace {

constexpr uint64_t kRetryNs = kSecond;

uint64_t clock_of_retries()
{
    return static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC));
}

} // namespace

/// Enables retries, except on terminals: a failing terminal is gone for good.
void Output::outlast()
{
    struct stat status {};
    const bool has_name = saved_ >= 0 || owned_;
    may_outlast_ = true;
    outlasts_ = !socket_ && ::fstat(descriptor_, &status) == 0 && ::isatty(descriptor_) == 0 &&
                (has_name || S_ISREG(status.st_mode));
    stuck_ = 0;
    whole_ = base_ + sent_;
    ended_ = base_ + text_.size();
    ends_.clear();
    if (ended_ != whole_)
        ends_.push_back(ended_);
}

/// Returns whether an error may be temporary. EPIPE is final unless the pipe has a name by which a reader can open it
/// again.
bool Output::may_pass(int code) const
{
    struct stat status {};
    const bool is_named_pipe = saved_ < 0 && ::lstat(path_.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
    return outlasts_ && (code == ENOSPC || code == EDQUOT || code == EIO || (code == EPIPE && is_named_pipe));
}

bool Output::may_try() const
{
    return stuck_ == 0 || clock_of_retries() >= retry_;
}

Output::Step Output::fail(int code)
{
    if (may_pass(code)) {
        stuck_ = code;
        retry_ = clock_of_retries() + kRetryNs;
    } else {
        error_ = code;
        broken_ = true;
    }
    return Step::Failed;
}

void Output::end_record(uint64_t end)
{
    const uint64_t begin = std::exchange(ended_, end);
    ends_.push_back(end);
    if (stuck_ == 0 || (text_.size() - sent_ <= kMost && ends_.size() <= kMostRecords) || begin < base_ + sent_)
        return;
    unwritten_.bytes += end - begin;
    ++unwritten_.records;
    text_.cut(begin - base_);
    ended_ = begin;
    ends_.pop_back();
}

void Output::note_written()
{
    const auto first = std::upper_bound(ends_.begin(), ends_.end(), base_ + sent_);
    if (first == ends_.begin())
        return;
    whole_ = *std::prev(first);
    ends_.erase(ends_.begin(), first);
}

/// Removes the written part of an incomplete record from the file, so that the whole record is written later.
void Output::cut_back()
{
    const uint64_t written = base_ + sent_, part = written - whole_;
    struct stat status {};
    if (written <= whole_ || whole_ < base_ || ::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode))
        return;
    const off_t end = status.st_size - static_cast<off_t>(part);
    if (end < 0 || ::lseek(descriptor_, 0, SEEK_CUR) != status.st_size || ::ftruncate(descriptor_, end) != 0)
        return; // another process has appended to the file
    ::lseek(descriptor_, end, SEEK_SET);
    sent_ -= part;
    if (saved_ < 0)
        file_size_ -= std::min<uint64_t>(file_size_, part);
}

void Output::give_up_waiting()
{
    cut_back();
    const uint64_t all = base_ + text_.size();
    unwritten_.bytes += all - base_ - sent_;
    unwritten_.records += ends_.size() + (all > ended_ ? 1 : 0);
    drop_front(text_.size());
    sent_ = offered_ = 0;
    whole_ = ended_ = base_;
    ends_.clear();
}

int Output::settle()
{
    retry_ = 0;
    send();
    if (stuck_ != 0)
        give_up_waiting();
    return stuck_;
}

} // namespace dt

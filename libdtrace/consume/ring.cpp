// Returns the buffer's space to the kernel while reading.
#include "libdtrace/consume/ring.hpp"

#include <utility>

namespace dt::consume {

namespace {

constexpr unsigned kReleaseParts = 8; // space is returned in eighths of a buffer

} // namespace

void Ring::refresh()
{
    const uint64_t before = std::exchange(head_, written());
    if (head_ == before)
        found_nothing_new();
    crowded_ = head_ - tail_ > size_ / 4;
}

void Ring::pop()
{
    tail_ = next_;
    has_front_ = false;
    if (tail_ - released_ >= size_ / kReleaseParts)
        release();
}

void Ring::release()
{
    if (released_ == tail_)
        return;
    released_ = tail_;
    give_back(tail_);
}

} // namespace dt::consume

#include "libdtrace/consume/followers.hpp"

#include <cerrno>
#include <utility>

namespace dt::consume {

Result<void> Followers::add(std::shared_ptr<output::Follower> follower)
{
    const OutputFormat format = follower->format();
    if (format != OutputFormat::Text && format != OutputFormat::Jsonl && format != OutputFormat::Csv)
        return Error{"records are followed in formats text, jsonl and csv", EINVAL};
    if (!fork_)
        fork_ = std::make_unique<output::ForkedSink>(own_);
    fork_->add(std::move(follower), options_, env_, reproducible_);
    return {};
}

output::Sink& Followers::sink()
{
    if (fork_ && !fork_->has_followers())
        fork_.reset();
    return fork_ ? static_cast<output::Sink&>(*fork_) : own_;
}

} // namespace dt::consume

#include "cmd/hosts/tell_answers.hpp"

#include "cmd/messages.hpp"

namespace dt::cmd {

int tell_answers(const Arguments& arguments, const consume::Answers& answers, Output& output)
{
    constexpr std::size_t kFew = 10;
    if (const Result<void> flushed = output.flush(); !flushed) {
        say(arguments, flushed.error().message);
        return kFailure;
    }
    for (const std::string& line : answers.losses(arguments.verbose ? SIZE_MAX : kFew))
        say(arguments, line);
    say(arguments, answers.summary(arguments.verbose));
    return answers.is_complete() ? kSuccess : kFailure;
}

} // namespace dt::cmd

#include "cmd/shell/input.hpp"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace dt::shell {

Line PlainInput::read(const std::string& prompt)
{
    if (prompts_) {
        std::fputs(prompt.c_str(), stdout);
        std::fflush(stdout);
    }
    for (;;) {
        if (const auto end = buffered_.find('\n'); end != std::string::npos) {
            Line line{Line::Kind::Text, buffered_.substr(0, end)};
            buffered_.erase(0, end + 1);
            return line;
        }
        if (at_end_)
            return buffered_.empty() ? Line{} : Line{Line::Kind::Text, std::exchange(buffered_, {})};
        if (!interrupts_.wait_for(STDIN_FILENO)) {
            if (interrupts_.ends())
                return {};
            if (!interrupts_.take())
                continue;
            if (prompts_)
                std::fputs("\n", stdout); // ends the line in which the terminal shows ^C
            return prompts_ ? Line{Line::Kind::Interrupted, {}} : Line{};
        }
        char bytes[4096];
        const ssize_t got = ::read(STDIN_FILENO, bytes, sizeof bytes);
        if (got > 0)
            buffered_.append(bytes, static_cast<std::size_t>(got));
        else if (got == 0 || errno != EINTR)
            at_end_ = true;
    }
}

} // namespace dt::shell

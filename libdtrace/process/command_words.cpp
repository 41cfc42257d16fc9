// Splits a command line in one pass over its characters. It implements only quoting (POSIX XCU 2.2) of the shell's
// language.
#include "libdtrace/process/command_words.hpp"

#include <cerrno>
#include <optional>

namespace dt {
namespace {

constexpr std::string_view kBlank = " \t\n\v\f\r";

/// Characters with a meaning to a shell: some at every position, the operators only at the beginning of a word (a URL
/// may contain an &).
constexpr std::string_view kExpanded = "*$`", kOperators = "|&;<>";

class Splitter {
public:
    explicit Splitter(std::string_view text) : text_(text) {}

    Result<CommandWords> run()
    {
        for (; at_ < text_.size(); ++at_)
            if (const char c = text_[at_]; c == '\'' || c == '"') {
                if (!quoted(c))
                    return Error{std::string("a ") + c + " is not closed", EINVAL};
            } else if (c == '\\' && at_ + 1 < text_.size()) {
                word() += text_[++at_];
            } else if (kBlank.find(c) != kBlank.npos) {
                end_word();
            } else {
                note_shell(c);
                word() += c;
            }
        end_word();
        return std::move(result_);
    }

private:
    std::string& word() { return word_ ? *word_ : word_.emplace(); }

    void end_word()
    {
        if (word_)
            result_.words.push_back(std::move(*word_));
        word_.reset();
    }

    void note_shell(char c)
    {
        const bool begins = kOperators.find(c) != kOperators.npos && !word_;
        if (!result_.shell_only.empty() || (!begins && kExpanded.find(c) == kExpanded.npos))
            return;
        const std::string_view rest = text_.substr(at_);
        result_.shell_only = begins ? rest.substr(0, rest.find_first_not_of(kOperators)) : rest.substr(0, 1);
    }

    /// Takes the characters from the opening quote to the closing one.
    bool quoted(char quote)
    {
        word();
        for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
            const bool escapes = quote == '"' && text_[at_] == '\\' && at_ + 1 < text_.size() &&
                                 std::string_view("$`\"\\").find(text_[at_ + 1]) != std::string_view::npos;
            *word_ += escapes ? text_[++at_] : text_[at_];
        }
        return at_ < text_.size();
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::optional<std::string> word_;
    CommandWords result_;
};

} // namespace

Result<CommandWords> command_words(std::string_view text)
{
    return Splitter(text).run();
}

} // namespace dt

// Reads lines with GNU readline, or without it from a terminal or a pipe, and keeps the history file.
#include "cmd/shell/readline.hpp"

#include <fcntl.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/linkage.hpp"

namespace dt::shell {
namespace {

constexpr int kMaxEntries = 1000;

/// The object whose functions the library's callbacks call. It is global, because the library passes no user pointer to
/// callbacks.
Readline* current = nullptr;

char* copied(const std::string& text)
{
    return strdup(text.c_str());
}

std::string common_prefix(const std::vector<Candidate>& candidates)
{
    std::string prefix = candidates.front().name;
    for (const Candidate& candidate : candidates) {
        const auto end = std::mismatch(prefix.begin(), prefix.end(), candidate.name.begin(), candidate.name.end());
        prefix.erase(end.first, prefix.end());
    }
    return prefix;
}

} // namespace

/// Functions and variables of the library, with the types from its headers.
struct Readline::Library : OpenedLibrary {
    using OpenedLibrary::OpenedLibrary;

    decltype(::readline)* read_line = find("readline");
    decltype(::add_history)* add = find("add_history");
    decltype(::read_history)* read_file = find("read_history");
    decltype(::append_history)* append = find("append_history");
    decltype(::history_truncate_file)* truncate = find("history_truncate_file");
    decltype(::stifle_history)* stifle = find("stifle_history");
    decltype(::using_history)* begin_history = find("using_history");
    decltype(::rl_check_signals)* check_signals = find("rl_check_signals");
    decltype(::rl_readline_name)* name = find("rl_readline_name");
    decltype(::rl_getc_function)* get = find("rl_getc_function");
    decltype(::rl_done)* done = find("rl_done");
    decltype(::rl_line_buffer)* line = find("rl_line_buffer");
    decltype(::rl_point)* point = find("rl_point");
    decltype(::rl_completion_word_break_hook)* break_hook = find("rl_completion_word_break_hook");
    decltype(::rl_attempted_completion_function)* attempt = find("rl_attempted_completion_function");
    decltype(::rl_attempted_completion_over)* attempt_over = find("rl_attempted_completion_over");
    decltype(::rl_completion_append_character)* behind = find("rl_completion_append_character");
    decltype(::history_comment_char)* comment = find("history_comment_char");
    decltype(::history_write_timestamps)* timestamps = find("history_write_timestamps");
};

std::unique_ptr<Readline> Readline::open(Interrupts& interrupts, Complete complete)
{
    std::unique_ptr<Readline> readline(new Readline(interrupts, std::move(complete)));
    return readline->load() ? std::move(readline) : nullptr;
}

Readline::Readline(Interrupts& interrupts, Complete complete) : interrupts_(interrupts), complete_(std::move(complete))
{
}

Readline::~Readline()
{
    current = nullptr;
}

std::string Readline::library_name()
{
    return "libreadline.so." + std::to_string(RL_VERSION_MAJOR);
}

bool Readline::load()
{
    library_ = std::make_unique<Library>(library_name());
    if (!library_->is_complete())
        return false;
    current = this;
    *library_->name = "dtrace";
    *library_->get = get_character;
    *library_->break_hook = break_characters;
    *library_->attempt = matches;
    open_history();
    return true;
}

void Readline::open_history()
{
    library_->begin_history();
    library_->stifle(kMaxEntries);
    // Comment character of the history file. If it is set, the library writes a timestamp between entries, so that an
    // entry with several lines stays one entry.
    *library_->comment = '#';
    *library_->timestamps = 1;
    history_file_ = history_file();
    if (!history_file_.empty())
        library_->read_file(history_file_.c_str());
}

void Readline::remember(const std::string& entry)
{
    library_->add(entry.c_str());
    if (history_file_.empty())
        return;
    library_->append(1, history_file_.c_str());
    library_->truncate(history_file_.c_str(), kMaxEntries);
}

Line Readline::read(const std::string& prompt)
{
    interrupted_ = false;
    const std::unique_ptr<char, decltype(&std::free)> text(library_->read_line(prompt.c_str()), &std::free);
    if (interrupted_) {
        std::fputs("^C\n", stdout);
        std::fflush(stdout);
        return {Line::Kind::Interrupted, {}};
    }
    if (!text || interrupts_.ends())
        return {Line::Kind::End, {}};
    return {Line::Kind::Text, text.get()};
}

/// Reads a character. A signal ends the line early, and read() then discards it.
int Readline::get_character(FILE* stream)
{
    Readline& self = *current;
    for (;;) {
        if (self.interrupts_.wait_for(fileno(stream))) {
            unsigned char character = 0;
            const ssize_t got = ::read(fileno(stream), &character, 1);
            if (got == 1)
                return character;
            if (got == 0 || errno != EINTR)
                return EOF;
        }
        self.interrupted_ = self.interrupts_.take();
        if (self.interrupted_ || self.interrupts_.ends()) {
            *self.library_->done = 1;
            return '\n';
        }
        self.library_->check_signals(); // handles signals of the terminal, such as a resize
    }
}

/// Returns the characters that separate words for the library. This program has already determined the word to
/// complete. So the result contains every special character except those in this word.
char* Readline::break_characters()
{
    Readline& self = *current;
    self.completion_ = self.complete_(
        std::string_view(*self.library_->line).substr(0, static_cast<std::size_t>(*self.library_->point)));
    self.breaks_.clear();
    for (const char c : std::string_view(" \t\n\"\\'`@$><=;|&{(:,.[]})!+-*/%^~?#"))
        if (self.completion_.word.find(c) == std::string::npos)
            self.breaks_ += c;
    return self.breaks_.data();
}

/// Returns the candidates as a list that the library frees. Its first element is their common prefix, if there are
/// several.
char** Readline::matches(const char*, int, int)
{
    Readline& self = *current;
    *self.library_->attempt_over = self.completion_.is_file ? 0 : 1;
    const std::vector<Candidate>& candidates = self.completion_.candidates;
    if (candidates.empty())
        return nullptr;
    *self.library_->behind = candidates.size() == 1 ? candidates.front().behind : '\0';
    auto** const list = static_cast<char**>(std::calloc(candidates.size() + 2, sizeof(char*)));
    if (!list)
        return nullptr;
    list[0] = copied(common_prefix(candidates));
    if (candidates.size() > 1)
        for (std::size_t i = 0; i < candidates.size(); ++i)
            list[i + 1] = copied(candidates[i].name);
    return list;
}

namespace {

/// Creates the missing directories of the path.
void make_directories(const std::string& path)
{
    for (auto slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
        mkdir(path.substr(0, slash).c_str(), 0700);
    mkdir(path.c_str(), 0700);
}

/// Returns whether no other user can create files in the directory.
bool is_ours(const std::string& directory)
{
    struct stat found {};
    return lstat(directory.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid() &&
           (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string state_directory()
{
    if (const char* const state = std::getenv("XDG_STATE_HOME"); state && *state == '/')
        return state;
    const char* const home = std::getenv("HOME");
    return home && *home == '/' ? std::string(home) + "/.local/state" : std::string();
}

} // namespace

std::string history_file()
{
    const std::string state = state_directory();
    if (state.empty())
        return {};
    const std::string directory = state + "/dtrace", path = directory + "/history";
    make_directories(directory);
    if (!is_ours(directory))
        return {};
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return {};
    const bool is_private = fchmod(file, 0600) == 0;
    close(file);
    return is_private ? path : std::string();
}

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
                std::fputs("\n", stdout); // begins a new line after the one in which the terminal shows ^C
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

// Input of the shell: lines from a terminal or a pipe, with editing, completion and history by GNU readline.
//
// GNU readline is opened only when an interactive shell starts. If dtrace were linked with it, each trace would start
// 0.3 ms later (1.3 ms in total) and need 0.6 MB more. Without readline, lines are read as the terminal delivers them.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cmd/shell/complete.hpp"
#include "cmd/shell/shell.hpp"

namespace dt::shell {

/// Returns the path $XDG_STATE_HOME/dtrace/history or ~/.local/state/dtrace/history. Creates the file and its
/// directories, accessible to the owner only. Returns an empty string on failure. Also returns an empty string if
/// another user can write to the directory: the shell runs as root, and that user could replace the file by a link to
/// any other file.
std::string history_file();

// Sources of input lines: a terminal or a pipe.

struct Line {
    enum class Kind { Text, End, Interrupted };
    Kind kind = Kind::End;
    std::string text; ///< text of the line without the newline
};

class Input {
public:
    virtual ~Input() = default;
    virtual Line read(const std::string& prompt) = 0;
    /// Stores a complete entry in the history.
    virtual void remember(const std::string&) {}
};

/// Reads lines from standard input without line editing. `prompts`: whether it is a terminal, so that prompts are
/// printed.
class PlainInput final : public Input {
public:
    PlainInput(Interrupts& interrupts, bool prompts) : interrupts_(interrupts), prompts_(prompts) {}

    Line read(const std::string& prompt) override;

private:
    Interrupts& interrupts_;
    const bool prompts_;
    std::string buffered_;
    bool at_end_ = false;
};

class Readline final : public Input {
public:
    using Complete = std::function<Completion(std::string_view line)>;

    static std::string library_name();
    /// Opens the readline library. Returns null on failure. Only one object may exist at a time. Both arguments must
    /// outlive it.
    static std::unique_ptr<Readline> open(Interrupts& interrupts, Complete complete);
    ~Readline() override;

    Line read(const std::string& prompt) override;
    /// Adds an entry, which may have several lines, to the history and its file.
    void remember(const std::string& entry) override;

private:
    struct Library;
    Readline(Interrupts& interrupts, Complete complete);
    bool load();
    void open_history();

    // Functions that the readline library calls. They are static, because the library passes no pointer to the object.
    static int get_character(FILE* stream);
    static char* break_characters();
    static char** matches(const char* text, int begin, int end);

    Interrupts& interrupts_;
    Complete complete_;
    std::unique_ptr<Library> library_;
    std::string history_file_; ///< path of the history file; empty if the history is not saved
    Completion completion_;    ///< candidates for the word at the cursor
    std::string breaks_;
    bool interrupted_ = false;
};

} // namespace dt::shell

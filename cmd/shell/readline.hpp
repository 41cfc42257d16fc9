// Line editing, completion and history with GNU readline.
//
// The library is opened only when an interactive shell starts. Linking it would cost every trace 0.3 ms of its 1.3 ms
// start-up time and 0.6 MB. Without the library, lines are read as the terminal delivers them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cmd/shell/complete.hpp"
#include "cmd/shell/input.hpp"
#include "cmd/shell/interrupts.hpp"

namespace dt::shell {

class Readline final : public Input {
public:
    using Complete = std::function<Completion(std::string_view line)>;

    static std::string library_name();
    /// Opens the library; returns null on failure. Only one object may exist at a time. Both arguments must outlive it.
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

    // Callbacks of the library, which passes no context pointer.
    static int get_character(FILE* stream);
    static char* break_characters();
    static char** matches(const char* text, int begin, int end);

    Interrupts& interrupts_;
    Complete complete_;
    std::unique_ptr<Library> library_;
    std::string history_file_; ///< empty: the history is not saved
    Completion completion_;    ///< candidates for the word at the cursor
    std::string breaks_;
    bool interrupted_ = false;
};

} // namespace dt::shell

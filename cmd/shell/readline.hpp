// GNU readline, for a person at a terminal: lines with editing, completion and a history.
//
// The library is opened when a person begins a shell and not before: linked in, it costs every trace 0.3 ms at its
// start (of 1.3) and 0.6 MB. Where it is not installed lines are read as the terminal gives them.
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
    /// Null: the library cannot be opened. There may be one at a time. Both given must outlive it.
    static std::unique_ptr<Readline> open(Interrupts& interrupts, Complete complete);
    ~Readline() override;

    Line read(const std::string& prompt) override;
    /// A whole entry, of one or more lines, is called back as one. It is kept in the file of the history if there is
    /// one.
    void remember(const std::string& entry) override;

private:
    struct Library;
    Readline(Interrupts& interrupts, Complete complete);
    bool load();
    void open_history();

    // Called by the library, which knows of no object.
    static int get_character(FILE* stream);
    static char* break_characters();
    static char** matches(const char* text, int begin, int end);

    Interrupts& interrupts_;
    Complete complete_;
    std::unique_ptr<Library> library_;
    std::string history_file_; ///< empty: nothing is kept
    Completion completion_;    ///< of the word at the cursor
    std::string breaks_;
    bool interrupted_ = false;
};

} // namespace dt::shell

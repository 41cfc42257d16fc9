// A script that is open in an editor: its diagnostics, and the meaning of its names.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/shell/workbench.hpp"

namespace dt::lsp {

/// An error or warning; its location is given as offsets in the script's text.
struct Finding {
    std::size_t begin = 0, end = 0;
    bool is_error = true;
    /// `tag`: tag of dtrace-errors(7); `message`: text of the message, with the hint on a line of its own
    std::string tag, message;
};

class Document {
public:
    explicit Document(std::string path) : path_(std::move(path)) {}

    const std::string& text() const { return text_; }
    void replace_text(std::string text);
    /// Returns whether the text has changed since the last check().
    bool is_changed() const { return is_changed_; }

    /// Compiles the text for this machine, as `dtrace -e -s` does. Does not load the program. If there are no errors,
    /// the names in the text become available for completion.
    std::vector<Finding> check(shell::Workbench& workbench);

    /// Returns a description of the name or probe description at the offset, or an empty string.
    std::string meaning(shell::Workbench& workbench, std::size_t offset) const;

private:
    void keep_types(const Program& program);

    std::string path_, text_;
    bool is_changed_ = false;
    /// Declarations of variables and aggregations, by their names in D.
    std::map<std::string, std::string, std::less<>> types_;
};

} // namespace dt::lsp

// A script that an editor has open: what the compiler says of it, and what its names mean.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/shell/workbench.hpp"

namespace dt::lsp {

/// An error or a warning, and where it is: offsets into the text.
struct Finding {
    std::size_t begin = 0, end = 0;
    bool is_error = true;
    std::string tag, message; ///< with its hint, on a line of its own
};

class Document {
public:
    explicit Document(std::string path) : path_(std::move(path)) {}

    const std::string& text() const { return text_; }
    void replace_text(std::string text);
    /// Its text has changed since check().
    bool is_changed() const { return is_changed_; }

    /// Compiles it for this machine, as `dtrace -e -s` does; nothing is loaded. The names of a text without errors
    /// become the workbench's, for completion.
    std::vector<Finding> check(shell::Workbench& workbench);

    /// What is known of the name at a place, and of the probes of a description; empty: nothing.
    std::string meaning(shell::Workbench& workbench, std::size_t offset) const;

private:
    void keep_types(const Program& program);

    std::string path_, text_;
    bool is_changed_ = false;
    std::map<std::string, std::string, std::less<>> types_; ///< of variables and aggregations, as they are written
};

} // namespace dt::lsp

// The program saved by `dtrace -A`: its command line and the texts of its scripts. It can start without the original
// directory and without the preprocessor.
//
// It is a directory: `arguments` contains the words, each with a final NUL (like /proc/PID/cmdline), and 1.d, 2.d, …
// are the preprocessed scripts. A user who can write there would get root's rights at the next boot. So only root may,
// and files that others can write are not started.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "cmd/arguments.hpp"

namespace dt::anonymous {

struct SavedProgram {
    std::vector<std::string> words;
    std::vector<std::string> scripts; ///< texts of the scripts; `words` refers to them by number
};

/// Converts arguments to a saved program. `scripts` are the texts of those programs that are scripts, in order;
/// `directory` is the future location.
SavedProgram to_be_saved(const cmd::Arguments& arguments, std::vector<std::string> scripts,
                         const std::string& directory);

/// Saves a program. The previous one stays until the new one is complete. Errors name the file.
Result<void> save_program(const SavedProgram& program, const std::string& directory);
/// Returns the saved words, or ENOENT if no program is saved.
Result<std::vector<std::string>> read_saved_words(const std::string& directory);
/// Returns false if no program was saved.
Result<bool> remove_saved_program(const std::string& directory);

} // namespace dt::anonymous

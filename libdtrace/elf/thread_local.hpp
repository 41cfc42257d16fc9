// What a file says of a thread-local variable: where it is in the block of the file's own, and which words of the file
// the loader fills with where it is in a thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dt {

class ForeignFiles;

struct ThreadLocal {
    enum class Filled : uint32_t {
        Offset,     ///< a word with its offset from the thread pointer
        Descriptor, ///< a function, and a word that it is given
        Module      ///< a number of a module, and an offset in its block
    };
    struct Word {
        uint64_t address = 0; ///< link-time
        Filled how = Filled::Offset;
        uint32_t unused = 0;
    };
    bool is_defined = false;
    uint64_t offset = 0;                         ///< in the block, where it is defined
    uint64_t begin = 0, size = 0, alignment = 1; ///< of the block: PT_TLS
    std::vector<Word> words;

    /// The file defines it, or uses it.
    bool is_there() const { return is_defined || !words.empty(); }
    /// From the thread pointer, if the file is the one that was executed: then it is the same in all its processes.
    int64_t offset_in_executable() const;
};

/// Of the variable in which the OpenTelemetry thread context is (OTEP 4947).
ThreadLocal thread_context_variable(ForeignFiles& files, const std::string& path);

} // namespace dt

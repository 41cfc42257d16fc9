// One entry of systemd's journal, as its native protocol has it (systemd.io/JOURNAL_NATIVE_PROTOCOL): NAME=value and a
// newline for each field; a value that holds newlines comes behind its name and a newline, with its length in front.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "libdtrace/format/text.hpp"

namespace dt::output {

class JournalEntry {
public:
    /// `name` is of upper-case letters, digits and underscores; the same may come several times.
    void add(std::string_view name, std::string_view value)
    {
        entry_.append(name);
        if (value.find('\n') == std::string_view::npos) {
            entry_.append('=');
        } else {
            entry_.append('\n');
            for (unsigned byte = 0; byte < 8; ++byte) // least significant first
                entry_.append(static_cast<char>(uint64_t{value.size()} >> 8 * byte));
        }
        entry_.append(value);
        entry_.append('\n');
    }
    void add(std::string_view name, std::integral auto number) { add(name, std::string_view(std::to_string(number))); }
    void add(const JournalEntry& fields) { entry_.append(fields.view()); }

    std::string_view view() const { return entry_.view(); }
    void clear() { entry_.clear(); }

private:
    format::Text entry_;
};

/// "aggregation_memory" -> "DTRACE_AGGREGATION_MEMORY": the field for what programs know by this name.
inline std::string journal_field(std::string_view name)
{
    std::string field = "DTRACE_";
    for (const char c : name)
        field += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return field;
}

} // namespace dt::output

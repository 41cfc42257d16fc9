// One entry in the native protocol of systemd's journal (systemd.io/JOURNAL_NATIVE_PROTOCOL). A field is NAME=value and
// a newline. If the value contains newlines, the field consists of NAME, a newline, the value's 64-bit length, the
// value and a newline.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "libdtrace/format/text.hpp"

namespace dt::output {

class JournalEntry {
public:
    /// Adds a field. `name` consists of upper-case letters, digits and underscores. An entry may contain several fields
    /// with one name.
    void add(std::string_view name, std::string_view value)
    {
        entry_.append(name);
        if (value.find('\n') == std::string_view::npos) {
            entry_.append('=');
        } else {
            entry_.append('\n');
            // appends the length of the value as a 64-bit number, least significant byte first
            for (unsigned byte = 0; byte < 8; ++byte)
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

/// Returns the journal field for a member name of format jsonl: "aggregation_memory" becomes
/// "DTRACE_AGGREGATION_MEMORY".
inline std::string journal_field(std::string_view name)
{
    std::string field = "DTRACE_";
    for (const char c : name)
        field += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return field;
}

} // namespace dt::output

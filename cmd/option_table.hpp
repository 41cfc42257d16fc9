// Every option of the command, one entry each: letter, long name, what it does with its value, its line in the usage
// text.
#pragma once

#include <span>
#include <string_view>

#include "cmd/arguments.hpp"

namespace dt::cmd {

/// What an option is for; decides where the parser puts it.
enum class Role : uint8_t {
    Setting,
    Program,
    Process,
    Mode,
    DataModel,
    Output,
    CompileOnly,
    Verbose,
    BufferDump,
    Shorthand,
    Hosts,
    Carrier,
    HostsText,
    Policy,
    Why, ///< a mode, with what it is asked
    Ask, ///< a mode, with a script
    Kernel,
    Bundle ///< a mode, with its file
};

struct OptionEntry {
    char letter = 0; ///< 0: long form only
    std::string_view long_name;
    bool value = false;
    Role role = Role::Setting;
    std::string_view help; ///< empty: not in the usage text's list
    SpecKind kind = SpecKind::Name;
    Mode mode = Mode::Run;
    std::string_view fixed; ///< the only value that -3 and -6 take; the option of -x that a Shorthand stands for
};

std::span<const OptionEntry> option_table();

/// -n, -s and their like: that of a program of this kind.
char letter_of(SpecKind kind);

/// Whether it is about the preprocessor: who keeps a script keeps it as that left it.
bool concerns_preprocessor(const Setting& setting);

} // namespace dt::cmd

// The table of command-line options: letter, long name, treatment of the value, and line in the usage text.
#pragma once

#include <span>
#include <string_view>

#include "cmd/common/arguments.hpp"

namespace dt::cmd {

/// Kind of an option. It determines where the parser stores the option's value.
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
    FailedCall, ///< option that selects a mode; the value is a failing call and its error
    Check,      ///< option that selects a mode; the value is a script
    Kernel,
    Bundle ///< option that selects a mode; the value is a file
};

struct OptionEntry {
    char letter = 0; ///< letter of the option; 0: the option has only a long name
    std::string_view long_name;
    bool value = false;
    Role role = Role::Setting;
    std::string_view help; ///< line of the usage text; empty: the option is not listed there
    SpecKind kind = SpecKind::Name;
    Mode mode = Mode::Run;
    std::string_view fixed; ///< for -3 and -6: the only valid value; for a Shorthand option: the -x option that it sets
};

std::span<const OptionEntry> option_table();

/// A verb of `dtrace service`: a request to a running service, such as attach.
struct ServiceVerb {
    std::string_view name;
    std::string_view operand; ///< operand of the verb as the help prints it; empty: the verb takes none
    Mode mode = Mode::Status;
    std::string_view help;
};

std::span<const ServiceVerb> service_verbs();

/// Returns the letter of the option (-n, -s, …) for this kind of program.
char letter_of(SpecKind kind);

/// Returns whether the setting is one of the preprocessor. Such settings are not saved with a script, because saved
/// scripts are already preprocessed.
bool concerns_preprocessor(const Setting& setting);

} // namespace dt::cmd

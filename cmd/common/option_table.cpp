// The option table, and the usage text made from it (dtrace(8), OPTIONS).
#include "cmd/common/option_table.hpp"

#include <algorithm>
#include <iterator>

#include "libdtrace/options/options.hpp"

namespace dt::cmd {
namespace {

// clang-format off
constexpr OptionEntry kOptions[] = {
    {'3', "",             true,  Role::DataModel,   "", {}, {}, "2"},
    {'6', "",             true,  Role::DataModel,   "", {}, {}, "4"},
    {'a', "",             false, Role::Mode,        "print the records traced since boot, and let the trace continue; with -e, end the trace", {}, Mode::Claim},
    {'A', "",             false, Role::Mode,        "save a program that is traced from boot; without a program, remove the saved one", {}, Mode::SaveAnonymous},
    {'b', "buffer-size",  true,  Role::Setting,     "set the size of the trace buffers"},
    {'B', "",             false, Role::BufferDump,  ""},
    {'c', "command",      true,  Role::Process,     "run a command, and trace until it ends"},
    {'C', "cpp",          false, Role::Setting,     "run the C preprocessor on scripts"},
    {'D', "define",       true,  Role::Setting,     "define a macro for the preprocessor"},
    {'e', "compile-only", false, Role::CompileOnly, "compile, then exit without tracing"},
    {'f', "function",     true,  Role::Program,     "trace or list the probes of a function", SpecKind::Function},
    {'F', "flowindent",   false, Role::Setting,     "indent lines by function entry and return"},
    {'G', "link",         false, Role::Mode,        "build an ELF object file that describes user probes", {}, Mode::Link},
    {'h', "header",       false, Role::Mode,        "build a C header with macros for user probes", {}, Mode::Header},
    {'H', "",             false, Role::Setting,     "print the names of the files that the preprocessor includes"},
    {'i', "id",           true,  Role::Program,     "trace or list the probe with this id", SpecKind::ProbeId},
    {'I', "include",      true,  Role::Setting,     "add a directory of headers for the preprocessor"},
    {'k', "",             false, Role::Setting,     "no effect; build scripts for other tracers pass it with -G and -h"},
    {'l', "list",         false, Role::Mode,        "list probes that match", {}, Mode::List},
    {'L', "library",      true,  Role::Setting,     "add a directory of D libraries"},
    {'m', "module",       true,  Role::Program,     "trace or list the probes of a module", SpecKind::Module},
    {'n', "name",         true,  Role::Program,     "trace or list the probes of this name", SpecKind::Name},
    {'o', "output",       true,  Role::Output,      "append trace output to a file"},
    {'p', "pid",          true,  Role::Process,     "trace until this process ends"},
    {'P', "provider",     true,  Role::Program,     "trace or list the probes of a provider", SpecKind::Provider},
    {'q', "quiet",        false, Role::Setting,     "print only the output of the program itself"},
    {'s', "script",       true,  Role::Program,     "run a D script", SpecKind::Script},
    {'S', "disassemble",  false, Role::Setting,     "print the generated code"},
    {'U', "undefine",     true,  Role::Setting,     "undefine a macro for the preprocessor"},
    {'v', "verbose",      false, Role::Verbose,     "report stability and argument types"},
    {'V', "version",      false, Role::Mode,        "print the version of the D language", {}, Mode::Version},
    {'w', "destructive",  false, Role::Setting,     "allow destructive actions"},
    {'x', "option",       true,  Role::Setting,     "set an option of the compiler or the tracer"},
    {'X', "",             true,  Role::Setting,     "select the preprocessor's dialect of C: a, c or t (ISO C), s (traditional)"},
    {'Z', "allow-zero",   false, Role::Setting,     "allow probe descriptions that match nothing"},
    {0,   "help",         false, Role::Mode,        "print the most common options; --help=all prints every option", {}, Mode::Help, "all"},
    {0,   "tools",        false, Role::Mode,        "list the ready scripts", {}, Mode::Tools},
    {0,   "shell",        false, Role::Mode,        "enter clauses interactively, run them, change them, and run them again", {}, Mode::Shell},
    {0,   "agent",        false, Role::Mode,        "answer JSON requests on standard input, with limits on each run: for programs that write D", {}, Mode::Agent},
    {0,   "lsp",          false, Role::Mode,        "run a language server for editors on standard input and output", {}, Mode::Lsp},
    {0,   "doctor",       false, Role::Mode,        "check what this machine and user can trace, and suggest remedies", {}, Mode::Doctor},
    {0,   "merge",        false, Role::Mode,        "merge the results of several hosts, written with -x format=snapshot", {}, Mode::Merge},
    {0,   "bundle",       true,  Role::Bundle,      "write the program to a file, with compiled code for machines like this one", {}, Mode::MakeBundle},
    {0,   "run-bundle",   true,  Role::Bundle,      "run a file that --bundle wrote", {}, Mode::RunBundle},
    {0,   "postmortem",   false, Role::Mode,        "print the records of traces with -x bufpolicy=ring from a kernel crash dump", {}, Mode::Postmortem},
    {0,   "hosts",        true,  Role::Hosts,       "trace on these hosts and merge the results"},
    {0,   "rsh",          true,  Role::Carrier,     "remote-execution command for --hosts (default: clush -n -w %h)"},
    {0,   "send-source",  false, Role::HostsText,   "send the hosts the source of the program, which they compile themselves"},
    {0,   "policy",       true,  Role::Policy,      "refuse to trace above the limits in this file (default for requests of --hosts: /etc/dtrace/policy)"},
    {0,   "top",          false, Role::Shorthand,   "show the aggregations every second, the largest first", {}, {}, "top"},
    {0,   "estimate",     false, Role::Shorthand,   "count firings for a second and print the expected cost of tracing, and do not trace", {}, {}, "estimate"},
    {0,   "annotate",     false, Role::Shorthand,   "print at the end the cost of each instruction of the compiled programs", {}, {}, "annotate"},
    {0,   "trace-errno",  true,  Role::FailedCall,  "for each failing call, find the kernel function that first returned the error", {}, Mode::TraceErrno},
    {0,   "check-kernel", true,  Role::Check,       "check whether a script works on other kernels, and how its probes would be attached", SpecKind::Script, Mode::CheckKernel},
    {0,   "kernel",       true,  Role::Kernel,      "kernel to check with --check-kernel: a file with its types (BTF)"},
    {0,   "service",      false, Role::Mode,        "run every script of a directory (/etc/dtrace/scripts.d) until the service is ended", {}, Mode::Service},
    {0,   "anonymous",    false, Role::Mode,        "trace the program that -A saved, in the background; -a prints its records", {}, Mode::Anonymous},
    {0,   "initramfs",    false, Role::Mode,        "write scripts (/etc/initramfs-tools) that let an initramfs start the program that -A saved", {}, Mode::Initramfs},
};

constexpr ServiceVerb kServiceVerbs[] = {
    {"status", "[NAME]", Mode::Status, "show the state of every script, or of one script"},
    {"attach", "FILE",   Mode::Attach, "run one more script, until it is detached or the service ends"},
    {"detach", "NAME",   Mode::Detach, "end a script"},
    {"show",   "NAME",   Mode::Show,   "print the current aggregations of a script"},
    {"follow", "NAME",   Mode::Follow, "print the new records of a script, until ^C"},
    {"reload", "",       Mode::Reload, "read the directory of scripts again: start, replace and end scripts"},
    {"cost",   "NAME",   Mode::Cost,   "print the cost and the maximum memory of a script"},
};
// clang-format on

constexpr std::string_view kSynopsis = R"( [-32|-64] [-CeFGhHlqSvVwZ] [-b bufsz] [-c cmd] [-D name[=def]]
	[-I path] [-L path] [-o output] [-p pid] [-s script] [-U name]
	[-x opt[=val]] [-X a|c|s|t]
	[-P provider [[ predicate ] action ]]
	[-m [ provider: ] module [[ predicate ] action ]]
	[-f [[ provider: ] module: ] func [[ predicate ] action ]]
	[-n [[[ provider: ] module: ] func: ] name [[ predicate ] action ]]
	[-i probe-id [[ predicate ] action ]] [ args ... ]
       NAME service status|attach|detach|show|follow|reload|cost [ args ... ]

	predicate -> '/' D-expression '/'
	   action -> '{' D-statements '}'

	-32  make the D program's data model 32-bit
	-64  make the D program's data model 64-bit
)";

constexpr std::string_view kShort = R"( [options] -n 'PROBE /PREDICATE/ { ACTIONS }' | -s SCRIPT  [arguments]

Examples, as root:
	NAME -n 'syscall::openat:entry { printf("%s %s", execname, copyinstr(arg1)); }'	print opened files
	NAME -n 'syscall:::entry { @[execname, probefunc] = count(); }'	count system calls by program, until ^C
	NAME -n 'profile-99 { @[ustack(5)] = count(); }' -c ./program	sample the stacks of a program
	NAME -ln 'proc:::'	list the probes of a provider
	NAME -s opensnoop	run a ready script

Learn:	man dtrace-tutorial (start here), man dtrace (the command), man dtrace-providers (the probes)
	--tools	list the ready scripts
	--estimate	print the expected cost of a program, and do not run it
	--shell	enter clauses interactively, run them, change them, and run them again
	--doctor	check what this machine and user can trace
Programs:
	-n, -s	run a program from the command line, or a script
	-c, -p	trace a command that is started, or a process by its id
	-l, -lv	list probes; with -v also the types of their arguments
	-w	allow destructive actions, which change the system
Output:
	-q	print only the output of the program itself
	-o	append the output to a file
	-F	indent lines by function entry and return
	--top	show the aggregations every second, the largest first
	-x	set an option, such as -x format=jsonl or -x strsize=1k

	--help=all	print every option; --version	print the version and how it was built
)";

/// Returns one line for each verb of `dtrace service`.
std::string verb_lines(std::string_view prefix)
{
    std::string text;
    for (const ServiceVerb& verb : kServiceVerbs)
        text += std::string(prefix) + std::string(verb.name) + (verb.operand.empty() ? "" : " ") +
                std::string(verb.operand) + "  " + std::string(verb.help) + "\n";
    return text;
}

} // namespace

std::string help_text(std::string_view program_name)
{
    constexpr std::string_view kName = "NAME";
    std::string text = "Usage: " + std::string(program_name) + std::string(kShort);
    for (std::size_t at = text.find(kName); at != std::string::npos; at = text.find(kName, at + program_name.size()))
        text.replace(at, kName.size(), program_name);
    return text;
}

std::string service_help_text(std::string_view program_name)
{
    const std::string name(program_name);
    return "Usage: " + name +
           " service VERB [-x control=PATH] [-x format=jsonl]\n\nSends a request to a running service:\n" +
           verb_lines("\t") + "\n" + name + " --service starts a service; man dtrace-service describes it.\n";
}

std::span<const OptionEntry> option_table()
{
    return kOptions;
}

std::span<const ServiceVerb> service_verbs()
{
    return kServiceVerbs;
}

char letter_of(SpecKind kind)
{
    for (const OptionEntry& entry : kOptions)
        if (entry.role == Role::Program && entry.kind == kind)
            return entry.letter;
    return 'n';
}

bool concerns_preprocessor(const Setting& setting)
{
    constexpr std::string_view kNames[] = {"cpp", "cpphdrs", "cpppath", "cppargs", "define", "undef", "incdir", "stdc"};
    if (setting.letter != 'x')
        return std::string_view("CDHIUX").find(setting.letter) != std::string_view::npos;
    const std::string_view name = std::string_view(setting.value).substr(0, setting.value.find_first_of("=+"));
    return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::string usage_text(std::string_view program_name)
{
    std::string text = "Usage: " + std::string(program_name) + std::string(kSynopsis);
    constexpr std::string_view kName = "NAME";
    text.replace(text.find(kName), kName.size(), program_name);
    for (const OptionEntry& entry : kOptions)
        if (!entry.help.empty())
            text += (entry.letter != 0 ? std::string("\t-") + entry.letter : "\t--" + std::string(entry.long_name)) +
                    "  " + std::string(entry.help) + "\n";
    text += "\n" + verb_lines("\tservice ") + "\n";
    for (const char* option : {"format", "errors", "evaltime"})
        text += std::string("\t-x ") + option + "=...  " + Options::meant(option) + "\n";
    return text;
}

} // namespace dt::cmd

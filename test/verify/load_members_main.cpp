// load_members [--every N] [--of-many N] [--from K] [--list] [-c COMMAND] [DESCRIPTION...]: generates programs that
// read every member of all probes and translators, and checks that this kernel's verifier accepts them.
//
// For each provider, or each given probe description, generates statements that read:
// - every typed argument of every probe, with nested members;
// - the raw arguments, and the variables of D.
// For each translator of the D library, generates statements that read every member of its output.
// Each statement has one of four results: loaded; compiled (this kernel has no mechanism to attach it); refused with a
// tagged error; or wrong: an internal error, or a refusal by the verifier. No program is attached. Prints a row of
// counts for each provider, and with --list the refused statements with reasons. Status 1: at least one statement is
// wrong.
//
// A provider may have many probes with arguments of the same types. Then probes are skipped if earlier probes had all
// types of their arguments. --every N takes every Nth probe and translator, beginning with the Kth. --of-many N
// additionally takes only every Nth of these from a provider with more than 300 probes.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>

#include "dcompiler/driver/libraries.hpp"
#include "dcompiler/sema/program/builtins.hpp"
#include "libdtrace/session/program_file.hpp"
#include "test/verify/load_attempts.hpp"
#include "test/verify/member_statements.hpp"

using namespace dt;
using namespace dt::verify;

namespace {

/// if a provider has at most this number of probes, each probe gets its own clauses
constexpr std::size_t kFewProbes = 300;

struct Settings {
    std::size_t every = 1, of_many = 1, from = 0;
    bool list = false;
    std::string command;
    std::vector<std::string> descriptions;
};

/// Types of this kernel, found by their names. The types live as long as this object.
class NamedTypes {
public:
    explicit NamedTypes(Session& session) : session_(session) {}

    /// Returns the type; null if this kernel has no type of this name.
    const Type* find(const std::string& text)
    {
        const auto [entry, is_new] = known_.try_emplace(text, nullptr);
        if (!is_new)
            return entry->second;
        const std::string program = "BEGIN { this->t = (" + text + " *)NULL; }";
        auto trace = std::make_unique<Trace>(session_, session_.options());
        if (!trace->add({Source::Kind::CommandLine, program, program}, SpecKind::Name, macros_of_process(0)))
            return nullptr;
        for (const Variable& variable : trace->program().variables)
            if (variable.name == "t")
                entry->second = variable.type->resolve()->target;
        traces_.push_back(std::move(trace));
        return entry->second;
    }
    TypeTable& table()
    {
        find("int");
        return *traces_.front()->program().types;
    }

private:
    Session& session_;
    std::map<std::string, const Type*> known_;
    std::deque<std::unique_ptr<Trace>> traces_;
};

class Generator {
public:
    Generator(Session& session, const Settings& settings)
        : session_(session), settings_(settings), types_(session), attempts_(session)
    {
    }

    void translators()
    {
        Verdicts verdicts;
        for (const sema::LibraryFile& file : sema::library_files())
            for (std::size_t at = 0; (at = file.text.find("\ntranslator ", at)) != std::string_view::npos; ++at)
                if (is_chosen())
                    translator(file.text.substr(at, file.text.find('{', at) - at), verdicts);
        report("translators", verdicts);
    }

    void description(const std::string& text)
    {
        Trace trace(session_, session_.options());
        const std::string program = text + " { }";
        if (!trace.add({Source::Kind::CommandLine, program, program}, SpecKind::Name,
                       macros_of_process(session_.processes().first_pid())))
            return;
        Verdicts verdicts;
        MemberStatements members;
        const std::vector<const Probe*>& probes = trace.program().statements.front().probes;
        for (const Probe* probe : probes)
            if (is_chosen(probes.size() > kFewProbes ? settings_.of_many : 1))
                one_probe(*probe, probes.size() <= kFewProbes, members, verdicts);
        if (!probes.empty())
            variables(probes.front()->full_name(), verdicts);
        report(text, verdicts);
    }

    int status() const
    {
        print_row("all", all_);
        return all_.internal.empty() ? 0 : 1;
    }

private:
    bool is_chosen(std::size_t part = 1)
    {
        const std::size_t every = settings_.every * part;
        return counter_++ % every == settings_.from % every;
    }

    /// Reads the members of a translator's output. `head` begins with "translator OUT < IN NAME > ".
    void translator(std::string_view head, Verdicts& verdicts)
    {
        const std::size_t open = head.find('<'), close = head.find('>');
        std::string output(head.substr(12, open - 12)), input(head.substr(open + 1, close - open - 1));
        while (output.ends_with(' '))
            output.pop_back();
        input.erase(input.find_last_not_of(' ') + 1);
        // removes the name of the translator's input, so that its type remains
        input.erase(input.find_last_of(" *") + 1);
        const Type* const type = types_.find(output);
        const Type* const from = types_.find(input);
        if (!type || !from)
            return verdicts.internal.push_back("no type " + (type ? input : output));
        const std::string value =
            from->is_record() ? "*(" + input + "*)NULL" : "(" + input + ")" + (from->is_pointer() ? "NULL" : "0");
        const std::string object = "xlate <" + output + "> (" + value + ")";
        std::vector<std::string> statements{"this->copy = " + object + ";", "print(" + object + ");"};
        for (const Member& member : type->resolve()->members())
            MemberStatements().append(object + "." + member.name, member.type, statements);
        attempts_.attempt("BEGIN", std::move(statements), verdicts);
    }

    const Type* type_of(const ProbeArgument& argument)
    {
        if (!argument.translated.empty())
            return types_.find(argument.translated);
        if (argument.type)
            return argument.type(types_.table());
        return types_.find((argument.userland ? "userland " : "") + argument.native);
    }

    void one_probe(const Probe& probe, bool always, MemberStatements& members, Verdicts& verdicts)
    {
        const ProbeSignature& signature = session_.world().probes().signature(probe);
        std::vector<const Type*> types;
        bool is_new = always;
        for (const ProbeArgument& argument : signature.arguments) {
            types.push_back(type_of(argument));
            is_new |= types.back() && (members.is_new(types.back()) ||
                                       scalars_.insert(probe.provider + " " + to_string(types.back())).second);
        }
        if (!is_new)
            return;
        std::vector<std::string> statements;
        for (std::size_t i = 0; i < types.size(); ++i) {
            const std::string place = "args[" + std::to_string(i) + "]";
            statements.push_back("trace(" + place + ");");
            statements.push_back("this->a" + std::to_string(i) + " = " + place + ";");
            statements.push_back("print(" + place + ");");
            if (types[i] && signature.arguments[i].translated.empty())
                members.append(place, types[i], statements);
            else if (types[i])
                // Reads all members for each probe, because a translator's expressions for an argument differ between
                // probes.
                MemberStatements().append(place, types[i], statements);
        }
        for (unsigned i = 0; i < 10; ++i)
            statements.push_back("trace(arg" + std::to_string(i) + ");");
        attempts_.attempt(probe.full_name(), std::move(statements), verdicts);
    }

    void variables(const std::string& probe, Verdicts& verdicts)
    {
        std::vector<std::string> statements;
        for (const BuiltinVariable& variable : builtin_variables())
            statements.push_back("trace(" + std::string(variable.name) + (variable.is_array() ? "[0]" : "") + ");");
        for (const char* const stack : {"stack()", "ustack()", "jstack()", "stack(3)", "ustack(3)"})
            statements.push_back(std::string(stack) + ";");
        for (const auto& [object, type] : {std::pair{"curpsinfo", "psinfo_t *"},
                                           std::pair{"curlwpsinfo", "lwpsinfo_t *"}, std::pair{"curcpu", "cpuinfo_t *"},
                                           std::pair{"(&fds[0])", "fileinfo_t *"}, std::pair{"fds[0]", "fileinfo_t"},
                                           std::pair{"blockedon", "blockinfo_t"}, std::pair{"waker", "wakerinfo_t"}})
            if (const Type* const found = types_.find(type))
                MemberStatements().append(object, found, statements);
        attempts_.attempt(probe, std::move(statements), verdicts);
    }

    static void print_row(const std::string& name, const Verdicts& verdicts)
    {
        uint64_t refused = 0;
        for (const auto& [tag, count] : verdicts.refused)
            refused += count;
        std::printf("%-24s %8llu statements: %8llu loaded, %8llu compiled, %6llu refused, %4zu wrong\n", name.c_str(),
                    static_cast<unsigned long long>(verdicts.statements()),
                    static_cast<unsigned long long>(verdicts.loaded),
                    static_cast<unsigned long long>(verdicts.compiled), static_cast<unsigned long long>(refused),
                    verdicts.internal.size());
        std::fflush(stdout);
    }

    void report(const std::string& name, const Verdicts& verdicts)
    {
        if (verdicts.statements() == 0)
            return;
        print_row(name, verdicts);
        if (settings_.list)
            for (const auto& [message, count] : verdicts.messages)
                std::printf("    %6llu %s\n", static_cast<unsigned long long>(count), message.c_str());
        for (const std::string& line : verdicts.internal)
            std::printf("    wrong: %s\n", line.c_str());
        std::fflush(stdout);
        all_.add(verdicts);
    }

    Session& session_;
    const Settings& settings_;
    NamedTypes types_;
    LoadAttempts attempts_;
    std::set<std::string> scalars_;
    std::size_t counter_ = 0;
    Verdicts all_;
};

Settings settings_of(int argc, char** argv)
{
    Settings settings;
    for (int i = 1; i < argc; ++i)
        if (const std::string word = argv[i]; word == "--list")
            settings.list = true;
        else if (word == "--every" && i + 1 < argc)
            settings.every = std::max(1ul, std::strtoul(argv[++i], nullptr, 10));
        else if (word == "--of-many" && i + 1 < argc)
            settings.of_many = std::max(1ul, std::strtoul(argv[++i], nullptr, 10));
        else if (word == "--from" && i + 1 < argc)
            settings.from = std::strtoul(argv[++i], nullptr, 10);
        else if (word == "-c" && i + 1 < argc)
            settings.command = argv[++i];
        else
            settings.descriptions.push_back(word);
    return settings;
}

} // namespace

int main(int argc, char** argv)
{
    Settings settings = settings_of(argc, argv);
    Session session{Options{}};
    if (!settings.command.empty())
        if (const Result<void> created = session.processes().create(settings.command); !created) {
            std::fprintf(stderr, "load_members: %s\n", created.error().message.c_str());
            return 2;
        }
    if (const Result<void> prepared = session.prepare(); !prepared) {
        std::fprintf(stderr, "load_members: %s\n", prepared.error().message.c_str());
        return 2;
    }
    Generator generator(session, settings);
    if (settings.descriptions.empty()) {
        generator.translators();
        for (const std::string_view name : session.world().probes().provider_names())
            settings.descriptions.push_back(std::string(name) + ":::");
    }
    for (const std::string& description : settings.descriptions)
        generator.description(description);
    return generator.status();
}

#include "cmd/shell/complete.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "cmd/shell/commands.hpp"
#include "cmd/shell/help.hpp"
#include "cmd/shell/types.hpp"
#include "dcompiler/sema/builtins.hpp"
#include "dcompiler/sema/prelude.hpp"

namespace dt::shell {
namespace {

class Finder {
public:
    Finder(Workbench& workbench, const Context& context) : workbench_(workbench), context_(context) {}

    std::vector<Candidate> run()
    {
        switch (context_.kind) {
        case Context::Kind::Nothing:
            break;
        case Context::Kind::FirstWord:
            for (const CommandEntry& command : command_table())
                if (!command.help.empty())
                    add(command.name, command.operands.empty() ? '\0' : ' ');
            for (const std::string_view word : {"inline", "self", "struct", "this", "translator", "typedef"})
                add(word, ' ');
            add_providers();
            break;
        case Context::Kind::Probe:
            context_.before.empty() ? add_providers() : add_parts();
            break;
        case Context::Kind::Name:
            add_names();
            break;
        case Context::Kind::Member:
            add_members();
            break;
        case Context::Kind::Aggregation:
            add_variables(Scope::Global, true);
            break;
        case Context::Kind::Option:
            for (const std::string_view name : Options::names())
                add(name, '\0');
            break;
        case Context::Kind::Operand:
            add_operands();
            break;
        }
        return std::move(found_);
    }

private:
    void add(std::string_view name, char behind)
    {
        const Candidate candidate{std::string(name), behind};
        if (!name.empty() && name.starts_with(context_.word) &&
            std::find(found_.begin(), found_.end(), candidate) == found_.end())
            found_.push_back(candidate);
    }

    /// Adds providers, and probe names that are complete without a provider, such as BEGIN.
    void add_providers()
    {
        const Result<Session*> session = workbench_.session();
        if (!session)
            return;
        for (const std::string_view name : session.value()->world().probes().provider_names())
            add(name, ':');
        for (const char* const provider : {"dtrace", "profile"})
            add_probes({provider, "", "", context_.word + "*"}, &Probe::name, ' ');
    }

    void add_parts()
    {
        static constexpr std::array<std::string ProbePattern::*, 4> kPattern = {
            &ProbePattern::provider, &ProbePattern::module, &ProbePattern::function, &ProbePattern::name};
        static constexpr std::array<std::string Probe::*, 4> kPart = {&Probe::provider, &Probe::module,
                                                                      &Probe::function, &Probe::name};
        const std::size_t part = context_.before.size();
        if (part >= kPart.size())
            return;
        ProbePattern pattern;
        for (std::size_t i = 0; i < part; ++i)
            pattern.*kPattern[i] = with_target(context_.before[i]);
        pattern.*kPattern[part] = context_.word + "*";
        add_probes(pattern, kPart[part], part + 1 < kPart.size() ? ':' : ' ');
    }

    /// Replaces $target, as in pid$target, by the pid of the traced process.
    std::string with_target(std::string text) const
    {
        static constexpr std::string_view kTarget = "$target";
        const Result<Session*> session = workbench_.session();
        if (const auto at = text.find(kTarget); at != std::string::npos && session)
            text.replace(at, kTarget.size(), std::to_string(session.value()->processes().first_pid()));
        return text;
    }

    void add_probes(const ProbePattern& pattern, std::string Probe::*part, char behind)
    {
        const Result<Session*> session = workbench_.session();
        std::vector<const Probe*> probes;
        if (!session || !session.value()->world().probes().find(pattern, probes))
            return;
        std::set<std::string_view> names; // ten thousand probes may have only a few distinct names
        for (const Probe* const probe : probes)
            names.insert(probe->*part);
        for (const std::string_view name : names)
            if (!name.empty() && name.starts_with(context_.word))
                found_.push_back({std::string(name), behind});
    }

    void add_names()
    {
        for (const BuiltinVariable& variable : builtin_variables())
            add(variable.name, variable.is_array() ? '[' : '\0');
        for (const Subroutine& subroutine : subroutines())
            if (subroutine.why_refused.empty() && !subroutine.name.starts_with('_'))
                add(subroutine.name, '(');
        for (const Action& action : actions())
            if (action.why_refused.empty())
                add(action.name, '(');
        for (const AggFunction& function : agg_functions())
            add(function.name, '(');
        for (const std::string_view name : sema::library_names())
            add(name, '\0');
        for (const std::string_view word : {"else", "if", "offsetof", "sizeof", "stringof", "struct", "xlate"})
            add(word, '\0');
        for (const std::string_view word : {"self", "this"})
            add(word, '\0');
        add_variables(Scope::Global, false);
    }

    void add_variables(Scope scope, bool aggregations)
    {
        for (const ProgramName& name : workbench_.names())
            if (name.scope == scope && name.is_aggregation == aggregations)
                add(name.name, '\0');
    }

    void add_members()
    {
        if (context_.expression == "self" || context_.expression == "this")
            return add_variables(context_.expression == "self" ? Scope::Self : Scope::This, false);
        const auto use = [this](const Type* type) {
            for (const std::string& name : member_names(type))
                add(name, '\0');
        };
        with_type(workbench_, {context_.clause, context_.closing}, context_.expression, use);
    }

    void add_operands()
    {
        if (context_.operand == Operand::Type)
            for (const std::string_view name : sema::library_names())
                add(name, '\0');
        if (context_.operand != Operand::Topic)
            return;
        for (const std::string_view topic : help_topics())
            add(topic, '\0');
        for (const CommandEntry& command : command_table())
            add(command.name, '\0');
        if (!context_.word.empty()) // completion of an empty word would list every name
            add_names();
    }

    Workbench& workbench_;
    const Context& context_;
    std::vector<Candidate> found_;
};

} // namespace

Completion complete(Workbench& workbench, std::string_view text)
{
    const Context context = context_of(text);
    return {context.word, Finder(workbench, context).run(),
            context.kind == Context::Kind::Operand && context.operand == Operand::File};
}

} // namespace dt::shell

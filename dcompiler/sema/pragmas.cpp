// Implements #pragma D attributes, binding and depends_on. They set properties of names and may precede the names'
// definitions.
#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

namespace {

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += " " + word;
    return text;
}

} // namespace

void Pragmas::process(const ast::Pragma& p)
{
    if (p.name == "attributes")
        pragma_attributes(p);
    else if (p.name == "binding")
        pragma_binding(p);
    else if (p.name == "depends_on")
        pragma_depends_on(p);
    else if (p.name == "metric")
        checker.metrics.process(p);
    else
        fail("D_PRAGMA_INVAL", p.at, "invalid D pragma: " + p.name + joined(p.words));
}

void Pragmas::pragma_attributes(const ast::Pragma& p)
{
    const bool of_provider = p.words.size() == 4 && p.words[1] == "provider";
    if (p.words.size() != 2 && !of_provider)
        fail("D_PRAGMA_MALFORM", p.at, "malformed #pragma attributes: expected <attributes> <identifier>");
    const auto parsed = parse_attributes(p.words[0]);
    if (!parsed)
        fail("D_PRAGMA_INVAL", p.at, "invalid attributes " + p.words[0] + " in #pragma attributes",
             "write Name/Data/Class, for example Evolving/Evolving/Common");
    if (!of_provider) {
        apply_pragma({p.at, p.words[1], parsed, std::nullopt});
        return;
    }
    ProviderAttributes& provider = checker.providers.provider_attributes(p.words[2]);
    const std::pair<const char*, Attributes*> parts[] = {{"provider", &provider.provider},
                                                         {"module", &provider.module},
                                                         {"function", &provider.function},
                                                         {"name", &provider.name},
                                                         {"args", &provider.args}};
    for (const auto& [word, part] : parts)
        if (p.words[3] == word) {
            *part = *parsed;
            for (DefinedProvider& known : program.providers) // the pragma may follow the definition
                if (known.name == p.words[2])
                    known.attributes = provider;
            return;
        }
    fail("D_PRAGMA_INVAL", p.at,
         "invalid component " + p.words[3] + " in #pragma attributes for provider " + p.words[2]);
}

void Pragmas::pragma_binding(const ast::Pragma& p)
{
    if (p.words.size() != 2)
        fail("D_PRAGMA_MALFORM", p.at, "malformed #pragma binding: expected \"<version>\" <identifier>");
    std::string text = p.words[0];
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
        text = text.substr(1, text.size() - 2);
    const auto version = parse_version(text);
    if (!version)
        fail("D_PRAGMA_INVAL", p.at, "invalid version " + text + " in #pragma binding");
    apply_pragma({p.at, p.words[1], std::nullopt, version});
}

void Pragmas::apply_pragma(PendingPragma pending)
{
    const bool library = here.source && here.source->kind == Source::Kind::Library;
    Global* known = pending.name == "translator" ? nullptr : checker.names.find_global(pending.name);
    if (known && (known->from_program || library)) {
        if (pending.attributes)
            known->attributes = pending.attributes;
        if (pending.version)
            known->version = *pending.version;
        return;
    }
    if (known && !known->weak)
        fail("D_PRAGMA_SCOPE", pending.at,
             "#pragma may not change identifier " + pending.name + ": it is not defined by this program");
    here.pending_pragmas.push_back(std::move(pending));
}

void Pragmas::pragma_depends_on(const ast::Pragma& p)
{
    if (p.words.size() != 2)
        fail("D_PRAGMA_MALFORM", p.at, "malformed #pragma depends_on: expected <class> <name>");
    const bool library = here.source && here.source->kind == Source::Kind::Library;
    bool present = false;
    if (p.words[0] == "provider")
        present = world.probes().has_provider(p.words[1]);
    else if (p.words[0] == "module")
        present = world.has_module(p.words[1]);
    else if (p.words[0] == "library")
        present = library; // libraries are found by name on use
    else
        fail("D_PRAGMA_INVAL", p.at, "invalid class " + p.words[0] + " in #pragma depends_on");
    if (!present)
        fail("D_PRAGMA_DEPEND", p.at, "program requires " + p.words[0] + " " + p.words[1]);
}

void Pragmas::finish()
{
    for (const PendingPragma& pending : here.pending_pragmas)
        checker.reports.report("D_PRAGMA_UNUSED", pending.at,
                               "unused #pragma " + std::string(pending.version ? "binding" : "attributes") + " for " +
                                   pending.name);
    here.pending_pragmas.clear();
}

} // namespace dt::sema

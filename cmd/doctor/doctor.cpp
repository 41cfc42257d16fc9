// --doctor: tries everything that tracing needs and suggests remedies. Prints a table, or JSON lines.
#include <bpf/libbpf.h>

#include <algorithm>

#include "cmd/doctor/check.hpp"
#include "cmd/doctor/providers.hpp"
#include "cmd/messages.hpp"
#include "cmd/modes.hpp"
#include "cmd/settings.hpp"
#include "base/json.hpp"

namespace dt::cmd {
namespace {

using doctor::Finding;

class Report {
public:
    Report(Output& output, bool json) : output_(output), json_(json) {}

    void add(const std::string& group, const std::string& name, const Finding& finding)
    {
        json_ ? add_object(group, name, finding) : add_row(group, name, finding);
        output_.send(); // later checks may take long
    }

    void conclude(bool works)
    {
        if (!json_)
            return output_.write(works ? "\ntracing works here\n" : "\ntracing does not work here\n");
        output_.write(std::string("{\"type\":\"result\",\"works\":") + (works ? "true" : "false") + "}\n");
    }

private:
    void add_row(const std::string& group, const std::string& name, const Finding& finding)
    {
        constexpr std::size_t kNameWidth = 20;
        if (group != group_)
            output_.write((group_.empty() ? "" : "\n") + group + "\n");
        group_ = group;
        std::string row = "  " + name + std::string(kNameWidth - std::min(kNameWidth - 1, name.size()), ' ') +
                          (finding.works ? "yes" : "no ");
        if (!finding.detail.empty())
            row += "  " + finding.detail;
        if (!finding.remedy.empty())
            row += "\n" + std::string(kNameWidth + 7, ' ') + "needs " + finding.remedy;
        output_.write(row.substr(0, row.find_last_not_of(' ') + 1) + "\n");
    }

    void add_object(const std::string& group, const std::string& name, const Finding& finding)
    {
        format::Text& out = output_.text();
        out.append("{\"type\":\"check\"");
        const std::pair<std::string_view, const std::string&> members[] = {
            {"group", group}, {"name", name}, {"detail", finding.detail}, {"remedy", finding.remedy}};
        for (const auto& [member, text] : members) {
            append_json_name(out, member);
            append_json_string(out, text);
        }
        out.append(finding.works ? ",\"works\":true}\n" : ",\"works\":false}\n");
    }

    Output& output_;
    const bool json_;
    std::string group_;
};

} // namespace

int doctor_mode(const Arguments& arguments, const Options& options, Output& output)
{
    Report report(output, options.print().format == OutputFormat::Jsonl);
    bool works = true;
    libbpf_set_print(nullptr); // failures are reported in our own words
    for (const auto& [name, value] : build_facts())
        report.add("program", name, {true, value, {}});
    report.add("program", "engine",
               doctor::works(DTRACE_VM_COMPILES ? "programs of dtrace_engine.h are compiled to machine code"
                                                : "programs of dtrace_engine.h are interpreted on this processor"));
    for (const auto& checks : {doctor::machine_checks(), doctor::mechanism_checks()})
        for (const doctor::Check& check : checks) {
            const Finding finding = check.run();
            works &= finding.works || !check.essential;
            report.add(check.group, check.name, finding);
        }
    Options quiet = options;
    quiet.put("quiet");
    for (const doctor::ProviderFinding& provider : doctor::try_providers(quiet)) {
        works &= provider.finding.works || provider.name != "dtrace";
        report.add("provider", provider.name, provider.finding);
    }
    report.conclude(works);
    const Result<void> written = output.flush();
    if (!written)
        say(arguments, written.error().message);
    return written && works ? kSuccess : kFailure;
}

} // namespace dt::cmd

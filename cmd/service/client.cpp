// Client of the service: dtrace service status, attach, detach, show, follow, reload and cost. Prints the response as
// text, or unchanged with format=jsonl. The client uses libcurl for HTTP and opens it at the first request.
#include "cmd/service/client.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/linkage.hpp"
#include "base/text.hpp"
#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "cmd/service/script_instance.hpp"
#include "dcompiler/interface/render.hpp"
#include "libdtrace/metrics/otlp_sender.hpp"
#include "libdtrace/session/program_file.hpp"

namespace dt::cmd {
namespace {

using Json = nlohmann::json;

std::string text_of(const Json& object, const char* name)
{
    return object.value(name, std::string());
}

std::string padded(std::string text, std::size_t width, bool is_number = false)
{
    const std::string blanks(width - std::min(width, text.size()), ' ');
    return is_number ? blanks + text : text + blanks;
}

std::string rate_text(double rate)
{
    char text[32];
    std::snprintf(text, sizeof text, rate < 10 ? "%.1f" : "%.0f", rate);
    return text;
}

/// Formats a cost, which is a fraction of one CPU's time, as text with a percent sign.
std::string cost_text(double cost)
{
    constexpr double kPercent = 100;
    char text[32];
    std::snprintf(text, sizeof text, "%.3f%%", cost * kPercent);
    return text;
}

uint64_t lost_of(const Json& script)
{
    uint64_t sum = 0;
    if (const auto lost = script.find("lost"); lost != script.end())
        for (const Json& each : *lost)
            sum += each.get<uint64_t>();
    return sum;
}

std::string status_row(const Json& script, std::size_t width)
{
    const std::string state = text_of(script, "state");
    std::string row =
        padded(text_of(script, "name"), width) + " " + padded(state, 8) + " " + padded(text_of(script, "since"), 20);
    if (state == "tracing")
        row += padded(rate_text(script.value("firings_per_second", 0.0)), 12, true) +
               padded(cost_text(script.value("cost", 0.0)), 10, true) +
               padded(grouped(script.value("memory", uint64_t{0})), 13, true) +
               padded(grouped(script.value("memory_bound", uint64_t{0})), 15, true) +
               padded(grouped(lost_of(script)), 10, true);
    return row + "\n";
}

/// Returns a table of the scripts, followed by their errors.
std::string status_table(const Json& scripts)
{
    std::size_t width = 4;
    for (const Json& each : scripts)
        width = std::max(width, text_of(each, "name").size());
    std::string text = padded("NAME", width) +
                       " STATE    SINCE                  FIRINGS/S   OF A CPU       MEMORY        "
                       "AT MOST      LOST\n";
    for (const Json& each : scripts)
        text += status_row(each, width);
    for (const Json& each : scripts)
        if (const std::string error = text_of(each, "error"); !error.empty())
            text += "\n" + text_of(each, "name") + ": " + error + "\n";
    return text;
}

std::string owner_of_pin(const Json& pin)
{
    const std::string script = text_of(pin, "script");
    const uint64_t owner = pin.value("owner", uint64_t{0});
    return !script.empty() ? "script " + script : owner == 0 ? "?" : "process " + std::to_string(owner);
}

/// Returns a table of the pinned traces below /sys/fs/bpf/dtrace, or an empty string if there are none.
std::string pins_table(const Json& pins)
{
    std::size_t width = 4, owners = 5;
    for (const Json& each : pins) {
        width = std::max(width, text_of(each, "name").size());
        owners = std::max(owners, owner_of_pin(each).size());
    }
    std::string text = pins.empty() ? ""
                                    : "\n" + padded("PIN", width) + " STATE      SINCE                " +
                                          padded("OWNER", owners) + " ADOPTED\n";
    for (const Json& each : pins) {
        text += padded(text_of(each, "name"), width) + " " + padded(text_of(each, "state"), 10) + " " +
                padded(text_of(each, "since"), 20) + " " + padded(owner_of_pin(each), owners) +
                padded(std::to_string(each.value("adopted", uint64_t{0})), 8, true);
        if (const auto stopped = each.find("stopped_seconds"); stopped != each.end())
            text += "  stopped " + grouped(static_cast<uint64_t>(stopped->get<double>())) + " s ago";
        text += "\n";
    }
    return text;
}

std::string status_text(const Json& answer)
{
    return status_table(answer.contains("scripts") ? answer["scripts"] : Json::array({answer})) +
           pins_table(answer.value("pins", Json::array()));
}

std::string changes_text(const Json& answer)
{
    std::string text;
    for (const Json& change : answer["changes"]) {
        const std::string more = text_of(change, "text");
        text += text_of(change, "name") + ": " + text_of(change, "change") + (more.empty() ? "" : ": " + more) + "\n";
    }
    return text.empty() ? "nothing has changed\n" : text;
}

std::string aggregations_text(const Json& answer)
{
    return text_of(answer, "aggregations");
}

std::string cost_report_text(const Json& answer)
{
    return text_of(answer, "text");
}

struct Question {
    std::string method, target, body;
    std::string (*text)(const Json&) = status_text;
    bool is_endless = false; ///< whether the response is an endless stream, which is printed as it arrives
};

Result<Question> question_for(const Arguments& arguments, OutputFormat format)
{
    const std::string operand = arguments.operands.empty() ? "" : arguments.operands[0];
    const std::string scripts = "/v1/scripts", script = scripts + "/" + service::escaped_for_url(operand);
    switch (arguments.mode) {
    case Mode::Status:
        return Question{"GET", operand.empty() ? scripts : script, {}};
    case Mode::Attach: {
        Result<std::string> text = read_program_file(operand);
        if (!text)
            return Error{"failed to open " + operand + ": " + text.error().message};
        return Question{"POST", scripts + "?name=" + service::escaped_for_url(service::name_of_script(operand)),
                        std::move(text.value())};
    }
    case Mode::Detach:
        return Question{"DELETE", script, {}};
    case Mode::Reload:
        return Question{"POST", "/v1/reload", {}, changes_text};
    case Mode::Show:
        return Question{
            "GET", script + "/aggregations?format=" + std::string(row_of(format).name), {}, aggregations_text};
    case Mode::Follow:
        return Question{"GET", script + "/records?format=" + std::string(row_of(format).name), {}, nullptr, true};
    default:
        return Question{"GET", script + "/cost", {}, cost_report_text};
    }
}

Result<service::Response> ask(const std::string& socket, const Question& question)
{
    if (!question.is_endless)
        return service::ask(socket, question.method, question.target, question.body);
    const bool is_terminal = isatty(STDOUT_FILENO);
    return service::follow(socket, question.target, [is_terminal](std::string_view part) {
        const std::string text = is_terminal ? printable(part) : std::string(part);
        return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    });
}

} // namespace

int client_mode(const Arguments& arguments, const Options& options, Output&)
{
    constexpr unsigned kFirstError = 300;
    const Result<Question> question = question_for(arguments, options.print().format);
    if (!question) {
        print_message(arguments, question.error().message);
        return kFailure;
    }
    const Question& asked = question.value();
    const Result<service::Response> answered = ask(options.run().control, asked);
    if (!answered) {
        print_message(arguments, answered.error().message);
        return kFailure;
    }
    if (asked.is_endless && answered.value().status < kFirstError)
        return kSuccess;
    const Json answer = Json::parse(answered.value().body, nullptr, false);
    if (!answer.is_object()) {
        print_message(arguments, "the program that answers at " + options.run().control +
                                     " is not a dtrace service of this version");
        return kFailure;
    }
    if (answered.value().status >= kFirstError) {
        print_message(arguments, text_of(answer, "error"));
        return kFailure;
    }
    // If the response contains aggregations, the service has formatted them in the requested format, and they are
    // printed unchanged.
    const bool is_as_it_is = options.print().format == OutputFormat::Jsonl && asked.text != aggregations_text;
    const std::string text = is_as_it_is ? answered.value().body : asked.text(answer);
    return print_all(arguments, isatty(STDOUT_FILENO) ? printable(text) : text);
}

} // namespace dt::cmd

namespace dt::service {
namespace {

using output::CurlLibrary;

constexpr unsigned kFirstRefusal = 300;

struct Exchange {
    const CurlLibrary& curl;
    CURL* easy;
    Response answered;
    /// called for each piece of the response; null: the response is stored in `body`
    const std::function<bool(std::string_view)>* part = nullptr;
    bool is_enough = false;

    static std::size_t take(char* bytes, std::size_t one, std::size_t count, void* self)
    {
        Exchange& it = *static_cast<Exchange*>(self);
        const std::string_view taken(bytes, one * count);
        long code = 0;
        it.curl.get(it.easy, CURLINFO_RESPONSE_CODE, &code);
        if (it.part && static_cast<unsigned>(code) < kFirstRefusal)
            it.is_enough = !(*it.part)(taken);
        else
            it.answered.body += taken;
        return it.is_enough ? 0 : taken.size();
    }
};

} // namespace

std::string escaped_for_url(std::string_view text)
{
    constexpr char kDigits[] = "0123456789ABCDEF";
    std::string escaped;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte | 32) >= 'a' && (byte | 32) <= 'z') {
            escaped += c;
        } else if ((c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-') {
            escaped += c;
        } else {
            escaped.append("%") += kDigits[byte >> 4];
            escaped += kDigits[byte & 15];
        }
    }
    return escaped;
}

namespace {

Error no_answer(const std::string& socket, const std::string& why, long system_error)
{
    std::string message = "no service answers at " + socket + ": " + why;
    message += system_error == EACCES
                   ? "\n\tonly root and the group of the socket may use it"
                   : "\n\tstart a service with dtrace --service, or name its socket with -x control=PATH";
    return {message, static_cast<int>(system_error)};
}

Result<Response> exchange(const std::string& socket, const std::string& method, const std::string& target,
                          const std::string& body, const std::function<bool(std::string_view)>* part)
{
    const CurlLibrary* const curl = output::curl_library();
    if (!curl)
        return Error{missing_library("access to a service", "libcurl.so.4", "libcurl4") + "; curl --unix-socket " +
                         socket + " http://localhost" + target + " sends the same request",
                     ENOENT};
    CURL* const easy = curl->init();
    if (!easy)
        return Error{"libcurl cannot be used", ENOMEM};
    Exchange one{*curl, easy, {}, part};
    const std::string url = "http://localhost" + target;
    curl->set(easy, CURLOPT_UNIX_SOCKET_PATH, socket.c_str());
    curl->set(easy, CURLOPT_URL, url.c_str());
    curl->set(easy, CURLOPT_CUSTOMREQUEST, method.c_str());
    curl->set(easy, CURLOPT_NOSIGNAL, 1L);
    curl->set(easy, CURLOPT_PROXY, "");
    if (method == "POST") {
        curl->set(easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
        curl->set(easy, CURLOPT_POSTFIELDS, body.data());
    }
    curl->set(easy, CURLOPT_WRITEFUNCTION, Exchange::take);
    curl->set(easy, CURLOPT_WRITEDATA, &one);
    const CURLcode done = curl->perform(easy);
    long code = 0, system_error = 0;
    curl->get(easy, CURLINFO_RESPONSE_CODE, &code);
    curl->get(easy, CURLINFO_OS_ERRNO, &system_error);
    const std::string why = curl->error_text(done);
    curl->cleanup(easy);
    one.answered.status = static_cast<unsigned>(code);
    if (done == CURLE_OK || one.is_enough)
        return std::move(one.answered);
    return no_answer(socket, why, system_error);
}

} // namespace

Result<Response> ask(const std::string& socket, const std::string& method, const std::string& target,
                     const std::string& body)
{
    return exchange(socket, method, target, body, nullptr);
}

Result<Response> follow(const std::string& socket, const std::string& target,
                        const std::function<bool(std::string_view)>& part)
{
    return exchange(socket, "GET", target, {}, &part);
}

} // namespace dt::service

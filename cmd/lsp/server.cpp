// A language server that answers from the compiler: diagnostics while typing, completion, and descriptions of names
// (LSP 3.17). --lsp runs it for editors on standard input and output.
#include "cmd/lsp/server.hpp"

#include <poll.h>
#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "cmd/lsp/document.hpp"
#include "cmd/shell/complete.hpp"

namespace dt::lsp {

class Server {
public:
    /// Both constructor arguments must outlive the server.
    Server(shell::Workbench& workbench, Channel& channel) : workbench_(workbench), channel_(channel) {}

    /// Handles messages until the editor ends the session. Returns the exit status; it is 1 if the editor did not send
    /// "shutdown" before.
    int run();

private:
    using Json = nlohmann::json;

    void take(const std::string& text);
    void take_request(const Json& id, const std::string& method, const Json& parameters);
    void take_notification(const std::string& method, const Json& parameters);
    void check_changed();
    void publish(const std::string& uri, Document& document);
    Json completion(const Json& parameters);
    Json hover(const Json& parameters);
    Document* document_of(const Json& parameters);
    void send(const Json& message);
    void refuse(const Json& id, int code, const std::string& why);

    shell::Workbench& workbench_;
    Channel& channel_;
    std::map<std::string, Document> documents_; ///< the open documents; the keys are their URIs
    bool is_shut_down_ = false, is_over_ = false;
};

namespace {

// Error codes of JSON-RPC 2.0 and LSP.
constexpr int kParseError = -32700, kInvalidRequest = -32600, kNoMethod = -32601, kInvalidParameters = -32602;
// LSP's value of TextDocumentSyncKind.Full
constexpr int kWholeText = 1;
constexpr int kSeverityError = 1, kSeverityWarning = 2;                          // LSP's values of DiagnosticSeverity
constexpr int kItemField = 5, kItemVariable = 6, kItemModule = 9, kItemText = 1; // LSP's values of CompletionItemKind
// maximum number of completion items in a response, because users would not read a longer list
constexpr std::size_t kMaxItems = 500;

nlohmann::json json_of(const Position& position)
{
    return {{"line", position.line}, {"character", position.character}};
}

nlohmann::json range_of(std::string_view text, std::size_t begin, std::size_t end)
{
    return {{"start", json_of(position_of(text, begin))}, {"end", json_of(position_of(text, end))}};
}

std::size_t place_in(const Document& document, const nlohmann::json& parameters)
{
    const auto& position = parameters.at("position");
    return offset_of(document.text(),
                     {position.at("line").get<std::size_t>(), position.at("character").get<std::size_t>()});
}

/// Returns the path in a file's URI, for messages.
std::string path_of(const std::string& uri)
{
    constexpr std::string_view kFile = "file://";
    return uri.starts_with(kFile) ? uri.substr(kFile.size()) : uri;
}

/// Returns the text before the cursor in a form for the completion of the interactive shell. Drops a first line that
/// begins with "#!". Puts an empty clause before the text, so that no commands of the shell are offered.
std::string typed_so_far(std::string_view text)
{
    std::string typed = "BEGIN{}\n";
    if (text.starts_with("#!"))
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    return typed.append(text);
}

int kind_of(const shell::Candidate& candidate)
{
    switch (candidate.behind) {
    case ':':
        return kItemModule;
    case '[':
        return kItemField;
    case '(':
        return 3; // LSP's value of CompletionItemKind.Function
    case ' ':
        return kItemText;
    default:
        return kItemVariable;
    }
}

nlohmann::json capabilities()
{
    return {{"capabilities",
             {{"textDocumentSync", {{"openClose", true}, {"change", kWholeText}}},
              {"completionProvider", {{"triggerCharacters", {":", ">", ".", "@"}}}},
              {"hoverProvider", true}}},
            {"serverInfo", {{"name", "dtrace"}, {"version", DTRACE_VERSION}}}};
}

} // namespace

void Server::send(const Json& message)
{
    Json whole = message;
    whole["jsonrpc"] = "2.0";
    // Replaces invalid UTF-8, which a program may contain.
    is_over_ |= !channel_.write(whole.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void Server::refuse(const Json& id, int code, const std::string& why)
{
    send({{"id", id}, {"error", {{"code", code}, {"message", why}}}});
}

int Server::run()
{
    while (!is_over_) {
        Channel::Incoming incoming = channel_.read();
        if (incoming.kind == Channel::Kind::Malformed)
            refuse(nullptr, kParseError, incoming.text);
        if (incoming.kind != Channel::Kind::Message)
            break;
        take(incoming.text);
        if (!channel_.has_more())
            check_changed();
    }
    return is_shut_down_ ? 0 : 1;
}

void Server::take(const std::string& text)
{
    const Json message = Json::parse(text, nullptr, false);
    if (!message.is_object())
        return refuse(nullptr, message.is_discarded() ? kParseError : kInvalidRequest,
                      "this is not a JSON-RPC message");
    const Json id = message.value("id", Json());
    const Json method = message.value("method", Json());
    if (!method.is_string()) // ignores a response, because the server sends no requests
        return id.is_null() || message.contains("result") || message.contains("error")
                   ? void()
                   : refuse(id, kInvalidRequest, "a request must have a method");
    const Json parameters = message.value("params", Json::object());
    try {
        message.contains("id") ? take_request(id, method, parameters) : take_notification(method, parameters);
    } catch (const Json::exception& wrong) {
        if (message.contains("id"))
            refuse(id, kInvalidParameters, wrong.what());
    }
}

void Server::take_request(const Json& id, const std::string& method, const Json& parameters)
{
    if (is_shut_down_)
        return refuse(id, kInvalidRequest, "after shutdown, only exit is allowed");
    if (method == "initialize")
        return send({{"id", id}, {"result", capabilities()}});
    if (method == "shutdown") {
        is_shut_down_ = true;
        return send({{"id", id}, {"result", nullptr}});
    }
    if (method == "textDocument/completion")
        return send({{"id", id}, {"result", completion(parameters)}});
    if (method == "textDocument/hover")
        return send({{"id", id}, {"result", hover(parameters)}});
    refuse(id, kNoMethod, method + " is not a method of this server");
}

void Server::take_notification(const std::string& method, const Json& parameters)
{
    if (method == "exit")
        is_over_ = true;
    else if (method == "textDocument/didOpen") {
        const Json& opened = parameters.at("textDocument");
        const std::string uri = opened.at("uri");
        documents_.insert_or_assign(uri, Document(path_of(uri))).first->second.replace_text(opened.at("text"));
    } else if (method == "textDocument/didChange") {
        Document* const document = document_of(parameters);
        const Json& changes = parameters.at("contentChanges");
        if (document && !changes.empty())
            document->replace_text(changes.back().at("text"));
    } else if (method == "textDocument/didClose") {
        const std::string uri = parameters.at("textDocument").at("uri");
        if (documents_.erase(uri) != 0)
            send({{"method", "textDocument/publishDiagnostics"},
                  {"params", {{"uri", uri}, {"diagnostics", Json::array()}}}});
    }
}

Document* Server::document_of(const Json& parameters)
{
    const auto found = documents_.find(parameters.at("textDocument").at("uri").get<std::string>());
    return found == documents_.end() ? nullptr : &found->second;
}

/// Compiles the changed documents and reports their errors. Called only when no input is pending, because a user types
/// faster than documents can be compiled.
void Server::check_changed()
{
    for (auto& [uri, document] : documents_)
        if (document.is_changed())
            publish(uri, document);
}

void Server::publish(const std::string& uri, Document& document)
{
    Json found = Json::array();
    for (const Finding& finding : document.check(workbench_)) {
        Json row = {{"range", range_of(document.text(), finding.begin, finding.end)},
                    {"severity", finding.is_error ? kSeverityError : kSeverityWarning},
                    {"source", "dtrace"},
                    {"message", finding.message}};
        if (!finding.tag.empty())
            row["code"] = finding.tag;
        found.push_back(std::move(row));
    }
    send(
        {{"method", "textDocument/publishDiagnostics"}, {"params", {{"uri", uri}, {"diagnostics", std::move(found)}}}});
}

nlohmann::json Server::completion(const Json& parameters)
{
    const Document* const document = document_of(parameters);
    if (!document)
        return nullptr;
    const std::string_view text = document->text();
    const std::size_t cursor = place_in(*document, parameters);
    const shell::Completion completed = shell::complete(workbench_, typed_so_far(text.substr(0, cursor)));
    const Json range = range_of(text, cursor - std::min(cursor, completed.word.size()), cursor);
    Json items = Json::array();
    for (std::size_t i = 0; i < std::min(completed.candidates.size(), kMaxItems); ++i) {
        const shell::Candidate& candidate = completed.candidates[i];
        items.push_back({{"label", candidate.name},
                         {"kind", kind_of(candidate)},
                         {"textEdit", {{"range", range}, {"newText", candidate.name}}}});
    }
    return {{"isIncomplete", completed.candidates.size() > kMaxItems}, {"items", std::move(items)}};
}

nlohmann::json Server::hover(const Json& parameters)
{
    const Document* const document = document_of(parameters);
    const std::string text = document ? document->meaning(workbench_, place_in(*document, parameters)) : "";
    return text.empty() ? Json() : Json{{"contents", {{"kind", "plaintext"}, {"value", text}}}};
}

namespace {

constexpr std::size_t kMaxHead = 4096; // maximum size of a message's header in bytes
constexpr std::string_view kEndOfHead = "\r\n\r\n", kLength = "Content-Length:";

/// Reads the length of the body. Returns false if the header lacks it.
bool read_length(std::string_view head, std::size_t& length)
{
    while (!head.empty()) {
        const std::string_view line = head.substr(0, head.find("\r\n"));
        head.remove_prefix(std::min(line.size() + 2, head.size()));
        if (line.size() <= kLength.size() || strncasecmp(line.data(), kLength.data(), kLength.size()) != 0)
            continue;
        const std::string_view number = line.substr(std::min(line.find_first_not_of(' ', kLength.size()), line.size()));
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), length);
        return error == std::errc() && end == number.data() + number.size();
    }
    return false;
}

} // namespace

/// Reads available input. Returns false at the end of the input.
bool Channel::fill()
{
    char bytes[65536];
    ssize_t got = 0;
    do
        got = ::read(in_, bytes, sizeof bytes);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return false;
    buffered_.append(bytes, static_cast<std::size_t>(got));
    return true;
}

Channel::Incoming Channel::read()
{
    std::size_t head = 0;
    while ((head = buffered_.find(kEndOfHead)) == std::string::npos) {
        if (buffered_.size() > kMaxHead)
            return {Kind::Malformed, "the header of a message is too long"};
        if (!fill())
            return {};
    }
    std::size_t length = 0;
    if (!read_length(std::string_view(buffered_).substr(0, head), length) || length > kMaxBytes)
        return {Kind::Malformed, "the header of a message must have a Content-Length of at most 16 MiB"};
    const std::size_t begin = head + kEndOfHead.size();
    while (buffered_.size() - begin < length)
        if (!fill())
            return {};
    Incoming incoming{Kind::Message, buffered_.substr(begin, length)};
    buffered_.erase(0, begin + length);
    return incoming;
}

bool Channel::has_more() const
{
    pollfd waiting{in_, POLLIN, 0};
    return !buffered_.empty() || (poll(&waiting, 1, 0) > 0 && (waiting.revents & POLLIN) != 0);
}

bool Channel::write(std::string_view json)
{
    std::string whole = "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n";
    whole += json;
    for (std::string_view rest = whole; !rest.empty();) {
        const ssize_t written = ::write(out_, rest.data(), rest.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

namespace {

/// Returns the number of UTF-16 code units of the character that begins with this byte; 0 for continuation bytes.
std::size_t units_of(char byte)
{
    const auto value = static_cast<unsigned char>(byte);
    return value >= 0xf0 ? 2 : (value & 0xc0) == 0x80 ? 0 : 1;
}

} // namespace

Position position_of(std::string_view text, std::size_t offset)
{
    text = text.substr(0, offset);
    Position position;
    position.line = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    // without a newline, rfind() + 1 is 0, so the result is the whole text
    for (const char byte : text.substr(text.rfind('\n') + 1))
        position.character += units_of(byte);
    return position;
}

std::size_t offset_of(std::string_view text, Position position)
{
    std::size_t at = 0;
    for (; position.line > 0; --position.line) {
        const std::size_t end = text.find('\n', at);
        if (end == std::string_view::npos)
            return text.size();
        at = end + 1;
    }
    for (std::size_t passed = 0; at < text.size() && text[at] != '\n'; ++at) {
        if (passed >= position.character && units_of(text[at]) != 0)
            break;
        passed += units_of(text[at]);
    }
    return at;
}

} // namespace dt::lsp

namespace dt::cmd {

int lsp_mode(const Arguments& arguments, const Options& options, Output& output)
{
    if (!arguments.programs.empty() || !arguments.operands.empty() || arguments.output) {
        print_message(arguments, "--lsp takes no programs or arguments: the editor sends its scripts");
        return kUsage;
    }
    shell::Workbench workbench(arguments, options, output);
    if (const Result<Session*> session = workbench.session(); !session) {
        print_message(arguments, session.error().message);
        return kFailure;
    }
    lsp::Channel channel(STDIN_FILENO, STDOUT_FILENO);
    return lsp::Server(workbench, channel).run();
}

} // namespace dt::cmd

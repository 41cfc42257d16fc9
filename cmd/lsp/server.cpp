#include "cmd/lsp/server.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "cmd/lsp/positions.hpp"
#include "cmd/shell/complete.hpp"

namespace dt::lsp {

namespace {

// Error codes of JSON-RPC 2.0 and LSP.
constexpr int kParseError = -32700, kInvalidRequest = -32600, kNoMethod = -32601, kInvalidParameters = -32602;
constexpr int kWholeText = 1;                                                    // TextDocumentSyncKind.Full
constexpr int kSeverityError = 1, kSeverityWarning = 2;                          // values of DiagnosticSeverity
constexpr int kItemField = 5, kItemVariable = 6, kItemModule = 9, kItemText = 1; // values of CompletionItemKind
constexpr std::size_t kMostItems = 500; // limit of one response: a user does not read more of a kernel's functions

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

/// Returns the text before the cursor in the form that completion for the shell's prompt expects. It drops a first line
/// for the kernel ("#!"). The empty clause in front prevents the completion of shell commands.
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
        return 3; // CompletionItemKind.Function
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
        return refuse(nullptr, message.is_discarded() ? kParseError : kInvalidRequest, "no JSON-RPC message");
    const Json id = message.value("id", Json());
    const Json method = message.value("method", Json());
    if (!method.is_string()) // a response, although the server sends no requests
        return id.is_null() || message.contains("result") || message.contains("error")
                   ? void()
                   : refuse(id, kInvalidRequest, "a request has a method");
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
        return refuse(id, kInvalidRequest, "after shutdown only exit may come");
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
    refuse(id, kNoMethod, method + " is not known here");
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

/// Checks the changed documents. Called only when no input is pending, because typing is faster than compiling.
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
    for (std::size_t i = 0; i < std::min(completed.candidates.size(), kMostItems); ++i) {
        const shell::Candidate& candidate = completed.candidates[i];
        items.push_back({{"label", candidate.name},
                         {"kind", kind_of(candidate)},
                         {"textEdit", {{"range", range}, {"newText", candidate.name}}}});
    }
    return {{"isIncomplete", completed.candidates.size() > kMostItems}, {"items", std::move(items)}};
}

nlohmann::json Server::hover(const Json& parameters)
{
    const Document* const document = document_of(parameters);
    const std::string text = document ? document->meaning(workbench_, place_in(*document, parameters)) : "";
    return text.empty() ? Json() : Json{{"contents", {{"kind", "plaintext"}, {"value", text}}}};
}

} // namespace dt::lsp

// What an editor asks of a language server, answered from the compiler: errors and warnings while a script is typed,
// completion, and what a name means (LSP 3.17).
#pragma once

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cmd/lsp/channel.hpp"
#include "cmd/lsp/document.hpp"

namespace dt::lsp {

class Server {
public:
    /// Both must outlive it.
    Server(shell::Workbench& workbench, Channel& channel) : workbench_(workbench), channel_(channel) {}

    /// Until the editor ends it. The exit status: 1 when it did not say so before.
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
    std::map<std::string, Document> documents_; ///< by URI
    bool is_shut_down_ = false, is_over_ = false;
};

} // namespace dt::lsp

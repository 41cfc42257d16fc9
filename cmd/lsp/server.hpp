// A language server that answers from the compiler: diagnostics while typing, completion, and descriptions of names
// (LSP 3.17).
#pragma once

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cmd/lsp/channel.hpp"
#include "cmd/lsp/document.hpp"

namespace dt::lsp {

class Server {
public:
    /// Both arguments must outlive the server.
    Server(shell::Workbench& workbench, Channel& channel) : workbench_(workbench), channel_(channel) {}

    /// Serves until the editor ends the session. Returns the exit status: 1 if the editor did not send "shutdown"
    /// before.
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

#include "cmd/service/http_library.hpp"

#include "base/linkage.hpp"

namespace dt::service {
namespace {

bool find_functions(void* from, HttpLibrary& to)
{
    return find_function(from, to.start_daemon, "MHD_start_daemon") &&
           find_function(from, to.stop_daemon, "MHD_stop_daemon") && find_function(from, to.run, "MHD_run") &&
           find_function(from, to.get_timeout, "MHD_get_timeout") &&
           find_function(from, to.get_daemon_info, "MHD_get_daemon_info") &&
           find_function(from, to.get_connection_info, "MHD_get_connection_info") &&
           find_function(from, to.lookup_value, "MHD_lookup_connection_value") &&
           find_function(from, to.create_response, "MHD_create_response_from_buffer") &&
           find_function(from, to.create_response_of_parts, "MHD_create_response_from_iovec") &&
           find_function(from, to.create_stream, "MHD_create_response_from_callback") &&
           find_function(from, to.destroy_response, "MHD_destroy_response") &&
           find_function(from, to.add_header, "MHD_add_response_header") &&
           find_function(from, to.queue_response, "MHD_queue_response") &&
           find_function(from, to.suspend, "MHD_suspend_connection") &&
           find_function(from, to.resume, "MHD_resume_connection");
}

} // namespace

const HttpLibrary* http_library()
{
    static const HttpLibrary* const library = []() -> const HttpLibrary* {
        static HttpLibrary functions;
        void* const opened = open_library("libmicrohttpd.so.12");
        return opened && find_functions(opened, functions) ? &functions : nullptr;
    }();
    return library;
}

} // namespace dt::service

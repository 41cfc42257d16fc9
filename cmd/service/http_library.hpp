// libmicrohttpd, loaded with dlopen(). It depends on a TLS library, and only a service needs HTTP.
#pragma once

#include <microhttpd.h>

namespace dt::service {

/// Functions of libmicrohttpd, with the types from its header.
struct HttpLibrary {
    decltype(&MHD_start_daemon) start_daemon = nullptr;
    decltype(&MHD_stop_daemon) stop_daemon = nullptr;
    decltype(&MHD_run) run = nullptr;
    decltype(&MHD_get_timeout) get_timeout = nullptr;
    decltype(&MHD_get_daemon_info) get_daemon_info = nullptr;
    decltype(&MHD_get_connection_info) get_connection_info = nullptr;
    decltype(&MHD_lookup_connection_value) lookup_value = nullptr;
    decltype(&MHD_create_response_from_buffer) create_response = nullptr;
    decltype(&MHD_create_response_from_iovec) create_response_of_parts = nullptr;
    decltype(&MHD_create_response_from_callback) create_stream = nullptr;
    decltype(&MHD_destroy_response) destroy_response = nullptr;
    decltype(&MHD_add_response_header) add_header = nullptr;
    decltype(&MHD_queue_response) queue_response = nullptr;
    decltype(&MHD_suspend_connection) suspend = nullptr;
    decltype(&MHD_resume_connection) resume = nullptr;
};

/// Returns the functions, or null if the library or one of them is missing.
const HttpLibrary* http_library();

} // namespace dt::service

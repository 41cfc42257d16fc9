// libcurl, opened at the first request, so that dtrace does not depend on it otherwise.
#pragma once

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

namespace dt::output {

/// Functions of libcurl, with the types from its header.
struct CurlLibrary {
    decltype(&curl_easy_init) init = nullptr;
    decltype(&curl_easy_setopt) set = nullptr;
    decltype(&curl_easy_perform) perform = nullptr;
    decltype(&curl_easy_getinfo) get = nullptr;
    decltype(&curl_easy_strerror) error_text = nullptr;
    decltype(&curl_easy_cleanup) cleanup = nullptr;
    decltype(&curl_slist_append) append_header = nullptr;
    decltype(&curl_slist_free_all) free_headers = nullptr;
};

/// Returns the functions, or null if libcurl is not installed.
const CurlLibrary* curl_library();

} // namespace dt::output

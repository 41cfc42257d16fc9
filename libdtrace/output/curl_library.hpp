// libcurl, which is opened when the first request is made: who makes none does without it.
#pragma once

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

namespace dt::output {

/// Its functions, with the types that its header gives them.
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

/// Null: it is not there.
const CurlLibrary* curl_library();

} // namespace dt::output

#include "libdtrace/output/gzip.hpp"

#include <zlib.h>

namespace dt::output {

std::string gzipped(std::string_view bytes)
{
    constexpr int kGzip = 16, kMemory = 8; // arguments of deflateInit2(): added to the window bits for a gzip header;
                                           // the default memory level
    z_stream stream{};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, kMemory, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        return {};
    std::string packed(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    packed.resize(done ? stream.total_out : 0);
    deflateEnd(&stream);
    return packed;
}

} // namespace dt::output

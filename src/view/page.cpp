#include "view/page.h"

#include <new>
#include <zlib.h>

namespace sinew::view {

Result<std::string_view> require_page() {
  if (!embedded_page().empty()) return embedded_page();
  return Error{
      ErrorKind::not_built_in,
      {},
      {},
      "this sinew was built without the viewer's page; install nodejs and npm, then configure and "
      "build again with a network, or name a page.html that was built elsewhere by -DSINEW_PAGE=FILE"};
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string page_html(std::string_view page) {
  if (!is_gzip(page)) return std::string(page);
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(page.data()));
  stream.avail_in = static_cast<uInt>(page.size());
  std::string html;
  char piece[1 << 16];
  int code = Z_OK;
  while (code == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(piece);
    stream.avail_out = sizeof piece;
    code = inflate(&stream, Z_NO_FLUSH);
    html.append(piece, sizeof piece - stream.avail_out);
  }
  inflateEnd(&stream);
  return html;
}

}  // namespace sinew::view

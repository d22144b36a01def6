#include "io/vtu_array.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <new>
#include <type_traits>
#include <zlib.h>

#include "io/base64.h"

namespace sinew::io {
namespace {

constexpr size_t window = size_t{1} << 16;  // [bytes]
constexpr size_t first_window = 4096;       // many arrays are short
constexpr uint64_t zlib_ratio = 1100;       // deflate cannot expand by more than 1032

template <class T>
T load(const char* bytes, bool swapped) {
  std::array<char, sizeof(T)> raw;
  std::copy_n(bytes, sizeof(T), raw.begin());
  if (swapped) std::reverse(raw.begin(), raw.end());
  T value;
  std::memcpy(&value, raw.data(), sizeof(T));
  return value;
}

template <class T, class Out>
void convert(const char* bytes, bool swapped, Out* out, int64_t count) {
  if (swapped)
    for (int64_t i = 0; i < count; ++i) out[i] = static_cast<Out>(load<T>(bytes + i * sizeof(T), true));
  else
    for (int64_t i = 0; i < count; ++i) out[i] = static_cast<Out>(load<T>(bytes + i * sizeof(T), false));
}

struct NumberType {
  std::string_view name;
  int size;
  void (*to_real)(const char*, bool, double*, int64_t);
  void (*to_whole)(const char*, bool, int64_t*, int64_t);  // null: these are no whole numbers
};

template <class T>
constexpr NumberType number_type(std::string_view name) {
  if constexpr (std::is_floating_point_v<T>)
    return {name, sizeof(T), convert<T, double>, nullptr};
  else
    return {name, sizeof(T), convert<T, double>, convert<T, int64_t>};
}

constexpr NumberType number_types[] = {
    number_type<int8_t>("Int8"),     number_type<uint8_t>("UInt8"),   number_type<int16_t>("Int16"),
    number_type<uint16_t>("UInt16"), number_type<int32_t>("Int32"),   number_type<uint32_t>("UInt32"),
    number_type<int64_t>("Int64"),   number_type<uint64_t>("UInt64"), number_type<float>("Float32"),
    number_type<double>("Float64"),
};

}  // namespace

// The stored bytes, base64 undone, a window at a time.
class VtuArrayReader::Feed {
 public:
  Feed(const Source& source, VtuLayout& layout, int64_t begin, int64_t end, bool base64)
      : source_(source), layout_(layout), next_(begin), end_(end), base64_(base64) {}

  // Some bytes; none at the end.
  std::string_view peek() {
    while (at_ == bytes_.size() && next_ < end_ && !problem_) refill();
    return std::string_view(bytes_).substr(at_);
  }
  void consume(size_t count) { at_ += count; }
  const char* problem() const { return problem_ ? problem_ : "the data is cut off"; }
  uint64_t max_left() const {  // no more bytes than this can come
    return bytes_.size() - at_ + static_cast<uint64_t>(end_ - next_);
  }

 private:
  void refill() {
    char buffer[window];
    const size_t wanted = first_ ? first_window : window;
    const size_t got = source_.read(next_, buffer, std::min(wanted, static_cast<size_t>(end_ - next_)));
    if (!first_) layout_.encoded_left -= static_cast<int64_t>(got);
    first_ = false;
    if (layout_.encoded_left < 0) problem_ = "the appended arrays overlap";
    if (got == 0) problem_ = "the file cannot be read on";
    next_ += static_cast<int64_t>(got);
    bytes_.clear();
    at_ = 0;
    if (problem_) return;
    if (!base64_) {
      bytes_.assign(buffer, got);
      return;
    }
    const size_t used = decoder_.decode({buffer, got}, bytes_);
    if (used == got) return;
    next_ = end_;
    if (buffer[used] != '<') problem_ = "not base64";  // appended text ends with a tag
  }

  const Source& source_;
  VtuLayout& layout_;
  int64_t next_, end_;
  bool base64_, first_ = true;
  Base64Decoder decoder_;
  std::string bytes_;
  size_t at_ = 0;
  const char* problem_ = nullptr;
};

struct VtuArrayReader::Inflater {
  z_stream stream{};
  bool ready = false, ended = false;
  uint64_t packed_left = 0, plain_left = 0;
  ~Inflater() {
    if (ready) inflateEnd(&stream);
  }
};

VtuArrayReader::VtuArrayReader(const Source& source, VtuLayout& layout, const VtuArray& array,
                               const std::string& name)
    : source_(source), layout_(layout), array_(array), name_(name) {}
VtuArrayReader::~VtuArrayReader() = default;

bool VtuArrayReader::fail(const std::string& what) {
  if (!error_)
    error_ = input_error(fmt::format("{}: line {}", name_, array_.line),
                         fmt::format("DataArray {}: {}", in_quotes(array_.name), what));
  return false;
}

bool VtuArrayReader::open(int64_t count) {
  const auto* found = std::find_if(std::begin(number_types), std::end(number_types),
                                   [&](const NumberType& t) { return t.name == array_.type; });
  if (found == std::end(number_types)) return fail("unknown type " + in_quotes(array_.type));
  kind_ = static_cast<int>(found - number_types);
  if (array_.format == "ascii") return open_ascii(count);
  if (array_.format == "binary") {
    feed_ = std::make_unique<Feed>(source_, layout_, array_.begin, array_.end, true);
  } else if (array_.format == "appended") {
    if (layout_.appended < 0) return fail("there is no AppendedData in this file");
    if (array_.offset < 0 || array_.offset >= source_.size() - layout_.appended)
      return fail("its offset is outside the appended data");
    feed_ = std::make_unique<Feed>(source_, layout_, layout_.appended + array_.offset, source_.size(),
                                   !layout_.raw);
  } else {
    return fail(fmt::format("format {}, expected ascii, binary or appended", in_quotes(array_.format)));
  }
  return open_encoded(count);
}

bool VtuArrayReader::open_ascii(int64_t count) {
  const int64_t bytes = array_.end - array_.begin;
  if (count > bytes / 2 + 1)
    return fail(fmt::format("{} numbers do not fit in {} bytes of text", count, bytes));
  remaining_ = count >= 0 ? count : bytes / 2 + 1;
  text_.emplace(source_, name_, array_.begin, array_.end, array_.text_line);
  return true;
}

bool VtuArrayReader::open_encoded(int64_t count) {
  const auto size = static_cast<uint64_t>(number_types[kind_].size);
  uint64_t first, bytes;
  // Some writers leave an array of no numbers without its header.
  if (count == 0 && feed_->peek().empty()) return true;
  if (!word(first)) return false;
  bytes = first;
  if (layout_.compressed) {
    if (!read_block_sizes(first, bytes)) return false;
  } else if (bytes > feed_->max_left()) {
    return fail(fmt::format("holds {} bytes by its header: {}", bytes, feed_->problem()));
  }
  if (count < 0 ? bytes % size != 0 : bytes != static_cast<uint64_t>(count) * size)
    return fail(count < 0
                    ? fmt::format("holds {} bytes, expected a multiple of {}", bytes, size)
                    : fmt::format("holds {} bytes, expected {}", bytes, count * static_cast<int64_t>(size)));
  remaining_ = static_cast<int64_t>(bytes / size);
  return true;
}

bool VtuArrayReader::read_block_sizes(uint64_t blocks, uint64_t& bytes) {
  bytes = 0;
  if (blocks == 0) return true;
  const uint64_t most = feed_->max_left();
  if (!word(block_size_) || !word(last_size_)) return false;
  if (blocks > most / static_cast<uint64_t>(layout_.word))
    return fail(fmt::format("{} blocks by its header, the compressed data is cut off", blocks));
  packed_.resize(blocks);
  for (uint64_t& packed : packed_)
    if (!word(packed)) return false;
  const uint64_t last = last_size_ ? last_size_ : block_size_;
  const uint64_t limit = most * zlib_ratio;
  if (last > limit || (blocks > 1 && block_size_ > limit / (blocks - 1)))
    return fail(fmt::format("{} blocks of {} bytes cannot come out of {} compressed ones", blocks,
                            block_size_, most));
  bytes = (blocks - 1) * block_size_ + last;
  if (bytes > limit) return fail(fmt::format("{} compressed bytes are too few for {}", most, bytes));
  inflater_ = std::make_unique<Inflater>();
  inflater_->ready = inflateInit(&inflater_->stream) == Z_OK;
  if (!inflater_->ready) throw std::bad_alloc();  // nothing else can be wrong
  return true;
}

bool VtuArrayReader::take(char* out, size_t count) {
  while (count > 0) {
    const std::string_view bytes = feed_->peek();
    if (bytes.empty()) return fail(feed_->problem());
    const size_t here = std::min(count, bytes.size());
    std::memcpy(out, bytes.data(), here);
    feed_->consume(here);
    out += here;
    count -= here;
  }
  return true;
}

bool VtuArrayReader::word(uint64_t& out) {
  char raw[8];
  if (!take(raw, static_cast<size_t>(layout_.word))) return false;
  out = layout_.word == 8 ? load<uint64_t>(raw, layout_.swapped) : load<uint32_t>(raw, layout_.swapped);
  return true;
}

// Puts at most `room` bytes of the block at `out` and says how many; -1 after an error.
int64_t VtuArrayReader::inflate_some(char* out, size_t room) {
  Inflater& z = *inflater_;
  const std::string_view bytes = z.packed_left ? feed_->peek() : std::string_view();
  if (bytes.empty() && z.packed_left > 0) {
    fail(feed_->problem());
    return -1;
  }
  const auto in = static_cast<uInt>(std::min<uint64_t>(bytes.size(), z.packed_left));
  z.stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.stream.avail_in = in;
  z.stream.next_out = reinterpret_cast<Bytef*>(out);
  z.stream.avail_out = static_cast<uInt>(room);
  const int code = ::inflate(&z.stream, Z_NO_FLUSH);
  const uInt used = in - z.stream.avail_in;
  const auto made = static_cast<int64_t>(room) - z.stream.avail_out;
  feed_->consume(used);
  z.packed_left -= used;
  z.ended = code == Z_STREAM_END;
  const bool stuck = code == Z_BUF_ERROR || (used == 0 && made == 0 && !z.ended);
  if (!stuck && (code == Z_OK || z.ended)) return made;
  if (code == Z_MEM_ERROR) throw std::bad_alloc();
  fail(fmt::format("block {} does not decompress", block_));
  return -1;
}

bool VtuArrayReader::inflate(char* out, size_t count) {
  Inflater& z = *inflater_;
  while (count > 0) {
    if (z.plain_left == 0) {
      if (block_ == packed_.size()) return fail("the compressed data is cut off");
      z.packed_left = packed_[block_];
      z.plain_left = block_ + 1 == packed_.size() && last_size_ ? last_size_ : block_size_;
      z.ended = false;
      inflateReset(&z.stream);
    }
    const int64_t made = z.ended ? 0 : inflate_some(out, std::min<uint64_t>({count, z.plain_left, window}));
    if (made < 0) return false;
    out += made;
    count -= static_cast<size_t>(made);
    z.plain_left -= static_cast<uint64_t>(made);
    char more;
    while (z.plain_left == 0 && !z.ended)  // the checksum
      if (const int64_t extra = inflate_some(&more, 1); extra != 0)
        return fail(fmt::format("block {} is longer than its header says", block_));
    if (z.ended && (z.plain_left > 0 || z.packed_left > 0))
      return fail(fmt::format("block {} has another length than its header says", block_));
    if (z.ended) ++block_;
  }
  return true;
}

bool VtuArrayReader::plain(char* out, size_t count) {
  return layout_.compressed ? inflate(out, count) : take(out, count);
}

template <class T>
bool VtuArrayReader::numbers(T* out, int64_t count) {
  if (count == 0) return true;
  const NumberType& kind = number_types[kind_];
  const bool same = std::is_same_v<T, double> && kind.name == "Float64" && !layout_.swapped;
  if (same) return plain(reinterpret_cast<char*>(out), static_cast<size_t>(count) * sizeof(T));
  char buffer[window];
  const int64_t most = static_cast<int64_t>(window) / kind.size;
  for (int64_t done = 0; done < count;) {
    const int64_t here = std::min(most, count - done);
    if (!plain(buffer, static_cast<size_t>(here * kind.size))) return false;
    if constexpr (std::is_same_v<T, double>)
      kind.to_real(buffer, layout_.swapped, out + done, here);
    else
      kind.to_whole(buffer, layout_.swapped, out + done, here);
    done += here;
  }
  return true;
}

bool VtuArrayReader::read(double* out, int64_t count) {
  if (count > remaining_) return fail("holds too few numbers");
  remaining_ -= count;
  if (text_) {
    for (int64_t i = 0; i < count; ++i)
      if (!text_->real(out[i])) return fail_in_text();
    return true;
  }
  if (!numbers(out, count)) return false;
  for (int64_t i = 0; i < count; ++i)
    if (!std::isfinite(out[i])) return fail(fmt::format("value {} is not a finite number", done_ + i));
  done_ += count;
  return true;
}

bool VtuArrayReader::read(int64_t* out, int64_t count) {
  if (count > remaining_) return fail("holds too few numbers");
  remaining_ -= count;
  if (text_) {
    for (int64_t i = 0; i < count; ++i)
      if (!text_->integer(out[i], INT64_MIN, INT64_MAX, "a value")) return fail_in_text();
    return true;
  }
  if (!number_types[kind_].to_whole)
    return fail(fmt::format("type {}, expected whole numbers", in_quotes(array_.type)));
  return numbers(out, count);
}

bool VtuArrayReader::fail_in_text() {
  if (!error_)
    error_ = input_error(text_->where(),
                         fmt::format("DataArray {}: {}", in_quotes(array_.name), text_->error().what));
  return false;
}

bool VtuArrayReader::finish() {
  if (text_ ? text_->at_end() : remaining_ == 0) return true;
  return fail("holds more numbers than expected");
}

}  // namespace sinew::io

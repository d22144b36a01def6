#include "view/export_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <zlib.h>

#include "base/memory.h"
#include "io/base64.h"
#include "io/file.h"
#include "view/frame_message.h"
#include "view/page.h"

namespace sinew::view {
namespace {

constexpr uint16_t no_number = 65535;
constexpr std::string_view script_begin = "<script type=\"application/octet-stream\" id=\"sinew-data\">";
constexpr std::string_view script_end = "</script>\n";

// Bytes -> zlib -> base64 -> file, in pieces.
class PackedFile {
 public:
  static Result<std::unique_ptr<PackedFile>> open(const std::string& path) {
    io::remove_unfinished(path);
    Result<io::AtomicFile> file = io::AtomicFile::open(path);
    if (!file) return file.error();
    std::unique_ptr<PackedFile> packed(new PackedFile(std::move(*file)));
    if (deflateInit(&packed->stream_, 9) != Z_OK) throw std::bad_alloc();
    return packed;
  }
  PackedFile(const PackedFile&) = delete;
  PackedFile& operator=(const PackedFile&) = delete;
  ~PackedFile() { deflateEnd(&stream_); }

  Result<void> plain(std::string_view text) {
    bytes_ += static_cast<int64_t>(text.size());
    return file_.write(text);
  }
  // A message with its length before it.
  Result<void> message(std::string_view bytes) {
    const auto length = static_cast<uint32_t>(bytes.size());
    if (length != bytes.size()) return usage_error("a frame is too large for a page (4 GiB)");
    char head[4];
    for (int k = 0; k < 4; ++k) head[k] = static_cast<char>(length >> (8 * k) & 255);
    if (auto ok = deflate_some({head, 4}, Z_NO_FLUSH); !ok) return ok;
    return deflate_some(bytes, Z_NO_FLUSH);
  }
  Result<void> end_packed() { return deflate_some({}, Z_FINISH); }
  Result<void> commit() { return file_.commit(); }
  int64_t bytes() const { return bytes_; }

 private:
  explicit PackedFile(io::AtomicFile file) : file_(std::move(file)) {}

  Result<void> deflate_some(std::string_view bytes, int flush) {
    do {
      const size_t piece = std::min(bytes.size(), size_t{1} << 20);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream_.avail_in = static_cast<uInt>(piece);
      bytes.remove_prefix(piece);
      do {
        char room[1 << 16];
        stream_.next_out = reinterpret_cast<Bytef*>(room);
        stream_.avail_out = sizeof room;
        ::deflate(&stream_, flush);
        waiting_.append(room, sizeof room - stream_.avail_out);
      } while (stream_.avail_out == 0);
      if (auto ok = write_waiting(flush == Z_FINISH && bytes.empty()); !ok) return ok;
    } while (!bytes.empty());
    return {};
  }
  // Base64 goes by threes.
  Result<void> write_waiting(bool all) {
    const size_t count = all ? waiting_.size() : waiting_.size() / 3 * 3;
    std::string text;
    io::append_base64(text, std::string_view(waiting_).substr(0, count));
    waiting_.erase(0, count);
    return plain(text);
  }

  io::AtomicFile file_;
  z_stream stream_{};
  std::string waiting_;
  int64_t bytes_ = 0;
};

// Sixteen bits of `width` interleaved components, as differences to the frame before.
class Packer {
 public:
  Packer(std::vector<ValueRange> ranges, int levels) {
    for (const ValueRange& range : ranges) {
      origin_.push_back(range.empty() ? 0 : range.min);
      scale_.push_back(range.empty() ? 0 : (range.max - range.min) / levels);
    }
    levels_ = levels;
  }
  std::span<const double> origin() const { return origin_; }
  std::span<const double> scale() const { return scale_; }

  const std::string& pack(std::span<const float> values) {
    const size_t n = values.size(), width = origin_.size();
    before_.resize(n);
    planes_.resize(2 * n);
    for (size_t i = 0; i < n; ++i) {
      const uint16_t q = level(values[i], i % width);
      const auto difference = static_cast<uint16_t>(q - before_[i]);
      planes_[i] = static_cast<char>(difference & 255);
      planes_[n + i] = static_cast<char>(difference >> 8);
      before_[i] = q;
    }
    return planes_;
  }

 private:
  uint16_t level(float value, size_t k) const {
    if (!std::isfinite(value)) return levels_ < no_number ? no_number : 0;
    if (scale_[k] == 0) return 0;
    return static_cast<uint16_t>(
        std::clamp(std::round((value - origin_[k]) / scale_[k]), 0.0, double(levels_)));
  }

  std::vector<double> origin_, scale_;
  int levels_ = 0;
  std::vector<uint16_t> before_;
  std::string planes_;
};

// The frames of a pane that go into the page, and their common extent and ranges.
struct Part {
  std::vector<exporting::FrameStamp> frames;
  std::array<ValueRange, 3> box;
  ValueRange values;
};

Result<Part> measure_part(Source& source, const Topology& topology, const PageOptions& options,
                          const Cancel* cancel) {
  Part part;
  for (const exporting::FrameStamp& stamp : source.frames())
    if (stamp.index >= options.first && stamp.index <= options.last) part.frames.push_back(stamp);
  if (part.frames.empty())
    return usage_error(source.frames().empty()
                           ? std::string("there is no frame yet")
                           : fmt::format("there are no frames from {} to {}; the run has {} to {}",
                                         options.first, options.last, source.frames().front().index,
                                         source.frames().back().index));
  for (const exporting::FrameStamp& stamp : part.frames) {
    if (cancel && cancel->requested()) return usage_error("interrupted");
    const auto moment = source.at(stamp.index);
    if (!moment) return moment.error();
    const std::vector<float> positions = gather_positions(**moment, topology);
    for (size_t i = 0; i < positions.size(); ++i)
      if (std::isfinite(positions[i])) part.box[i % 3].add(positions[i]);
    if (options.field.empty()) continue;
    const auto values = (*moment)->values(options.field, options.component);
    if (!values) return values.error();
    part.values.add(*values);
  }
  return part;
}

Result<void> write_part(int pane, Source& source, const Topology& topology, const Part& part,
                        const PageOptions& options, const Cancel* cancel, PackedFile& file) {
  const FrameTags tags{pane, 1, false};
  const mesh::Bounds box = source.box();
  if (const std::string bytes = colliders_message(pane, source.stage()->model, box); !bytes.empty())
    if (auto ok = file.message(bytes); !ok) return ok;
  if (auto ok = file.message(topology_message(tags, topology)); !ok) return ok;
  Packer positions({part.box.begin(), part.box.end()}, no_number), values({part.values}, no_number - 1);
  const FieldInfo* field = find_field(*source.stage(), options.field);
  for (const exporting::FrameStamp& stamp : part.frames) {
    if (cancel && cancel->requested()) return usage_error("interrupted");
    const auto moment = source.at(stamp.index);
    if (!moment) return moment.error();
    Json packed = Json::object();
    packed.set("origin", Json::numbers(positions.origin()));
    packed.set("scale", Json::numbers(positions.scale()));
    MessageWriter message(frame_header(tags, **moment));
    const std::vector<float> x = gather_positions(**moment, topology);
    message.add("positions", ArrayType::u2, positions.pack(x), {static_cast<int64_t>(x.size() / 3), 3});
    if (field) {
      const auto all = (*moment)->values(options.field, options.component);
      if (!all) return all.error();
      const std::vector<float> numbers = gather_values(*field, *all, topology);
      Json undo = Json::object();
      undo.set("origin", values.origin()[0]);
      undo.set("scale", values.scale()[0]);
      packed.set("values", std::move(undo));
      message.header().set("field", field_header(*field, options.component, part.values));
      message.add("values", ArrayType::u2, values.pack(numbers), {static_cast<int64_t>(numbers.size())});
    }
    message.header().set("packed", std::move(packed));
    const std::vector<float> poses = gather_collider_poses(**moment, box);
    if (!poses.empty())
      message.add<float>("collider_poses", poses, {static_cast<int64_t>(poses.size() / 12), 12});
    add_marks(message, (*moment)->marks());
    if (auto ok = file.message(message.bytes()); !ok) return ok;
  }
  return {};
}

// The first message of a server, with what is in the page alone.
Json exported_hello(Show& show, const std::vector<Part>& parts, const PageOptions& options) {
  Json hello = show.hello();
  hello.set("live", false);
  hello.set("settings", options.settings.json());
  Json* panes = hello.find("panes");
  for (size_t p = 0; p < parts.size(); ++p) {
    Json& pane = panes->item(p);
    pane.set("frames", describe_frames(parts[p].frames));
    Json fields = Json::list();
    for (const Json& field : pane["fields"].items()) {
      if (field["name"].text() != options.field) continue;
      Json one = field, components = Json::list();
      if (field["components"].size() > 0)
        components.add(options.component.empty() ? field["components"].item(0) : Json(options.component));
      one.set("components", std::move(components));
      fields.add(std::move(one));
    }
    pane.set("fields", std::move(fields));
  }
  return hello;
}

Result<PageSize> write(Show& show, std::string_view page, const PageOptions& options, const Cancel* cancel) {
  const std::string html = page_html(page);
  const size_t place = html.rfind("</body>");
  if (place == std::string::npos) return input_error("page", "it has no </body> to put the data before");
  std::vector<Topology> topologies;
  std::vector<Part> parts;
  for (const std::unique_ptr<Source>& source : show.panes) {
    topologies.push_back(source->stage()->surface.whole());
    Result<Part> part = measure_part(*source, topologies.back(), options, cancel);
    if (!part) return part.error();
    parts.push_back(std::move(*part));
  }
  Result<std::unique_ptr<PackedFile>> opened = PackedFile::open(options.path);
  if (!opened) return opened.error();
  PackedFile& file = **opened;
  PageSize size;
  if (auto ok = file.plain(html.substr(0, place)); !ok) return ok.error();
  if (auto ok = file.plain(script_begin); !ok) return ok.error();
  if (auto ok = file.message(exported_hello(show, parts, options).compact()); !ok) return ok.error();
  for (size_t p = 0; p < parts.size(); ++p) {
    size.frames += static_cast<int64_t>(parts[p].frames.size());
    if (auto ok =
            write_part(static_cast<int>(p), *show.panes[p], topologies[p], parts[p], options, cancel, file);
        !ok)
      return ok.error();
  }
  if (auto ok = file.end_packed(); !ok) return ok.error();
  if (auto ok = file.plain(script_end); !ok) return ok.error();
  if (auto ok = file.plain(std::string_view(html).substr(place)); !ok) return ok.error();
  if (auto ok = file.commit(); !ok) return ok.error();
  size.bytes = file.bytes();
  return size;
}

}  // namespace

Result<PageSize> export_page(Show& show, std::string_view page, const PageOptions& options,
                             const Cancel* cancel) {
  return unless_out_of_memory(options.path, [&] { return write(show, page, options, cancel); });
}

}  // namespace sinew::view

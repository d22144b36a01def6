#include "view/capture.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/memory.h"
#include "io/file.h"
#include "json/words.h"
#include "view/browser.h"
#include "view/process.h"
#include "view/server.h"

namespace sinew::view {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

constexpr seconds first_limit(120), next_limit(60), film_limit(600);

// A server, a browser that shows its page, and pictures of that.
class Studio {
 public:
  static Result<std::unique_ptr<Studio>> open(Show& show, std::string_view page, const Settings& settings,
                                              const Cancel* cancel) {
    std::unique_ptr<Studio> studio(new Studio);
    studio->settings_ = settings;
    studio->cancel_ = cancel;
    Result<std::unique_ptr<Server>> server = Server::start(show, {.page = page, .pictures = true});
    if (!server) return server.error();
    studio->server_ = std::move(*server);
    Result<std::unique_ptr<Browser>> browser =
        Browser::open(studio->server_->url(settings.query()), settings.size());
    if (!browser) return browser.error();
    studio->browser_ = std::move(*browser);
    return studio;
  }

  Result<std::string> picture(int64_t frame) {
    Json request = settings_.json();
    request.set("say", "capture");
    request.set("frame", frame);
    request.set("size", fmt::format("{}x{}", settings_.size().first, settings_.size().second));
    const seconds limit = std::exchange(first_, false) ? first_limit : next_limit;
    const Result<std::string> png = server_->capture(
        request, limit, [&] { return (cancel_ && cancel_->requested()) || !browser_->running(); });
    if (cancel_ && cancel_->requested()) return usage_error("interrupted");
    if (!png) {
      const std::string what =
          browser_->running()
              ? fmt::format("the page made no picture of frame {} within {} s", frame, limit.count())
              : "it ended before it made a picture";
      const std::string lines = browser_->last_lines();
      return io_error("chromium", lines.empty() ? what : what + "; it says:\n" + lines);
    }
    if (!png->starts_with("\x89PNG\r\n\x1a\n"))
      return io_error("page", "it answered with something that is no PNG");
    return png;
  }

 private:
  Studio() = default;
  Settings settings_;
  const Cancel* cancel_ = nullptr;
  std::unique_ptr<Server> server_;
  std::unique_ptr<Browser> browser_;
  bool first_ = true;
};

Result<void> check_names(const Show& show, const Settings& settings) {
  std::vector<std::string_view> known;
  for (const std::unique_ptr<Source>& pane : show.panes) {
    for (const model::Body& body : pane->stage()->model.bodies) known.push_back(body.name);
    for (const model::Collider& collider : pane->stage()->model.colliders) known.push_back(collider.name);
  }
  const std::string_view hide = settings.get("hide");
  for (size_t begin = 0; begin < hide.size();) {
    const size_t end = std::min(hide.find(',', begin), hide.size());
    const std::string_view name = hide.substr(begin, end - begin);
    if (!name.empty() && std::find(known.begin(), known.end(), name) == known.end())
      return usage_error("--hide: " + json::unknown_word("body or collider", name, known));
    begin = end + 1;
  }
  return {};
}

// The frame that the settings name, or the last one.
int64_t chosen_frame(const Show& show, const Settings& settings) {
  const std::span<const exporting::FrameStamp> frames = show.panes[0]->frames();
  return settings.frame().value_or(frames.empty() ? 0 : frames.back().index);
}

// A file that another program writes: renamed when it is whole, removed otherwise.
class ForeignFile {
 public:
  explicit ForeignFile(std::string path)
      : path_(std::move(path)), temporary_(fmt::format("{}.tmp.{}", path_, ::getpid())) {
    io::remove_unfinished(path_);
  }
  ForeignFile(const ForeignFile&) = delete;
  ForeignFile& operator=(const ForeignFile&) = delete;
  ~ForeignFile() {
    std::error_code ignored;
    fs::remove(temporary_, ignored);
  }
  const std::string& temporary() const { return temporary_; }
  Result<void> commit() {
    if (const int fd = ::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC); fd >= 0) {
      ::fsync(fd);
      ::close(fd);
    }
    std::error_code code;
    fs::rename(temporary_, path_, code);
    if (code) return io_error(path_, "cannot rename: " + code.message());
    return {};
  }

 private:
  std::string path_, temporary_;
};

Result<std::vector<std::string>> film_command(const FilmOptions& options, double fps,
                                              const std::string& out) {
  const fs::path ending = fs::path(options.path).extension();
  if (ending != ".mp4" && ending != ".gif")
    return usage_error(
        fmt::format("-o: found \"{}\", expected a name that ends in .mp4 or .gif", options.path));
  const auto ffmpeg = find_program({"ffmpeg"});
  if (!ffmpeg)
    return Error{ErrorKind::not_built_in,
                 {},
                 {},
                 "films are put together by ffmpeg, which is not here: install the package ffmpeg"};
  std::vector<std::string> command = {
      *ffmpeg,      "-hide_banner",           "-loglevel", "error", "-nostats", "-y", "-f", "image2pipe",
      "-framerate", fmt::format("{:g}", fps), "-c:v",      "png",   "-i",       "-"};
  const auto add = [&](std::initializer_list<const char*> words) {
    command.insert(command.end(), words.begin(), words.end());
  };
  if (ending == ".mp4")
    // H.264 in the form that every player takes has an even number of rows and columns.
    add({"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-preset", "medium", "-crf", "18",
         "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"});
  else
    add({"-filter_complex",
         "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4", "-loop",
         "0", "-f", "gif"});
  command.push_back(out);
  return command;
}

// Frames a second of the run itself.
double natural_fps(std::span<const exporting::FrameStamp> frames) {
  if (frames.size() < 2) return 30;
  const double seconds = frames.back().time - frames.front().time;
  const double fps = static_cast<double>(frames.size() - 1) / seconds;
  return std::isfinite(fps) && fps > 0 ? std::clamp(fps, 1.0, 120.0) : 30;
}

Result<void> film(Show& show, std::string_view page, const Settings& wanted, const FilmOptions& options,
                  const FilmProgress& progress, const Cancel* cancel) {
  std::vector<exporting::FrameStamp> frames;
  for (const exporting::FrameStamp& stamp : show.panes[0]->frames())
    if (stamp.index >= options.first && stamp.index <= options.last) frames.push_back(stamp);
  if (frames.empty()) return usage_error("there are no frames to make a film of");
  const Result<Settings> settings = settle(show, wanted, frames.front().index);
  if (!settings) return settings.error();
  ForeignFile file(options.path);
  const Result<std::vector<std::string>> command =
      film_command(options, options.fps > 0 ? options.fps : natural_fps(frames), file.temporary());
  if (!command) return command.error();
  Result<std::unique_ptr<Studio>> studio = Studio::open(show, page, *settings, cancel);
  if (!studio) return studio.error();
  Result<std::unique_ptr<Child>> ffmpeg = Child::start(*command);
  if (!ffmpeg) return ffmpeg.error();
  int64_t done = 0;
  for (const exporting::FrameStamp& stamp : frames) {
    const Result<std::string> png = (*studio)->picture(stamp.index);
    if (!png) return png.error();
    if (auto ok = (*ffmpeg)->write(*png); !ok) return ok;
    if (progress) progress(++done, static_cast<int64_t>(frames.size()));
  }
  if (auto ok = (*ffmpeg)->finish(film_limit, cancel); !ok) return ok;
  return file.commit();
}

}  // namespace

Result<Settings> settle(Show& show, Settings settings, int64_t frame) {
  if (auto ok = check_names(show, settings); !ok) return ok.error();
  const std::string field(settings.get("field")), component(settings.get("component"));
  if (field.empty()) return settings;
  ValueRange range;
  for (const std::unique_ptr<Source>& pane : show.panes) {
    const Result<std::shared_ptr<Moment>> moment = pane->at(frame);
    if (!moment) return moment.error();
    if (const auto values = (*moment)->values(field, component); !values) return values.error();
    if (settings.get("range") != "run") continue;
    pane->range(field, component);
    while (pane->advance()) {
    }
    const ValueRange all = pane->range(field, component).range;
    if (all.empty()) continue;
    range.add(all.min);
    range.add(all.max);
  }
  if (range.min < range.max)
    if (auto ok = settings.set("range", json::number_text(range.min) + ":" + json::number_text(range.max));
        !ok)
      return ok.error();
  return settings;
}

Result<void> make_picture(Show& show, std::string_view page, const Settings& wanted, const std::string& path,
                          const Cancel* cancel) {
  return unless_out_of_memory(path, [&]() -> Result<void> {
    const int64_t frame = chosen_frame(show, wanted);
    if (const auto moment = show.panes[0]->at(frame); !moment) return moment.error();
    const Result<Settings> settings = settle(show, wanted, frame);
    if (!settings) return settings.error();
    Result<std::unique_ptr<Studio>> studio = Studio::open(show, page, *settings, cancel);
    if (!studio) return studio.error();
    const Result<std::string> png = (*studio)->picture(frame);
    if (!png) return png.error();
    return io::write_atomically(path, *png);
  });
}

Result<void> make_film(Show& show, std::string_view page, const Settings& settings,
                       const FilmOptions& options, const FilmProgress& progress, const Cancel* cancel) {
  return unless_out_of_memory(options.path,
                              [&] { return film(show, page, settings, options, progress, cancel); });
}

}  // namespace sinew::view

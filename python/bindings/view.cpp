// The viewer's server inside the process, and pictures for notebooks.
#include "bindings/bindings.h"
#include "io/file.h"
#include "report/pictures.h"
#include "view/open.h"
#include "view/page.h"
#include "view/server.h"

namespace sinew::python {
namespace {

// Serves until it is stopped or forgotten.
class PyView {
 public:
  PyView(const py::object& given, int port) {
    const std::string path = path_of(given);
    if (port < 0 || port > 65535) raise_value("port", "expected 0 (a free one) to 65535");
    const py::gil_scoped_release release;
    const std::string_view page = value_of(view::require_page());
    show_ = value_of(view::open_show({path}));
    server_ = value_of(view::Server::start(show_, {.port = port, .page = page}));
  }
  ~PyView() { stop(); }
  PyView(const PyView&) = delete;
  PyView& operator=(const PyView&) = delete;

  std::string url() const { return server_->url(); }
  void stop() {
    const py::gil_scoped_release release;
    if (server_) server_->stop();
  }

 private:
  view::Show show_;
  std::unique_ptr<view::Server> server_;  // ends before the show
};

py::bytes picture(const PyModel& model, const PyState& given, int width, int height) {
  if (width < 16 || width > 4096 || height < 16 || height > 4096)
    raise_value("size", "expected 16 to 4096 pixels each way");
  const model::State state = checked_copy(model, given);
  std::string png;
  {
    const py::gil_scoped_release release;
    png = report::picture_of(model.model(), model.built->skins, state, width, height);
  }
  return png;
}

}  // namespace

void bind_view(py::module_& module) {
  py::class_<PyView>(module, "ViewCore")
      .def(py::init<const py::object&, int>())
      .def_property_readonly("url", &PyView::url)
      .def("stop", &PyView::stop);
  module.def("picture", &picture);
  module.def("write_file", [](const py::object& file, const py::bytes& bytes) {
    const std::string path = path_of(file), text = bytes;
    const py::gil_scoped_release release;
    require(io::write_atomically(path, text));
  });
}

}  // namespace sinew::python

#include "batch/slurm.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "../scratch_folder.h"
#include "io/file.h"

namespace sinew::batch {
namespace {

namespace fs = std::filesystem;

void write_program(const fs::path& path, const std::string& body) {
  std::ofstream(path) << "#!/bin/sh\n" << body;
  ::chmod(path.c_str(), 0755);
}

// A program of that name comes before the system's while the object lives.
class OnPath {
 public:
  explicit OnPath(const std::string& path) : before_(std::getenv("PATH")) {
    ::setenv("PATH", path.c_str(), 1);
  }
  OnPath(const OnPath&) = delete;
  OnPath& operator=(const OnPath&) = delete;
  ~OnPath() { ::setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

TEST(Slurm, a_shell_finds_the_program_and_the_folder_in_the_script) {
  const ScratchFolder scratch;
  const fs::path odd = scratch.path() / "it's odd $HOME `x`";
  fs::create_directories(odd);
  write_program(odd / "tool", "printf '<%s>' \"$@\" >'" + (scratch.path() / "given").string() + "'\n");
  const SlurmArray array{odd / "tool", odd, 4, ""};
  ASSERT_TRUE(write_scripts(array));
  fs::create_directory_symlink(odd, scratch.path() / "link");
  ASSERT_EQ(std::system(("bash " + (scratch.path() / "link/slurm/array.sh").string()).c_str()), 0);
  EXPECT_EQ(*io::read_text((scratch.path() / "given").string()),
            "<batch><work><" + odd.string() + "><--shard><auto>");
  ASSERT_EQ(std::system(("bash " + (scratch.path() / "link/slurm/collect.sh").string()).c_str()), 0);
  EXPECT_EQ(*io::read_text((scratch.path() / "given").string()), "<batch><collect><" + odd.string() + ">");
}

TEST(Slurm, options_are_a_line_of_both_scripts) {
  const SlurmArray array{"/bin/sinew", "/data", 4, "--partition=short --time=10"};
  EXPECT_NE(array_script(array).find("\n#SBATCH --array=0-3\n"), std::string::npos);
  for (const std::string& script : {array_script(array), collect_script(array)})
    EXPECT_NE(script.find("\n#SBATCH --partition=short --time=10\n"), std::string::npos) << script;
  const ScratchFolder scratch;
  EXPECT_FALSE(write_scripts({"/bin/sinew", scratch.path(), 4, "--time=10\nrm -r x"}));
  EXPECT_FALSE(write_scripts({"/bin/sinew", scratch.path() / "100%", 4, ""}));
}

TEST(Slurm, the_collecting_job_waits_for_the_array) {
  const ScratchFolder scratch;
  const SlurmArray array{"/bin/sinew", scratch.path(), 4, ""};
  ASSERT_TRUE(write_scripts(array));
  const fs::path log = scratch.path() / "log";
  write_program(
      scratch.path() / "sbatch",
      "echo \"$@\" >>'" + log.string() + "'\ncase \"$*\" in *array.sh) echo '17;here';; *) echo 18;; esac\n");
  write_program(scratch.path() / "squeue", "printf 'PD\\nPD\\nR\\nCG\\n'\n");
  const OnPath path(scratch.path().string() + ":/usr/bin:/bin");
  const Result<SlurmJobs> jobs = submit(array);
  ASSERT_TRUE(jobs) << jobs.error().text();
  EXPECT_EQ(jobs->array, "17");
  EXPECT_EQ(jobs->collect, "18");
  EXPECT_EQ(*io::read_text(log.string()), "--parsable " + (scratch.path() / "slurm/array.sh").string() +
                                              "\n--parsable --dependency=afterany:17 " +
                                              (scratch.path() / "slurm/collect.sh").string() + "\n");
  const Result<Queued> count = queued(*jobs);
  ASSERT_TRUE(count);
  EXPECT_EQ(count->pending, 2);
  EXPECT_EQ(count->running, 2);
}

TEST(Slurm, failures_are_told) {
  const ScratchFolder scratch;
  const SlurmArray array{"/bin/sinew", scratch.path(), 4, ""};
  const OnPath path(scratch.path().string());
  EXPECT_EQ(submit(array).error().kind, ErrorKind::not_built_in);
  EXPECT_NE(submit(array).error().text().find("slurm-wlm"), std::string::npos);
  write_program(scratch.path() / "sbatch", "echo 'no such partition' >&2; exit 1\n");
  EXPECT_NE(submit(array).error().text().find("no such partition"), std::string::npos);
  write_program(scratch.path() / "sbatch", "echo 'Submitted?'\n");
  EXPECT_NE(submit(array).error().text().find("Submitted?"), std::string::npos);
  write_program(scratch.path() / "squeue",
                "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1\n");
  EXPECT_TRUE(queued({"17", "18"})->none());
  write_program(scratch.path() / "squeue", "echo 'Unable to contact slurm controller' >&2; exit 1\n");
  EXPECT_FALSE(queued({"17", "18"}));
}

}  // namespace
}  // namespace sinew::batch

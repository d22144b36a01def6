#!/usr/bin/env python3
"""The checking scripts find what they are for, and only that."""
import pathlib
import tempfile
import unittest

import check_files
import check_layers

TABLE = "base:\nmath:\nmesh: base math\nmaterial: math\n"


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        self.write("tools/layers.txt", TABLE)

    def write(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)


class Layers(Tree):
    def problems(self, name, line):
        self.write(name, f"#pragma once\n#include <vector>\n{line}\n")
        return check_layers.check(self.tree)

    def test_allowed(self):
        self.assertEqual(self.problems("src/mesh/a.h", '#include "math/vec.h"'), [])
        self.assertEqual(self.problems("src/mesh/b.h", '#include "mesh/a.h"'), [])

    def test_upwards(self):
        [problem] = self.problems("src/math/a.h", '#include "mesh/a.h"')
        self.assertIn("src/math/a.h:3: math must not include", problem)

    def test_spaces(self):
        self.assertEqual(len(self.problems("src/material/a.h", '#  include "base/result.h"')), 1)

    def test_not_rooted(self):
        self.assertEqual(len(self.problems("src/mesh/a.cpp", '#include "a.h"')), 1)
        self.assertEqual(len(self.problems("src/mesh/a.cpp", '#include "../math/vec.h"')), 1)

    def test_unknown_folder(self):
        self.assertIn("not in tools/layers.txt", self.problems("src/extra/a.h", "")[0])

    def test_table_has_whole_layers(self):
        self.write("tools/layers.txt", "base:\nmath: base/field.h\n")
        with self.assertRaises(SystemExit):
            check_layers.check(self.tree)

    def test_table_has_no_cycle(self):
        self.write("tools/layers.txt", "base: math\nmath:\n")
        with self.assertRaises(SystemExit):
            check_layers.check(self.tree)

    def test_kept_header(self):
        self.write("tools/layers.txt", TABLE + "only math/pack.h: math material mesh/kernel.cpp\n")
        self.write("src/math/gather.h", '#pragma once\n#include "math/pack.h"\n')
        for name in ("src/material/law.h", "src/mesh/kernel.cpp"):
            self.assertEqual(self.problems(name, '#include "math/gather.h"'), [])
        self.write("src/mesh/a.h", '#pragma once\n#include "math/gather.h"\n')
        source, header = self.problems("src/mesh/a.cpp", '#include "mesh/a.h"')
        self.assertIn('mesh/a.h: must not reach "math/pack.h"', header)
        self.assertIn("by mesh/a.h > math/gather.h > math/pack.h", source)


class Files(Tree):
    def problems(self, name, text):
        self.write(name, text)
        return check_files.check(self.tree)

    def test_clean(self):
        self.assertEqual(self.problems("src/base/a.cpp", "int a;\n" * 800), [])

    def test_long_source(self):
        self.assertIn("801 lines", self.problems("src/base/a.cpp", "int a;\n" * 801)[0])

    def test_large_file(self):
        self.assertIn("bytes", self.problems("docs/a.png", b"\0" * ((1 << 20) + 1))[0])

    def test_words(self):
        for bad in ("TO" "DO: later", "see /wo" "rk/main", 'open("/ro' 'ot/x")', "/ho" "me/someone/x"):
            self.assertEqual(len(self.problems("src/base/a.cpp", f"// {bad}\n")), 1, bad)
        for good in ("the homework/root/ratio", "a.b/work/c", "https://example.org/home/x"):
            self.assertEqual(self.problems("src/base/a.cpp", f"// {good}\n"), [], good)

    def test_named_sources(self):
        self.write("src/base/a.h", "int a;\n")
        for good in ("`base/a.h`", "`src/base/a.h`", "`src/LAYER/NAME.cpp`", "`b.h`", "base/b.h"):
            self.assertEqual(self.problems("docs/a.md", f"{good}\n"), [], good)
        self.assertIn("docs/a.md:1: 'base/b.h': no such file", self.problems("docs/a.md", "`base/b.h`\n"))

    def test_layout(self):
        self.assertIn("tab", self.problems("a.cpp", "\tint a;\n")[0])
        self.assertIn("newline", self.problems("a.cpp", "int a;")[0])
        self.assertIn("blanks", self.problems("a.cpp", "int a; \n")[0])
        self.assertIn("UTF-8", self.problems("a.cpp", b"\xff\n")[0])

    def test_vague_name(self):
        self.assertIn("concept", self.problems("src/base/string_uti" "ls.h", "\n")[0])


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: MIT
"""Problems of other programs: what `halotherm import` prints is checked and run with no edit, and has the powers of the files."""
import subprocess

import numpy as np

from halotherm_runner import Case, Results, command, environment, launch

# case 10 of the published cases, with wider cells: 3D-ICE's stack of two dies
STACK = """
material silicon : thermal conductivity 1.30e-04 ; volumetric heat capacity 1.63566e-12 ;
top heat sink : heat transfer coefficient 1e-07 ; temperature 300.0 ;
bottom heat sink : heat transfer coefficient 1e-07 ; temperature 300.0 ;
dimensions : chip length 10000 , width 10000 ; cell length 500 , width 1000 ;
die bottomdie : layer 48 silicon ; source 2 silicon ;
die topdie : source 2 silicon ; layer 48 silicon ;
stack:
  die die2 topdie floorplan "quadrants.flp" ;
  die die1 bottomdie floorplan "uniform.flp" ;
solver: {solver} initial temperature 300.0 ;
output: T ( die1, 5000, 4800, "node1.txt", final ); T ( die2, 0, 0, "node2.txt", final );
"""
UNIFORM = "all: position 0, 0 ; dimension 10000, 10000 ; power values 50.0, 0.0, 50.0 ;"
QUADRANTS = """
one: rectangle (0, 0, 2000, 5000) ; rectangle (2000, 0, 3000, 5000) ; power values 12.5, 0, 12.5 ;
two: position 5000, 0 ; dimension 5000, 5000 ; power values 0, 6.25, 0 ;
three: rectangle (0, 5000, 5000, 5000) ; power values 0, 18.75, 0 ;
four: rectangle (5000, 5000, 5000, 5000) ; power values 12.5, 0, 12.5 ;
"""
PACKAGE = """-t_chip 0.00015\n-k_chip 130\n-p_chip 1.6e6\n-c_convec 140.4\n-r_convec 0.1\n-s_sink 0.06\n-t_sink 0.0069\n-k_sink 400\n-p_sink 3.5e6
-s_spreader 0.03\n-t_spreader 0.001\n-k_spreader 400\n-p_spreader 3.5e6\n-t_interface 2e-5\n-k_interface 4\n-p_interface 4e6\n-ambient 318.15
-init_temp 318.15\n-sampling_intvl 0.01\n-grid_rows 16\n-grid_cols 16\n"""


class Imports(Case):
    def imported(self, *arguments):
        """The folder's files as a configuration: its name."""
        job = subprocess.run([*command(1), "import", *arguments], cwd=self.work, env=environment(), text=True, capture_output=True, check=False)
        self.assertEqual(job.returncode, 0, job.stderr)
        (self.work / "imported.yaml").write_text(job.stdout, encoding="utf-8")
        return job

    def checked(self):
        """The powers of the regions at the start [W], by name, which `check` prints."""
        code, text = launch(["check", "imported.yaml"], 1, self.work)
        self.assertEqual(code, 0, text)
        rows = text[text.index("\nregions "):].split("\n")[2:]
        return {words[0]: float(words[-1]) for words in (row.split() for row in rows if row.startswith(" " * 15))}

    def run_imported(self, *arguments, ranks=2):
        code, text = launch(["run", "imported.yaml", "--set", "output.directory=out", "--set", "output.diagnostics.steps=1", *arguments], ranks, self.work)
        self.assertEqual(code, 0, text)
        return Results(self.work / "out", text).diagnostics()

    def write_stack(self, solver, cells=(500, 1000)):
        text = STACK.replace("{solver}", solver).replace("cell length 500 , width 1000", "cell length {} , width {}".format(*cells))
        for name, text in (("stack.stk", text), ("uniform.flp", UNIFORM), ("quadrants.flp", QUADRANTS)):
            (self.work / name).write_text(text, encoding="utf-8")

    def test_stack_of_dies(self):
        self.write_stack("transient step 0.0001, slot 0.0005 ;")
        self.imported("3dice", "stack.stk")
        powers = self.checked()
        expected = {"die1_all": 50, "die2_one": 12.5 * 0.4, "die2_one_2": 12.5 * 0.6, "die2_two": 0, "die2_three": 0, "die2_four": 12.5}
        for name, power in expected.items():
            self.assertAlmostEqual(powers[name], power, delta=1e-4 * 50, msg=name)
        rows = self.run_imported()
        times = np.array([0, 0.0005, 0.001, 0.0015])
        heats = np.append(0, np.cumsum(0.0005 * np.array([75, 25, 75])))
        np.testing.assert_allclose(rows["time_s"][-1], 0.0015)
        made = np.append(0, np.cumsum(rows["source_W"][1:] * np.diff(rows["time_s"])))
        np.testing.assert_allclose(made, np.interp(rows["time_s"], times, heats), atol=1e-10)  # exact over each interval
        self.assertEqual(rows.dtype.names[-2:], ("T_die1_K", "T_die2_K"))

    def test_steady_stack(self):
        """Both sinks: what the dies make flows out, and the temperatures are those of 3D-ICE's own reference output."""
        self.write_stack("steady ;", cells=(50, 200))
        self.imported("3dice", "stack.stk")
        rows = self.run_imported("--set", "output.diagnostics.steps=1000")
        last = rows[-1]
        self.assertAlmostEqual(last["flow_z-_W"] + last["flow_z+_W"], -75, delta=1e-4)
        self.assertAlmostEqual(last["T_die1_K"], 303.745, delta=1e-3)
        self.assertAlmostEqual(last["T_die2_K"], 305.004, delta=1e-3)

    def test_package(self):
        for name, text in (("p.config", PACKAGE), ("p.flp", "left 0.008 0.016 0 0\nright 0.008 0.016 0.008 0\n"), ("p.ptrace", "left right\n10 2\n20 4\n")):
            (self.work / name).write_text(text, encoding="utf-8")
        job = self.imported("hotspot", "p.config", "--floorplan", "p.flp", "--powers", "p.ptrace")
        self.assertIn("c_convec is added", job.stderr)
        powers = self.checked()
        self.assertAlmostEqual(powers["layer_0_left"], 10, delta=1e-3)
        self.assertAlmostEqual(powers["layer_0_right"], 2, delta=1e-3)
        rows = self.run_imported()
        made = np.sum(rows["source_W"][1:] * np.diff(rows["time_s"]))
        self.assertAlmostEqual(made, 0.01 * (12 + 24), delta=1e-10)

    def test_bad_files(self):
        self.write_stack("steady ;")
        (self.work / "uniform.flp").write_text("all: position 0 ;", encoding="utf-8")
        for arguments, said in ((["3dice", "stack.stk"], "uniform.flp:1: \";\" stands where \",\" is expected"), (["3dice", "no.stk"], "cannot read no.stk"),
                                (["3dice"], "STACK is required"), (["spice"], "spice")):
            code, text = launch(["import", *arguments], 2, self.work)
            self.assertEqual(code, 2, text)
            self.assertIn(said, text)

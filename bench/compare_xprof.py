"""Convert files with XProf and ask memview the same, in turns, each turn in an order of its own: what comes behind a
conversion finds cold caches and cold memory. Called by compare_xprof.

usage: compare_xprof.py COLD RUNS FILE...

XProf's memory viewer reads FOLDER/MODULE.hlo_proto.pb beside a profile of the same folder; it is given the file under
such a name and an empty profile. It converts one memory space a call, to JSON, or to HTML with its allocation timeline.
Prints lines of the form that bench.h describes, each name followed by the file's.
"""
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# XProf logs each call to the standard error; errors are raised or come back as no data.
sys.stderr.flush()
real_stderr = os.dup(2)
os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
from xprof.convert import raw_to_tool_data  # noqa: E402
from xprof import version  # noqa: E402


# As bench_now_ms.
now = time.process_time if os.environ.get("BENCH_CLOCK") == "cpu" else time.perf_counter


def fail(message):
    os.write(real_stderr, f"compare_xprof: {message}\n".encode())
    sys.exit(1)


def convert(profile, color, timeline):
    params = {"module_name": "module", "memory_space": str(color), "view_memory_allocation_timeline": timeline,
              "use_saved_result": False}
    start = now()
    data, _ = raw_to_tool_data.xspace_to_tool_data([profile], "memory_viewer", params)
    ms = (now() - start) * 1e3
    if not data:
        fail(f"xprof gave nothing for memory space {color}")
    return ms


class Cold:
    """The other end of cold.c."""

    def __init__(self, program, path):
        self.process = subprocess.Popen([program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, sql):
        self.process.stdin.write(sql + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        try:
            return float(answer)
        except ValueError:
            return answer or "error: no answer"

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def series(name, path, values, unit, note):
    print(f"{name}\t{statistics.median(values):.3f}\t{min(values):.3f}\t{unit}\t{note}", flush=True)


def compare(program, runs, path):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copyfile(path, os.path.join(folder, "module.hlo_proto.pb"))
        profile = os.path.join(folder, "host.xplane.pb")
        open(profile, "wb").close()
        cold = Cold(program, os.path.join(folder, "module.hlo_proto.pb"))
        measured = {
            "scan": lambda: cold.ask("scan"),
            "xprof": lambda: convert(profile, 0, False),
            "xprof with timeline": lambda: convert(profile, 0, True),
            "memview memory_spaces": lambda: cold.ask("SELECT * FROM memory_spaces(?1)"),
            "memview curve and peak": lambda: cold.ask(
                "SELECT (SELECT sum(bytes) FROM usage_curve(?1) WHERE color = 0),"
                " (SELECT sum(size_bytes + length(shape)) FROM peak_buffers(?1) WHERE color = 0)"),
            "memview timeline_svg": lambda: cold.ask("SELECT timeline_svg(?1, 1, 0)"),
            "memview memview_html": lambda: cold.ask("SELECT memview_html(?1)"),
        }
        values = {name: [] for name in measured}
        orders = random.Random(1)  # the same in every run of the program
        for turn in range(runs + 1):
            for name, measure in orders.sample(list(measured.items()), len(measured)):
                if isinstance(values[name], str):
                    continue
                value = measure()
                if isinstance(value, str):
                    values[name] = value
                elif turn > 0:  # the first turn fills the caches of both
                    values[name].append(value)
        cold.close()
        for name, value in values.items():
            if isinstance(value, str):
                why = "not supported yet" if "no such function" in value else value
                print(f"{name}\t-\t-\t-\t{why}", flush=True)
            else:
                series(name, path, value, "ms", f"xprof {version.__version__}" if "xprof" in name else "cold")


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    for path in sys.argv[3:]:
        compare(sys.argv[1], int(sys.argv[2]), path)


main()

"""Drives the viewer page in a real browser and holds its figures against what SQL says.

usage: test_page.py SQLITE3 EXTENSION DATA [-v] [TEST...]      DATA: the folder tests/data
Exit status 0 when all passed, 77 when there is no browser to drive.
"""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser as chromium
import synthetic

SQLITE3, EXTENSION, DATA = sys.argv[1:4]
SKIPPED = 77
folder = tempfile.TemporaryDirectory(prefix="memview-page-")
browser = None
opened = None


def sql(query):
    """The rows of a query as dictionaries."""
    done = subprocess.run([SQLITE3, "-batch", "-bail", "-init", os.devnull, ":memory:"], text=True, capture_output=True,
                          input=f".load {EXTENSION}\n.mode json\n{query};\n", check=False)
    if done.returncode != 0 or done.stderr.strip():
        raise AssertionError(f"{query}: {done.stderr}")
    return json.loads(done.stdout) if done.stdout.strip() else []


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def page_of(source):
    """The page of a source, as a file's address."""
    path = os.path.join(folder.name, re.sub(r"\W+", "-", os.path.basename(source.rstrip("/"))) + ".html")
    if not os.path.exists(path):
        sql(f"SELECT writefile({quoted(path)}, memview_html({quoted(source)}))")
    return "file://" + path


def data(name):
    return os.path.join(DATA, name)


def made(name, proto):
    path = os.path.join(folder.name, name)
    if not os.path.exists(path):
        with open(path, "wb") as file:
            file.write(proto)
    return path


def show(source, **where):
    """A source's page at a module, space, position ... A page that is open already is told by its address alone."""
    global opened
    address = page_of(source)
    browser.errors.clear()
    marks = "#" + "&".join(f"{k}={v}" for k, v in where.items())
    if opened == address:
        browser.run(f"(scrollTo(0, 0), history.replaceState(null, '', {json.dumps(marks)}), memview.readHash())")
    else:
        browser.open(address + marks)
        opened = address
    browser.settle()


def text(selector):
    return browser.run(f"document.querySelector({json.dumps(selector)})?.textContent ?? null")


def field(name, root="#card"):
    return text(f"{root} [data-field={name}]")


def listed(column):
    """A column of sizes of the table of what is live, as it stands there."""
    return browser.run("(() => { const place = [...document.querySelectorAll('#live th')].findIndex("
                       f"th => th.dataset.key === {json.dumps(column)}); return [...document.querySelectorAll('#live tbody tr[data-item]')]"
                       ".map(row => Number(row.cells[place].dataset.bytes)) })()")


def field_bytes(name, root="#card"):
    """The exact size behind a figure."""
    selector = json.dumps(f"{root} [data-field={name}]")
    value = browser.run(f"(() => {{ const e = document.querySelector({selector}); if (!e) return null;"
                        "return (e.dataset.bytes !== undefined ? e : e.querySelector('[data-bytes]'))?.dataset.bytes ?? null })()")
    return None if value is None else int(value)


def place(selector):
    return browser.run(f"(() => {{ const r = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
                       "return {x: r.x, y: r.y, width: r.width, height: r.height} })()")


def reveal(selector, block="center"):
    browser.run(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: '{block}'}})")
    browser.settle()


def item_of(instruction, shape_index=""):
    """The item of the page that shows an instruction's block, the last of them."""
    return browser.run("(() => { const s = memview.store.state.space; let found = -1;"
                       f"for (let i = 0; i < s.count; i++) if (s.instructionName(i) === {json.dumps(instruction)} && "
                       f"s.shapeIndex(i) === {json.dumps(shape_index)}) found = i; return found }})()")


def middle_of(chart, item):
    """Where in the window a chart draws an item."""
    rect = browser.run(f"memview.{chart}.rectOf({item})")
    root = place(f"#{chart}")
    return root["x"] + rect["x"] + rect["width"] / 2, root["y"] + rect["y"] + rect["height"] / 2


def colour_at(canvas, x, y):
    """The pixel of a canvas at a place in its own CSS pixels."""
    return browser.run(f"(() => {{ const c = document.querySelector({json.dumps(canvas)}); const k = devicePixelRatio;"
                       f"return [...c.getContext('2d').getImageData({x} * k, {y} * k, 1, 1).data] }})()")


MLP = data("tpu-v5e-mlp.hlo.pb")
CONV = data("tpu-v5e-conv.hlo.pb")


class PageTest(unittest.TestCase):
    def tearDown(self):
        self.assertEqual(browser.errors, [], "the page threw")

    def test_needs_no_network_and_no_other_file(self):
        global opened
        browser.open("about:blank")
        opened = page_of(MLP)
        browser.open(opened)
        self.assertEqual([r for r in browser.requests() if not r.endswith(".html") and "#" not in r and r != "about:blank"], [])
        self.assertIn("memview", browser.run("document.title"))

    def test_overview_is_memory_spaces(self):
        for source in (MLP, CONV, data("gpu-h100-collective.hlo.pb"), data("cpu-mlp.hlo.pb")):
            for row in sql(f"SELECT * FROM memory_spaces({quoted(source)})"):
                show(source, space=row["color"])
                for name, value in row.items():
                    if name in ("module_id", "module", "memory_space", "color"):
                        continue
                    with self.subTest(source=source, space=row["memory_space"], name=name):
                        if name.endswith("_bytes"):
                            self.assertEqual(field_bytes(name, "#overview"), value)
                        else:
                            shown = field(name, "#overview")
                            self.assertEqual(shown.replace(",", ""), "\u2013" if value is None else str(value))

    def test_picks_a_space(self):
        show(MLP, space=0)
        browser.run("(() => { const s = document.querySelector('#space'); s.value = '1'; s.dispatchEvent(new Event('change')) })()")
        browser.settle()
        row, = sql(f"SELECT * FROM memory_spaces({quoted(MLP)}) WHERE color = 1")
        self.assertEqual(field_bytes("headline_peak", "#overview"), row["peak_bytes"])
        self.assertIn("space=1", browser.run("location.hash"))
        self.assertIn("VMEM", text("#space option:checked"))

    def test_curve_is_usage_curve(self):
        for source, color in ((MLP, 1), (CONV, 0), (data("gpu-h100-collective.hlo.pb"), 0), (data("synth-5005.hlo.pb"), 1)):
            show(source, space=color)
            expected = sql(f"SELECT bytes, unpadded_bytes, occupied_bytes, event, instruction FROM usage_curve({quoted(source)}) WHERE color = {color}")
            shown = browser.run("(() => { const s = memview.store.state.space; const out = []; s.heaps.forEach((h, k) => {"
                                "for (let p = 0; p <= h.events; p++) { const v = s.valueAt(k, p);"
                                "out.push([v.bytes, v.unpadded, v.occupied, v.event || null, v.instruction || null]) } }); return out })()")
            self.assertEqual(shown, [list(row.values()) for row in expected])

    def test_live_is_peak_buffers(self):
        for source, color in ((MLP, 0), (MLP, 1), (CONV, 1), (data("synth-5003.hlo.pb"), 0), (data("tpu-v5e-offload.hlo.pb"), 5)):
            for at in (None, 0, 3, 7):
                last, = sql(f"SELECT max(position) AS n FROM usage_curve({quoted(source)}) WHERE color = {color}")
                if at is not None and at > last["n"]:
                    continue
                show(source, space=color, **({} if at is None else {"at": at}))
                where = f"color = {color}" + ("" if at is None else f" AND at = {at}")
                expected = sql("SELECT buffer_id, size_bytes, unpadded_bytes, padding_bytes, offset_bytes, start_position, "
                               "end_position, instruction, opcode, shape, op_name, category, source_file, source_line, "
                               f"source_stack FROM peak_buffers({quoted(source)}) WHERE {where}")
                shown = browser.run(
                    "(() => { const {space: s, live} = memview.store.state; return live.map(i => [s.bufferId(i), s.size[i],"
                    "s.unpaddedOf(i), s.paddingOf(i), s.offset[i] < 0 ? null : s.offset[i], s.startOf(i), s.endOf(i), s.instructionName(i) || null,"
                    "s.opcode(i) || null, s.shape(i) || null, s.opName(i) || null, s.category(i) || null, s.sourceFile(i) || null,"
                    "s.sourceLine(i), s.stack(i).map(f => `${f.file}:${f.line}:${f.column}`).join('\\n') || null]) })()")
                self.assertEqual(shown, [list(row.values()) for row in expected], (source, color, at))

    def test_what_is_untraced_is_named(self):
        source = data("tf221-profile.xplane.pb")
        row, = sql(f"SELECT * FROM peak_buffers({quoted(source)}) WHERE start_position IS NULL")
        show(source)
        self.assertIn("Untraced", text("#overview .keys"))
        self.assertIn("Baseline and untraced", text("#legend"))
        for chart in ("curve", "timeline"):
            self.assertIn("nothing tells when the temporaries of this space live", text(f"#{chart}-panel"))
        browser.run(f"memview.store.set({{pinned: {item_of(row['instruction'])}}})")
        browser.settle()
        self.check_card(row)
        self.assertIn("no heap trace", field("lifetime"))
        self.assertEqual(browser.run("memview.store.state.live.length"), len(sql(f"SELECT 1 FROM peak_buffers({quoted(source)})")))

    def test_hovering_a_box_fills_the_card_and_draws_its_band(self):
        show(MLP, space=1)
        reveal("#timeline", "end")
        row = sql(f"SELECT * FROM buffers({quoted(MLP)}) WHERE color = 1 AND start_position IS NOT NULL AND source_stack IS NOT NULL "
                  "ORDER BY size_bytes * (end_position - start_position) DESC LIMIT 1")[0]
        item = item_of(row["instruction"], row["shape_index"])
        browser.move(*middle_of("timeline", item))
        self.assertEqual(browser.run("memview.store.state.hover"), item)
        self.check_card(row)
        self.check_band(row, "color = 1")

    def test_hovering_a_bar_does_the_same(self):
        for order, by in (("program", None), ("size", "size_bytes"), ("padding", "padding_bytes")):
            show(MLP, space=1, order=order)
            reveal("#bars-panel", "end")
            rows = sql(f"SELECT * FROM peak_buffers({quoted(MLP)}) WHERE color = 1")
            if by:
                rows.sort(key=lambda row: -row[by])  # stable, as the page's order is
            row = rows[0]
            item = browser.run("memview.bars.items[0]")
            browser.move(*middle_of("bars", item))
            self.check_card(row)
            self.check_band(row, "color = 1")

    def check_card(self, row):
        label = row["instruction"] + (f"{{{row['shape_index']}}}" if row["shape_index"] else "")
        self.assertEqual(field("instruction"), label)
        self.assertEqual(field_bytes("size_bytes"), row["size_bytes"])
        self.assertEqual(field_bytes("unpadded_bytes"), row["unpadded_bytes"])
        self.assertEqual(field_bytes("padding_bytes"), row["padding_bytes"])
        for name in ("opcode", "category", "shape", "op_name", "computation"):
            self.assertEqual(field(name), row[name], name)
        if row["unpadded_bytes"]:
            self.assertIn(f"{row['size_bytes'] / row['unpadded_bytes']:.2f}\u00d7", field("expansion"))
        if row["source_stack"]:
            places = browser.run("[...document.querySelectorAll('#card [data-field=source_stack] small')].map(e => e.textContent)")
            self.assertEqual([p if p.count(":") > 1 else p + ":0" for p in places], row["source_stack"].split("\n"))
            frames = browser.run("document.querySelectorAll('#card [data-field=source_stack] li').length")
            names = sql(f"""WITH RECURSIVE up(id, n) AS (SELECT {row['stack_frame_id']}, 0 UNION ALL
                SELECT parent_frame_id, n + 1 FROM up JOIN stack_frames({quoted(MLP)}) ON frame_id = id WHERE parent_frame_id IS NOT NULL)
                SELECT "function" AS f FROM up JOIN stack_frames({quoted(MLP)}) ON frame_id = id ORDER BY n""")
            self.assertEqual(frames, len(names))
            shown = browser.run("[...document.querySelectorAll('#card [data-field=source_stack] li')].map(e => e.firstChild.textContent)")
            self.assertEqual(shown, [n["f"] or "(unknown function)" for n in names])

    def check_band(self, row, where):
        """The band spans the lifetime, is as high as the size on the curve's scale, and has the buffer's colour."""
        top, = sql(f"SELECT max(bytes) AS bytes, max(position) AS n FROM usage_curve({quoted(MLP)}) WHERE {where}")
        band = browser.run("memview.curve.band")
        scale = browser.run("(() => { const c = memview.curve; return {x0: c.x(0), x1: c.x(c.length + 1), zero: c.y(0), peak: c.y("
                            f"{top['bytes']}) }} }})()")
        width = (scale["x1"] - scale["x0"]) / (top["n"] + 1)
        self.assertAlmostEqual(band["x"], scale["x0"] + row["start_position"] * width, delta=1)
        self.assertAlmostEqual(band["width"], max(2, (row["end_position"] - row["start_position"]) * width), delta=1)
        height = (scale["zero"] - scale["peak"]) * row["size_bytes"] / top["bytes"]
        self.assertAlmostEqual(band["height"], max(2, height), delta=1)
        if band["width"] > 6 and band["height"] > 6:
            pixel = colour_at("#curve canvas.over", band["x"] + band["width"] / 4, band["y"] + band["height"] / 2)
            colour = [int(v) for v in re.findall(r"\d+", band["color"])]
            for have, want in zip(pixel[:3], colour):
                self.assertAlmostEqual(have, want, delta=6)
            swatch = browser.run("getComputedStyle(document.querySelector('#card .swatch')).backgroundColor")
            self.assertEqual([int(v) for v in re.findall(r"\d+", swatch)], colour)

    def test_clicking_the_curve_lists_what_is_live_there(self):
        show(MLP, space=1)
        reveal("#curve")
        root = place("#curve")
        x = browser.run("memview.curve.x(12.5)")
        browser.click(root["x"] + x, root["y"] + root["height"] / 2)
        self.assertEqual(browser.run("memview.store.state.at"), 12)
        rows = sql(f"SELECT instruction, size_bytes FROM peak_buffers({quoted(MLP)}) WHERE color = 1 AND at = 12")
        self.assertIn("position 12", text("#live-title"))
        self.assertEqual(listed("size_bytes"), sorted((row["size_bytes"] for row in rows), reverse=True))
        total, = sql(f"SELECT bytes FROM usage_curve({quoted(MLP)}) WHERE color = 1 AND position = 12")
        self.assertEqual(int(browser.run("document.querySelector('#live-total').dataset.bytes")), total["bytes"])
        self.assertEqual(int(browser.run("document.querySelector('#readout-bytes').dataset.bytes")), total["bytes"])
        self.assertIn("at=12", browser.run("location.hash"))

    def test_a_position_lights_what_is_live_in_the_timeline(self):
        show(MLP, space=1)
        item = browser.run("memview.timeline.grid.items.find(i => i >= 0 && memview.store.state.space.start[i] > 3)")
        rect = browser.run(f"memview.timeline.rectOf({item})")
        x, y = rect["x"] + rect["width"] / 2, rect["y"] + rect["height"] / 2
        before = colour_at("#timeline canvas.base", x, y)
        browser.run("document.querySelector('#at').focus()")
        browser.type("3")
        browser.key("Enter")
        self.assertEqual(browser.run("memview.store.state.at"), 3)
        self.assertNotEqual(colour_at("#timeline canvas.base", x, y), before, "a box that is not live is dimmed")
        browser.run("document.querySelector('#to-peak').click()")
        browser.settle()
        self.assertEqual(colour_at("#timeline canvas.base", x, y), before)

    def test_what_is_no_position_is_refused(self):
        show(MLP, space=1)
        browser.run("document.querySelector('#at').focus()")
        for wrong in ("-1", "1.5", "x"):
            browser.run("document.querySelector('#at').value = ''")
            browser.type(wrong)
            browser.key("Enter")
            self.assertIsNone(browser.run("memview.store.state.at"))
            self.assertEqual(browser.run("document.querySelector('#at').getAttribute('aria-invalid')"), "true")
            self.assertIn("positions go from 0", text("#readout"))

    def test_a_position_beyond_the_last_is_taken_for_the_last(self):
        last = sql(f"SELECT max(position) AS n FROM usage_curve({quoted(MLP)}) WHERE color = 1")[0]["n"]
        word = f"No position 99,999, this is the last: Position {last} of {last}"
        show(MLP, space=1, at=99999)
        self.assertEqual(browser.run("memview.store.state.at"), last)
        self.assertIn(f"at={last}", browser.run("location.hash"))
        self.assertTrue(text("#readout").startswith(word), text("#readout"))
        browser.run("document.querySelector('#to-peak').click()")
        browser.settle()
        self.assertNotIn("No position", text("#readout"))
        browser.run("document.querySelector('#at').focus()")
        browser.type("99999")
        browser.key("Enter")
        self.assertTrue(text("#readout").startswith(word), text("#readout"))
        self.assertEqual(browser.run("document.querySelector('#at').value"), str(last))
        browser.run("document.querySelector('#at').value = ''")
        browser.type(str(last))
        browser.key("Enter")
        self.assertTrue(text("#readout").startswith(f"Position {last} of {last}"), text("#readout"))

    def test_search_counts_and_lights_matches(self):
        show(MLP, space=1)
        browser.run("document.querySelector('#search').focus()")
        browser.type("^COPY-start")
        expected = browser.run("(() => { const s = memview.store.state.space; let n = 0; for (let i = 0; i < s.count; i++)"
                               "n += /^copy-start/.test(s.label(i)) || /^copy-start/.test(s.opcode(i)); return n })()")
        self.assertGreater(expected, 0)
        self.assertTrue(text("#matches").startswith(f"{expected} of "), text("#matches"))
        names, = sql("SELECT count(*) AS n FROM buffers(" + quoted(MLP) + ") WHERE color = 1 AND start_position IS NOT NULL "
                     "AND (instruction GLOB 'copy-start*' OR opcode GLOB 'copy-start*')")
        self.assertEqual(expected, names["n"])
        browser.key("Enter")
        self.assertIn("copy-start", field("instruction"))

    def test_an_invalid_expression_is_reported(self):
        show(MLP, space=1)
        browser.run("document.querySelector('#search').focus()")
        browser.type("fusion(")
        self.assertIn("regular expression", text("#matches"))
        self.assertEqual(browser.run("document.querySelector('#search').getAttribute('aria-invalid')"), "true")
        self.assertIsNone(browser.run("memview.store.state.matches"))

    def test_zoom_pan_and_fit(self):
        show(CONV, space=1)
        reveal("#timeline", "end")
        root = place("#timeline")
        x, y = root["x"] + 400, root["y"] + 150
        whole = browser.run("memview.timeline.whole")
        under = browser.run(f"(() => {{ const t = memview.timeline; return t.view.x0 + (400 - t.plot.x) / t.plot.width * (t.view.x1 - t.view.x0) }})()")
        browser.wheel(x, y, -240)
        view = browser.run("memview.timeline.view")
        self.assertLess(view["x1"] - view["x0"], whole["x1"])
        still = browser.run(f"(() => {{ const t = memview.timeline; return t.view.x0 + (400 - t.plot.x) / t.plot.width * (t.view.x1 - t.view.x0) }})()")
        self.assertAlmostEqual(under, still, delta=0.5)  # what is under the pointer stays there
        browser.drag(x, y, x - 80, y)
        self.assertGreater(browser.run("memview.timeline.view.x0"), view["x0"])
        browser.run("document.querySelector('#timeline').focus()")
        before = browser.run("memview.timeline.view.x0")
        browser.key("ArrowLeft")
        self.assertLess(browser.run("memview.timeline.view.x0"), before)
        browser.key("+")
        browser.key("0")
        self.assertIsNone(browser.run("memview.store.state.view"))

    def test_works_from_the_keyboard(self):
        show(MLP, space=1)
        seen = []
        browser.run("document.querySelector('.skip').focus()")
        for _ in range(30):
            browser.key("Tab")
            seen.append(browser.run("document.activeElement.id || document.activeElement.dataset.order || document.activeElement.tagName"))
        for wanted in ("module", "space", "theme", "curve", "at", "bars", "search", "zoom-in", "timeline"):
            self.assertIn(wanted, seen)
        browser.run("document.querySelector('#curve').focus()")
        browser.key("Home")
        for _ in range(5):
            browser.key("ArrowRight")
        browser.key("Enter")
        self.assertEqual(browser.run("memview.store.state.at"), 5)
        browser.key("Escape")
        self.assertIsNone(browser.run("memview.store.state.at"))
        browser.run("document.querySelector('#bars').focus()")
        browser.key("Home")
        row = max(sql(f"SELECT instruction, size_bytes FROM peak_buffers({quoted(MLP)}) WHERE color = 1"), key=lambda r: r["size_bytes"])
        self.assertEqual(field_bytes("size_bytes"), row["size_bytes"])
        browser.key("Enter")
        self.assertIn("kept", text("#card"))
        browser.run("document.querySelector('#timeline').focus()")
        browser.key("n")
        self.assertGreaterEqual(browser.run("memview.store.state.hover"), 0)
        self.assertEqual(browser.run("document.querySelector('#card').getAttribute('aria-live')"), "polite")

    def test_full_screen_and_back(self):
        show(MLP, space=1)
        browser.run("document.querySelector('#timeline').focus()")
        browser.key("f")
        self.assertTrue(browser.run("document.querySelector('#work').classList.contains('full')"))
        self.assertGreater(place("#timeline")["height"], 400)
        browser.key("f")
        self.assertFalse(browser.run("document.querySelector('#work').classList.contains('full')"))

    def test_table_sorts(self):
        browser.open("about:blank")  # a new page: how it sorts is kept from one space to the next
        globals()["opened"] = None
        show(MLP, space=1)
        for key in ("size_bytes", "padding_bytes"):  # the first needs no click
            if key != "size_bytes":
                browser.run(f"document.querySelector('#live th[data-key={key}] button').click()")
                browser.settle()
            values = [row[key] for row in sql(f"SELECT {key} FROM peak_buffers({quoted(MLP)}) WHERE color = 1")]
            self.assertEqual(listed(key), sorted(values, reverse=True))
            self.assertEqual(browser.run(f"document.querySelector('#live th[data-key={key}]').getAttribute('aria-sort')"), "descending")
        browser.run("document.querySelector('#live th[data-key=instruction] button').click()")
        browser.settle()
        names = browser.run("[...document.querySelectorAll('#live tbody tr[data-item]')].map(r => r.cells[0].textContent)")
        self.assertEqual(names, sorted(names))

    def test_the_table_shows_the_source_without_scrolling_sideways(self):
        source = data("tpu-v5e-oom.hlo.pb.gz")
        show(source, space=0)
        seen = browser.run("(() => { const th = document.querySelector('#live th[data-key=source]'); const root = document.querySelector('#live');"
                           "return th.getBoundingClientRect().right <= root.getBoundingClientRect().right })()")
        self.assertTrue(seen)
        row = sql(f"SELECT source_file, source_line FROM peak_buffers({quoted(source)}) WHERE color = 0 ORDER BY size_bytes DESC LIMIT 1")[0]
        place = f"{row['source_file']}:{row['source_line']}"
        cell = browser.run("(() => { const c = document.querySelector('#live tbody tr[data-item]').cells[4]; return [c.textContent, c.title] })()")
        self.assertEqual(cell, ["/".join(place.split("/")[-2:]), place])

    def test_the_curve_that_sticks_is_a_quarter_of_the_window_at_most(self):
        self.addCleanup(browser.size, 1440, 1000)
        for width, height in ((1440, 1000), (1440, 760), (1000, 800), (1440, 1600)):
            browser.size(width, height)
            show(MLP, space=1)
            whole = place("#curve-panel")
            # where the next panel is, in the page, tells whether anything jumped
            below = "document.querySelector('#bars-panel').getBoundingClientRect().y + scrollY"
            before = browser.run(below)
            browser.run(f"scrollTo(0, {before - 80})")
            browser.settle()
            browser.settle()
            stuck = place("#curve-panel")
            self.assertEqual(stuck["y"], 64)
            self.assertLessEqual(stuck["height"], height / 4, (width, height))
            self.assertAlmostEqual(browser.run(below), before, delta=1)
            browser.run("scrollTo(0, 0)")
            browser.settle()
            browser.settle()
            self.assertEqual(place("#curve-panel"), whole)

    def test_a_narrow_window_has_no_sideways_scroll(self):
        self.addCleanup(browser.size, 1440, 1000)
        for width in (420, 360, 800):
            browser.size(width, 900)
            for source, color in ((MLP, 1), (CONV, 0)):
                show(source, space=color)
                self.assertLessEqual(browser.run("document.documentElement.scrollWidth"), width)
                self.assertLessEqual(place("#work")["width"], width)
            reveal("#live", "center")
            x, y = browser.run("(() => { const r = document.querySelector('#live tbody tr[data-item]').getBoundingClientRect(); return [r.x + 40, r.y + 9] })()")
            browser.move(x, y)
            card = place("#card")
            self.assertIsNotNone(field("size_bytes"))
            self.assertLessEqual(card["y"] + card["height"], 901, "the card is in sight")

    def test_saves_svg_dot_and_csv(self):
        show(CONV, space=1)

        def saved(name):
            browser.run(f"document.querySelector('[data-save=\"{name}\"]').click()")
            return browser.download()

        name, svg = saved("timeline.svg")
        self.assertTrue(name.endswith("VMEM-timeline.svg"), name)
        blocks, = sql(f"SELECT count(*) AS n FROM buffers({quoted(CONV)}) WHERE color = 1 AND start_position IS NOT NULL")
        tree = xml.etree.ElementTree.fromstring(svg)
        boxes = [r for r in tree.iter("{http://www.w3.org/2000/svg}rect") if len(r)]
        left_out = re.search(r"([\d,]+) of them thinner", svg)
        self.assertEqual(len(boxes) + int(left_out.group(1) if left_out else 0), blocks["n"])
        xml.etree.ElementTree.fromstring(saved("curve.svg")[1])
        graph = saved("timeline.dot")[1]
        self.assertEqual(graph.count("pos="), blocks["n"])
        if shutil.which("neato"):
            drawn = subprocess.run(["neato", "-n", "-Tsvg"], input=graph, text=True, capture_output=True, check=True)
            self.assertEqual(drawn.stderr, "")
            xml.etree.ElementTree.fromstring(drawn.stdout)
        rows = list(csv.DictReader(io.StringIO(saved("live.csv")[1], newline="")))
        expected = sql(f"SELECT * FROM peak_buffers({quoted(CONV)}) WHERE color = 1")
        self.assertEqual(len(rows), len(expected))
        for have, want in zip(rows, expected):
            for column, value in have.items():
                self.assertEqual(value, "" if want[column] is None else str(want[column]), column)
        curve = list(csv.DictReader(io.StringIO(saved("curve.csv")[1], newline="")))
        expected = sql(f"SELECT * FROM usage_curve({quoted(CONV)}) WHERE color = 1")
        self.assertEqual([r["bytes"] for r in curve], [str(r["bytes"]) for r in expected])

    def test_many_modules(self):
        source = data("logdir")
        rows = sql(f"SELECT module_id, module, program_id FROM hlo_modules({quoted(source)})")
        show(source)
        self.assertEqual(browser.run("document.querySelectorAll('#module option').length"), len(rows))
        largest = sql(f"SELECT module_id, max(peak_bytes) AS peak FROM memory_spaces({quoted(source)}) GROUP BY 1 ORDER BY 2 DESC LIMIT 1")[0]
        self.assertEqual(field_bytes("headline_peak", "#overview"), largest["peak"])
        self.assertEqual(browser.run("memview.modules.size"), 1, "only the chosen module is parsed")
        for row in rows[:3]:
            show(source, module=row["module_id"])
            peak = sql(f"SELECT peak_bytes FROM memory_spaces({quoted(source)}) WHERE module_id = {row['module_id']} ORDER BY color LIMIT 1")
            if peak:
                self.assertEqual(field_bytes("headline_peak", "#overview"), peak[0]["peak_bytes"])
            else:
                self.assertFalse(browser.run("document.querySelector('#notice').hidden"))

    def test_modules_of_one_name_are_told_apart(self):
        source = os.path.join(folder.name, "namesakes")
        for name, origin in (("a/v5e.hlo.pb", MLP), ("b/v5e.hlo.pb", MLP), ("b/v6e.hlo.pb", data("tpu-v6e-mlp.hlo.pb")), ("b/conv.hlo.pb", CONV)):
            os.makedirs(os.path.join(source, os.path.dirname(name)), exist_ok=True)
            shutil.copy(origin, os.path.join(source, name))
        rows = {row["path"]: row for row in sql(f"SELECT path, module, program_id FROM hlo_modules({quoted(source)})")}
        show(source)
        shown = browser.run("[...document.querySelectorAll('#module option')].map(o => [o.title, o.textContent])")
        self.assertEqual(len(shown), 4)
        for path, label in shown:
            row = rows[path]
            program = "" if row["program_id"] is None else f"({row['program_id']})"
            name = row["module"] if "conv" in path else f"{row['module']}{program}, {'/'.join(path.split('/')[-2:])}"
            self.assertTrue(label.startswith(name + " \u2014 "), label)

    def test_several_heaps_in_a_space(self):
        source = made("heaps.pb", synthetic.hlo(300, capacity=1 << 31, most_live=12, heaps=3))
        show(source)
        self.assertFalse(browser.run("document.querySelector('#heap-pick').hidden"))
        self.assertEqual(browser.run("document.querySelectorAll('#heap option').length"), 3)
        row, = sql(f"SELECT * FROM memory_spaces({quoted(source)})")
        self.assertEqual(field_bytes("headline_peak", "#overview"), row["peak_bytes"])
        total = browser.run("(() => { const {space, live} = memview.store.state; return live.reduce((n, i) => n + space.size[i], 0) })()")
        self.assertEqual(total, row["peak_bytes"])
        peaks = sql(f"SELECT allocation_id, max(bytes) AS bytes FROM usage_curve({quoted(source)}) GROUP BY 1 ORDER BY 1")
        for i, peak in enumerate(peaks):
            browser.run(f"(() => {{ const s = document.querySelector('#heap'); s.value = '{i}'; s.dispatchEvent(new Event('change')) }})()")
            browser.settle()
            self.assertEqual(int(browser.run("document.querySelector('#readout-bytes').dataset.bytes")), peak["bytes"])
        frames = browser.run("memview.store.state.space.heaps.map(h => [memview.timeline.y(h.low), memview.timeline.y(h.low + h.height)])")
        for (low, high), (next_low, _) in zip(frames, frames[1:]):
            self.assertLess(next_low, high, "heaps do not overlap")
            self.assertLess(high, low)

    def test_a_module_without_a_buffer_assignment_says_so(self):
        source = made("no-assignment.pb", synthetic.bytes_field(1, synthetic.bytes_field(1, "lonely") + synthetic.number(5, 3)))
        show(source)
        self.assertFalse(browser.run("document.querySelector('#notice').hidden"))
        self.assertIn("lonely", text("#notice"))
        self.assertIn("buffer assignment", text("#notice"))

    def test_a_module_with_nothing_to_show_is_not_saved(self):
        source = os.path.join(folder.name, "lonely")
        os.makedirs(source, exist_ok=True)
        shutil.copy(MLP, os.path.join(source, "a.hlo.pb"))
        with open(os.path.join(source, "b.hlo.pb"), "wb") as file:
            file.write(synthetic.bytes_field(1, synthetic.bytes_field(1, "lonely") + synthetic.number(5, 3)))
        show(source, module=1)
        self.assertFalse(browser.run("document.querySelector('#save').hidden"))
        show(source, module=2)
        self.assertIn("lonely", text("#notice"))
        self.assertTrue(browser.run("document.querySelector('#save').hidden"), "another module would be saved")
        browser.key("Escape")
        show(source, module=1, space=1)
        row, = sql(f"SELECT * FROM memory_spaces({quoted(source)}) WHERE module_id = 1 AND color = 1")
        self.assertEqual(field_bytes("headline_peak", "#overview"), row["peak_bytes"])
        self.assertFalse(browser.run("document.querySelector('#save').hidden"))

    def test_the_link_past_the_header_keeps_what_is_shown(self):
        show(MLP, space=1, at=12, search="copy")
        before = browser.run("location.hash")
        browser.run("document.querySelector('.skip').focus()")
        browser.key("Enter")
        browser.settle()
        self.assertEqual(browser.run("location.hash"), before)
        self.assertEqual(browser.run("memview.store.state.at"), 12)
        browser.key("Tab")
        self.assertTrue(browser.run("document.querySelector('#charts').contains(document.activeElement)"))

    def test_a_space_without_a_heap_says_so(self):
        show(MLP, space=0)
        self.assertIn("No heap trace", text("#timeline .empty"))
        self.assertIn("No heap trace", text("#curve .empty"))
        self.assertGreater(browser.run("document.querySelectorAll('#live tbody tr[data-item]').length"), 0)

    def test_hostile_names_stay_names(self):
        names = ["</script><script>document.title = 'taken'</script>", "<!-- <script>", "\"'`]]>&amp;", "\u2028\u2029\u202e",
                 "<img src=x onerror=\"document.title='taken'\">", "\x01\x02\x7f", "x" * 10240, "${document.title='taken'}", "__proto__"]
        source = made("hostile.pb", synthetic.hlo(60, names=names + ["constructor"]))
        show(source)
        self.assertEqual(field("headline_peak", "#overview") is not None, True)
        self.assertNotIn("taken", browser.run("document.title"))
        self.assertEqual(browser.run("document.images.length"), 0)
        found = browser.run("(() => { const s = memview.store.state.space; const out = []; for (let i = 0; i < s.count; i++)"
                            "out.push(s.instructionName(i)); return out })()")
        for name in names:
            self.assertIn(name, found)
        for name in names:
            item = item_of(name)
            browser.run(f"memview.store.set({{hover: {item}}})")
            browser.settle()
            self.assertEqual(field("instruction"), name)
        browser.run("document.querySelector('[data-save=\"timeline.svg\"]').click()")
        xml.etree.ElementTree.fromstring(browser.download()[1])
        self.assertNotIn("taken", browser.run("document.title"))

    def test_charts_work_on_every_case(self):
        sources = sorted(os.path.join(DATA, name) for name in os.listdir(DATA) if ".hlo.pb" in name)
        sources += [made("one.pb", synthetic.hlo(1)), made("nothing.pb", synthetic.hlo(0)),
                    made("traceless.pb", synthetic.hlo(20, has_trace=False)), made("huge.pb", synthetic.hlo(50, capacity=1 << 52))]
        self.addCleanup(browser.size, 1440, 1000)
        browser.size(1000, 600)  # fewer pixels to draw: there are many
        for source in sources:
            show(source)
            colors = browser.run("[...document.querySelectorAll('#space option')].map(o => o.value)")
            for color in colors:
                browser.run(f"memview.choose(1, {json.dumps(color)}, {{order: 'padding'}})")
                browser.settle()
                self.assertEqual(browser.errors, [], (source, color))
                self.assertFalse(browser.run("document.querySelector('#work').hidden"), source)

    def test_stays_usable_with_many_blocks(self):
        show(made("many.pb", synthetic.hlo(20000, capacity=1 << 34)))
        self.assertEqual(browser.run("memview.store.state.space.count"), 20001)
        self.assertIn("20,000 boxes", text("#timeline-note"))
        spent = browser.run("""(async () => {
          const root = document.querySelector('#timeline'), box = root.getBoundingClientRect(), times = [];
          for (let i = 0; i < 60; i++) {
            await new Promise(requestAnimationFrame);
            const start = performance.now();
            root.dispatchEvent(new PointerEvent('pointermove', {clientX: box.x + 90 + 10 * i, clientY: box.y + 20 + 5 * i, bubbles: true}));
            memview.store.flush();
            times.push(performance.now() - start);
          }
          return times.sort((a, b) => a - b)[30];
        })()""")
        self.assertLess(spent, 16)  # milliseconds: what a frame has, on a machine that may be busy

    def test_light_and_dark(self):
        show(MLP, space=1)
        grounds = []
        for scheme in ("light", "dark"):
            browser.prefer(scheme)
            browser.settle()
            grounds.append(browser.run("getComputedStyle(document.body).backgroundColor"))
        self.assertNotEqual(*grounds)
        browser.prefer("light")
        for name, ground in (("Light", grounds[0]), ("Dark", grounds[1]), ("Auto", grounds[0])):
            browser.run("document.querySelector('#theme').click()")
            browser.settle()
            self.assertEqual(text("#theme"), name)
            self.assertEqual(browser.run("getComputedStyle(document.body).backgroundColor"), ground)


if __name__ == "__main__":
    try:
        browser = chromium.Browser()
    except chromium.BrowserMissing as missing:
        print(f"skipped: no Chromium that works ({missing}); install one, or name it in CHROMIUM")
        sys.exit(SKIPPED)
    with folder, browser:
        result = unittest.main(argv=[sys.argv[0]] + sys.argv[4:], exit=False).result
    sys.exit(0 if result.wasSuccessful() else 1)

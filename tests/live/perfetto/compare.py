# SPDX-License-Identifier: GPL-2.0
#
# compare.py KIND ROWS ANSWERS [CHROME]: whether a timeline says the same as the rows of --json of the same run. ANSWERS
# are those of query.mjs to the SQL of KIND below (`compare.py KIND` prints it); CHROME is the file of --chrome. Prints
# what differs; nothing: all is the same.
import json
import re
import sys
from collections import Counter

ERRORS = "select name, value from stats where severity <> 'info' and value <> 0"
SPANS = ("select s.ts, s.dur, s.name, s.category, t.name as track, th.tid, th.name as thread, p.pid, "
         "(select group_concat(flat_key || '=' || display_value, char(1)) from "
         "args a where a.arg_set_id = s.arg_set_id) as args from slice s join track t on t.id = s.track_id "
         "left join thread_track tt on tt.id = s.track_id left join thread th using (utid) "
         "left join process p using (upid)")
COUNTERS = "select c.ts, c.value, t.name from counter c join track t on t.id = c.track_id"
PARENTS = ("select p.pid, p.name, q.pid as ppid from process p left join process q on q.upid = p.parent_upid")
CLOCK = "select clock_value - ts as offset from clock_snapshot where clock_name = 'REALTIME'"
SQL = {"spans": [ERRORS, SPANS, CLOCK], "disk": [ERRORS, SPANS], "moments": [ERRORS, SPANS, PARENTS],
       "counters": [ERRORS, COUNTERS], "killed": [ERRORS, SPANS]}

kind = sys.argv[1]
if len(sys.argv) == 2:
    print("\n".join(SQL[kind]))
    sys.exit()
rows = [json.loads(line) for line in open(sys.argv[2]) if line.startswith("{")]
rows = [row for row in rows if "end" not in row]
answers = [json.loads(line) for line in open(sys.argv[3])]
chrome = json.load(open(sys.argv[4])) if len(sys.argv) > 4 else None
differ = 0


def wrong(what):
    global differ
    differ += 1
    if differ <= 10:
        print(what)


def same(what, expected, found):
    if not expected:
        wrong(f"{what}: there is nothing to compare")
    for row, n in (Counter(expected) - Counter(found)).items():
        wrong(f"{what}: {n} x missing: {row}")
    for row, n in (Counter(found) - Counter(expected)).items():
        wrong(f"{what}: {n} x not in the rows: {row}")


def arguments(slice):
    return dict(a.split("=", 1) for a in (slice["args"] or "").split("\x01") if "=" in a)


def nanoseconds(row):
    for name, unit in ("lat_ms", 1e6), ("lat_us", 1e3), ("ms", 1e6):
        if row.get(name) is not None:
            return round(row[name] * unit)
    return 0


def wall(text):
    import calendar
    import time
    day, fraction = text[:-1].split(".")
    return calendar.timegm(time.strptime(day, "%Y-%m-%dT%H:%M:%S")) * 10**9 + int(fraction) * 1000


if answers[0]:
    wrong(f"trace_processor complains: {answers[0]}")
if kind == "spans":
    name = "syscall" if "syscall" in rows[0] else None
    key = lambda row: (row["tid"], row[name] if name else "runqslower", nanoseconds(row))
    of_slice = lambda s: (int(arguments(s)["debug.tid"]), s["name"], s["dur"])
    same("spans", [key(r) for r in rows], [of_slice(s) for s in answers[1]])
    if chrome:
        found = [(e["args"]["tid"], e["name"], round(e["dur"] * 1000)) for e in chrome if e["ph"] == "X"]
        found += [(e["args"]["tid"], e["name"], None) for e in chrome if e["ph"] == "b"]
        pairs = Counter((tid, name) for tid, name, dur in found if dur is None)
        exact = [f for f in found if f[2] is not None]
        for extra in (Counter(key(r) for r in rows) - Counter(exact)).elements():
            if pairs[extra[:2]] <= 0:
                wrong(f"chrome: missing: {extra}")
            pairs[extra[:2]] -= 1
        if len(found) != len(rows):
            wrong(f"chrome: {len(found)} spans, {len(rows)} rows")
    if name:
        for s in answers[1]:
            if s["tid"] != int(arguments(s)["debug.tid"]) or s["pid"] != int(arguments(s)["debug.pid"]):
                wrong(f"on the track of another thread: {s}")
    if "time" in rows[0]:
        times = sorted(wall(r["time"]) for r in rows)
        offset = int(answers[2][0]["offset"])
        for row, end in zip(times, sorted(s["ts"] + s["dur"] + offset for s in answers[1])):
            if abs(row - end) > 20000:
                wrong(f"ended {end}, the row says {row}")
elif kind == "disk":
    same("disk", [("disk " + r["disk"], nanoseconds(r), r["type"], r["bytes"]) for r in rows],
         [(s["track"], s["dur"], arguments(s)["debug.type"], int(arguments(s)["debug.bytes"])) for s in answers[1]])
    ends = [(e["ts"], 0) for e in chrome if e["ph"] in "Xb"]
    if len(ends) != len(rows):
        wrong(f"chrome: {len(ends)} spans, {len(rows)} rows")
elif kind == "moments":
    same("moments", [(r["pid"], r["args"]) for r in rows],
         [(int(arguments(s)["debug.pid"]), s["name"]) for s in answers[1] if s["dur"] == 0])
    parents = {p["pid"]: p["ppid"] for p in answers[2]}
    for r in rows:
        if r["ppid"] and parents[r["pid"]] != r["ppid"]:
            wrong(f"{r['pid']} is the child of {parents[r['pid']]}, not of {r['ppid']}")
    same("chrome", [(r["pid"], r["args"]) for r in rows], [(e["pid"], e["name"]) for e in chrome if e["ph"] == "i"])
elif kind == "counters":
    wanted = Counter((f"syscount syscall={r['syscall']} nr={r['nr']} count", r["count"]) for r in rows)
    found = [(c["name"], round(c["value"])) for c in answers[1] if c["value"]]
    same("counters", list(wanted.elements()), found)
    same("chrome", list(wanted.elements()), [(e["name"], e["args"]["value"]) for e in chrome
                                            if e["ph"] == "C" and e["args"]["value"]])
    if len({c["ts"] for c in answers[1] if c["value"]}) != len({r["time"] for r in rows}):
        wrong("there are more or fewer intervals")
elif kind == "killed":
    if len(answers[1]) < 10:
        wrong(f"only {len(answers[1])} spans were saved")
sys.exit(differ > 0)

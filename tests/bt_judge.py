#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""bt_judge.py DIR [-v]: whether what bt_runtime.sh ran in DIR said what the tests want, and a table of the reasons.

The tests of bpftrace compare with python's regular expressions and JSON reader, so this is python too.
"""
import collections
import json
import os
import re
import sys
import time


def text_of(*path):
    try:
        with open(os.path.join(*path), errors='backslashreplace') as f:
            return f.read()
    except OSError:
        return ''


def expects_of(block):
    """The list of [DIRECTIVE, TEXT]."""
    expects = []
    for line in text_of(block, 'EXPECTS').splitlines():
        if line.startswith('=EXPECT'):
            expects.append([line[1:], None])
        else:
            before = expects[-1][1]
            expects[-1][1] = line if before is None else before + '\n' + line
    return [[kind, text or ''] for kind, text in expects]


def same_json(path, said):
    """A file .ndjson has a document a line."""
    wanted = text_of(path).strip()
    said = said.strip()
    try:
        if path.endswith('.ndjson'):
            return [json.loads(x) for x in wanted.splitlines()] == [json.loads(x) for x in said.splitlines()]
        return json.loads(said) == json.loads(wanted)
    except ValueError:
        return False


def as_expected(tests, kind, text, said):
    if kind == 'EXPECT':
        return re.search(r'^\s*%s\s*$' % re.escape(text.strip()), said, re.M)
    if kind == 'EXPECT_NONE':
        return not re.search(r'^\s*%s\s*$' % re.escape(text.strip()), said, re.M)
    if kind == 'EXPECT_REGEX':
        return re.search(text, said, re.M)
    if kind == 'EXPECT_REGEX_NONE':
        return not re.search(text, said, re.M)
    path = os.path.join(tests, text.strip())
    if kind == 'EXPECT_JSON':
        return same_json(path, said)
    # A %H in the file is the hour of the epoch here.
    return said.strip() == text_of(path).replace('%H', time.strftime('%H', time.localtime(0))).strip()


def reason_of(said):
    """The first message, without the names and numbers that differ."""
    found = re.search(r'ERROR: (.*)', said) or re.search(r'^(sonde: .*)', said, re.M)
    if not found:
        return None
    reason = re.sub(r'[`"\'][^`"\']*[`"\']', '...', found.group(1))
    return re.sub(r'\d+', 'N', reason)[:110]


def judge(dir, name):
    """Returns 'passed', or 'skipped' or 'failed' with the reason."""
    block, ran = os.path.join(dir, 'blocks', name), os.path.join(dir, 'ran', name)
    skipped = text_of(ran, 'SKIPPED').strip()
    if skipped:
        return 'skipped', skipped
    if not os.path.exists(os.path.join(ran, 'status')):
        return 'skipped', 'it did not run'
    # bpftrace says how many probes are attached before all else. Its tests begin to read then if they expect a whole text.
    said, complaints = text_of(ran, 'said'), text_of(ran, 'err')
    status = int(text_of(ran, 'status').strip() or 0)
    timeout = os.path.exists(os.path.join(ran, 'TIMEOUT'))
    for kind, text in expects_of(block):
        whole = kind in ('EXPECT_JSON', 'EXPECT_FILE')
        if not as_expected(os.path.join(dir, 'tests'), kind, text, said if whole else complaints + said):
            return 'failed', reason_of(complaints + said) or ('too slow' if timeout else 'other output')
    if not timeout:
        will_fail = os.path.exists(os.path.join(block, 'WILL_FAIL'))
        wanted = int(text_of(block, 'RETURN_CODE').strip() or 0)
        if will_fail and status == 0:
            return 'failed', 'no mistake was found'
        if not will_fail and status != wanted:
            return 'failed', reason_of(complaints + said) or 'exit status %d' % status
    return 'passed', ''


def main():
    dir, verbose = sys.argv[1], '-v' in sys.argv
    results, reasons = collections.Counter(), collections.Counter()
    for name in sorted(os.listdir(os.path.join(dir, 'blocks'))):
        result, why = judge(dir, name)
        results[result] += 1
        if result == 'passed':
            continue
        reasons[result + ': ' + why] += 1
        block = os.path.join(dir, 'blocks', name)
        title = text_of(block, 'NAME').strip()
        if result == 'failed' or verbose:
            print('%s %s: %s: %s' % (result.upper(), name, title, why))
        if result == 'failed' and verbose:
            for what in (('blocks', 'PROG'), ('blocks', 'RUN'), ('blocks', 'AFTER'), ('blocks', 'EXPECTS'), ('ran', 'said'), ('ran', 'err')):
                for line in text_of(dir, what[0], name, what[1]).splitlines():
                    print('    %s: %s' % (what[1].lower(), line))
    print()
    for counter in results, reasons:
        for what, n in counter.most_common():
            print('%7d %s' % (n, what))


main()

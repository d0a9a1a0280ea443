"""Reads the results of a round as pairing programs do, by nothing but the forms of the files.

python3 read-results.py ROUND FILE...: for each file a line of JSON, from White's and Black's starting numbers to the signs of both.
"""

import json
import sys


def swiss_manager(text, round_):
    head, *rows = [line.split(";") for line in text.split("\r\n") if line]
    found = {}
    for row in rows:
        cell = dict(zip(head, row, strict=True))
        assert cell["Runde"] == str(round_), row
        assert cell["Erg"] == f"{cell['ErgW']}:{cell['ErgS']}{cell['Kontumaz']}", row
        if int(cell["NrS"]) < 0:
            assert cell["Erg"] == "0:0", row
            continue
        points = {"1": "1", "0": "0", "0,5": "="}
        signs = points[cell["ErgW"]] + points[cell["ErgS"]]
        if cell["Kontumaz"] == "K":
            signs = {"10": "+-", "01": "-+", "00": "--"}[signs]
        elif signs == "00":
            signs = ""
        found[f"{cell['NrW']}-{cell['NrS']}"] = signs
    return found


def report(text, round_):
    column = 91 + 10 * (round_ - 1)
    of = {}
    for line in text.splitlines():
        if not line.startswith("001"):
            continue
        # Vega counts bytes, others letters: the rating shows which.
        cells = line.encode() if line[47:53] != " 2000 " else line.encode("latin-1", "replace")
        rank = int(cells[4:8])
        assert cells[47:53] == b" 2000 ", line
        opponent, colour, sign = cells[column : column + 4], cells[column + 5 : column + 6], cells[column + 7 : column + 8]
        of[rank] = (int(opponent or b"0"), colour.decode(), sign.decode().strip())
    found = {}
    for rank, (opponent, colour, sign) in of.items():
        if opponent and colour == "w":
            other, black, theirs = of[opponent]
            assert (other, black) == (rank, "b"), (rank, opponent)
            found[f"{rank}-{opponent}"] = sign + theirs
    return found


round_ = int(sys.argv[1])
for name in sys.argv[2:]:
    with open(name, encoding="utf-8", newline="") as file:
        text = file.read()
    print(json.dumps(swiss_manager(text, round_) if text.startswith("Runde;") else report(text, round_)))

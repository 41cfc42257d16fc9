# Reads the JSON lines of a run with -x drops -x hits, and adds up its losses. Used by the tests ledger_storm_* and dynvar_goes_on.
import json, sys


class Account:
    def __init__(self):
        self.kept, self.records, self.firings, self.causes = {}, [], {}, {}
        for entry in map(json.loads, sys.stdin):
            if entry["type"] == "agg":
                self.kept[entry["name"]] = self.kept.get(entry["name"], 0) + entry["value"]
            elif entry["type"] == "record":
                self.records += entry["data"]
            elif entry["type"] == "hits":
                self.firings[entry["probe"]] = entry
            elif entry["type"] == "losses":
                self.causes[entry["cause"]] = entry["count"]

    def adds_up(self):
        """Returns whether each hit of every probe has exactly one outcome."""
        return bool(self.firings) and all(
            each["fired"] == each["filtered"] + each["recorded"] + each["lost"] + each["sampled_out"] for each in self.firings.values())

    def skipped(self):
        """Returns the number of hits that a preemptible kernel skipped. This is an upper limit, because other processes may have caused some."""
        return self.causes["recursion"] or 0

    def lost(self):
        return sum(each["lost"] for each in self.firings.values())

"""Why there is no value or no interval, in the window's language.

The library tells its reasons in English sentences; each known one is a text of `why.toml` whose English words are the
library's own, so that the sentence finds its text, and its numbers go into the other language's words. What is not
among them is looked for in the report's list.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from annotator.ui import i18n
from annotator.ui.i18n import tr
from annotator.workspace.figures_words import words_in

UNDEFINED: Final = "undefined: "
NO_INTERVAL: Final = "no interval: "
FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "one_rater": (), "no_two_raters": (), "no_ratings": (), "no_units": (), "no_numbers": (), "no_vary": (),
    "numbers_no_vary": (), "all_scores": ("level",), "throughout": ("which", "level"), "nobody_else": (),
    "no_both": (), "no_both_numbers": (), "fewer_two_scores": (), "fewer_two_units": (), "no_human_judge": (),
    "no_two_rated": (), "two_raters_needed": (), "no_rater_units": ("n",), "lacking_low": (), "lacking_high": (),
    "cross_fitted": ("needed", "there"), "one_undefined": (), "same_mean": (), "one_rated_by_all": (),
    "none_rated_by_all": (), "too_few": ("words", "needed"), "too_few_both": ("n", "needed"), "one_unit": (),
    "lost": ("share",), "one_cluster": (), "one_has_none": (), "chance": (), "not_differ": (), "no_verdict": (),
    "no_sent_back": (), "none_judged": (), "no_score_verdict": (), "all_kept": (), "all_rejected": (),
    "kept_every": (), "kept_none": (), "no_time": (), "no_whole_turn": (), "conflicts": ("n",), "stale": ("n",),
    "shown_twice": (),
}  # fmt: skip


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str], tuple[str, ...]], ...]:
    made = []
    for name, fields in FIELDS.items():
        english = i18n.tr_in("en", f"why.{name}", **{field: f"<{field}>" for field in fields})
        pattern = re.escape(english)
        for field in fields:
            pattern = pattern.replace(re.escape(f"<{field}>"), f"(?P<{field}>.+?)")
        made.append((name, re.compile(pattern), fields))
    return tuple(made)


def reason(why: str | None) -> str:
    """The sentence in the window's language; an unknown one as it came."""
    if not why:
        return ""
    for head, key in ((UNDEFINED, "undefined"), (NO_INTERVAL, "no_interval")):
        if why.startswith(head):
            return tr(f"why.head_{key}", why=_words(why.removeprefix(head)))
    return _words(why)


def _words(sentence: str) -> str:
    if i18n.language() == "en":
        return sentence
    for name, pattern, fields in _patterns():
        found = pattern.fullmatch(sentence)
        if found is not None:
            return tr(f"why.{name}", **{field: _inner(found[field]) for field in fields})
    return words_in(sentence, i18n.language())


def _inner(words: str) -> str:
    """`3 clusters` inside a sentence: the number alone, since the sentence says of what."""
    return words.partition(" ")[0] if words.partition(" ")[2] in ("cluster", "clusters") else words

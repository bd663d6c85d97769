"""The text of the tables as each version of the workspace made them; never edited once released, only added to.

What the tables mean is said in `tables`, and a test proves that the newest text here gives the same schema.
"""

from __future__ import annotations

from typing import Final

# "RBAN": tells a workspace from any other SQLite file.
APPLICATION_ID: Final = 0x5242414E

TABLES_1: Final = """
CREATE TABLE alias (
    rater TEXT NOT NULL, responder TEXT NOT NULL, letter TEXT NOT NULL, PRIMARY KEY (rater, responder)
) WITHOUT ROWID, STRICT;
CREATE TABLE draft (
    rater TEXT NOT NULL, item_id TEXT NOT NULL, responder TEXT NOT NULL, target TEXT NOT NULL,
    field TEXT NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (rater, item_id, responder, target, field)
) WITHOUT ROWID, STRICT;
CREATE TABLE import_run (
    import_id INTEGER NOT NULL, kind TEXT NOT NULL, source TEXT NOT NULL, state TEXT NOT NULL, at TEXT NOT NULL,
    report TEXT NOT NULL, PRIMARY KEY (import_id)
) STRICT;
CREATE TABLE label_current (
    item_id TEXT NOT NULL, responder TEXT NOT NULL, rater TEXT NOT NULL, phase TEXT NOT NULL,
    target TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, rivals TEXT NOT NULL, heads TEXT NOT NULL,
    item_revision INTEGER NOT NULL, judged TEXT NOT NULL, rubric TEXT NOT NULL, at TEXT NOT NULL,
    stale INTEGER NOT NULL, PRIMARY KEY (item_id, responder, rater, phase, target, field)
) WITHOUT ROWID, STRICT;
CREATE TABLE label_event (
    arrival INTEGER NOT NULL, event_id TEXT NOT NULL, device TEXT NOT NULL, seq INTEGER NOT NULL,
    rater TEXT NOT NULL, item_id TEXT NOT NULL, item_revision INTEGER NOT NULL, responder TEXT,
    target TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, parents TEXT NOT NULL, rubric TEXT NOT NULL,
    phase TEXT NOT NULL, lang TEXT NOT NULL, active_ms INTEGER NOT NULL, at TEXT NOT NULL, judged TEXT NOT NULL,
    extra TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (arrival), UNIQUE (event_id), UNIQUE (device, seq)
) STRICT;
CREATE INDEX label_event_key ON label_event (item_id, target, field, rater);
CREATE TABLE media_root (
    place INTEGER NOT NULL, root TEXT NOT NULL, PRIMARY KEY (place), UNIQUE (root)
) STRICT;
CREATE TABLE meta (
    name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name)
) WITHOUT ROWID, STRICT;
CREATE TABLE progress (
    rater TEXT NOT NULL, phase TEXT NOT NULL, item_id TEXT NOT NULL, responder TEXT NOT NULL,
    turns BLOB NOT NULL, session INTEGER NOT NULL, verdict TEXT, flags INTEGER NOT NULL,
    PRIMARY KEY (rater, phase, item_id, responder)
) WITHOUT ROWID, STRICT;
CREATE TABLE quarantine (
    place INTEGER NOT NULL, event_id TEXT NOT NULL, reason TEXT NOT NULL, body TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (place), UNIQUE (body)
) STRICT;
CREATE TABLE decision (
    problem_id TEXT NOT NULL, import_id INTEGER NOT NULL, choice TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (problem_id, import_id), FOREIGN KEY(import_id) REFERENCES import_run (import_id)
) WITHOUT ROWID, STRICT;
CREATE TABLE item (
    place INTEGER NOT NULL, item_id TEXT NOT NULL, revision INTEGER NOT NULL, import_id INTEGER NOT NULL,
    kind TEXT NOT NULL, source_id TEXT NOT NULL, content_hash TEXT NOT NULL, title TEXT NOT NULL,
    scenario TEXT NOT NULL, modality TEXT NOT NULL, categories TEXT NOT NULL, spoken INTEGER NOT NULL,
    parts INTEGER NOT NULL, missing INTEGER NOT NULL, PRIMARY KEY (place), UNIQUE (item_id, revision, import_id),
    FOREIGN KEY(import_id) REFERENCES import_run (import_id)
) STRICT;
CREATE INDEX item_import ON item (import_id);
CREATE INDEX item_source ON item (source_id);
CREATE TABLE judge_record (
    place INTEGER NOT NULL, judgement_id TEXT NOT NULL, judge TEXT NOT NULL, item_id TEXT NOT NULL,
    responder TEXT NOT NULL, target TEXT NOT NULL, status TEXT NOT NULL, content_hash TEXT NOT NULL,
    body TEXT NOT NULL, import_id INTEGER NOT NULL, PRIMARY KEY (place),
    FOREIGN KEY(import_id) REFERENCES import_run (import_id)
) STRICT;
CREATE INDEX judge_import ON judge_record (import_id);
CREATE INDEX judge_item ON judge_record (item_id, responder, target);
CREATE INDEX judge_known ON judge_record (judgement_id, judge);
CREATE TABLE problem (
    problem_id TEXT NOT NULL, import_id INTEGER NOT NULL, code TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (problem_id, import_id), FOREIGN KEY(import_id) REFERENCES import_run (import_id)
) WITHOUT ROWID, STRICT;
CREATE TABLE responder (
    place INTEGER NOT NULL, item_id TEXT NOT NULL, responder TEXT NOT NULL, revision INTEGER NOT NULL,
    import_id INTEGER NOT NULL, content_hash TEXT NOT NULL, answered INTEGER NOT NULL, PRIMARY KEY (place),
    UNIQUE (item_id, responder, revision, import_id), FOREIGN KEY(import_id) REFERENCES import_run (import_id)
) STRICT;
CREATE INDEX responder_import ON responder (import_id);
CREATE TABLE waiting_record (
    place INTEGER NOT NULL, kind TEXT NOT NULL, source_id TEXT NOT NULL, judgement_id TEXT NOT NULL,
    judge TEXT NOT NULL, content_hash TEXT NOT NULL, body TEXT NOT NULL, import_id INTEGER NOT NULL,
    joined_by INTEGER, PRIMARY KEY (place), FOREIGN KEY(import_id) REFERENCES import_run (import_id)
) STRICT;
CREATE INDEX waiting_import ON waiting_record (import_id);
CREATE INDEX waiting_known ON waiting_record (judgement_id, judge);
CREATE INDEX waiting_source ON waiting_record (source_id);
CREATE TABLE item_body (
    place INTEGER NOT NULL, search TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (place),
    FOREIGN KEY(place) REFERENCES item (place) ON DELETE CASCADE
) STRICT;
CREATE TABLE responder_body (
    place INTEGER NOT NULL, search TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (place),
    FOREIGN KEY(place) REFERENCES responder (place) ON DELETE CASCADE
) STRICT;
"""

# The log is append-only for every program that opens the file, ours or not. The first two refuse what they say; the
# other two close the back door of REPLACE, which would remove a row without firing a trigger on DELETE.
TRIGGERS_1: Final = (
    """
    CREATE TRIGGER label_event_no_update BEFORE UPDATE ON label_event
    BEGIN SELECT RAISE(ABORT, 'label events are never changed'); END
    """,
    """
    CREATE TRIGGER label_event_no_delete BEFORE DELETE ON label_event
    BEGIN SELECT RAISE(ABORT, 'label events are never removed'); END
    """,
    """
    CREATE TRIGGER label_event_known BEFORE INSERT ON label_event
    WHEN EXISTS (SELECT 1 FROM label_event WHERE event_id = NEW.event_id)
    BEGIN SELECT RAISE(IGNORE); END
    """,
    """
    CREATE TRIGGER label_event_seq BEFORE INSERT ON label_event
    WHEN EXISTS (
        SELECT 1 FROM label_event WHERE device = NEW.device AND seq = NEW.seq AND event_id <> NEW.event_id
    )
    BEGIN SELECT RAISE(ABORT, 'this place in the log of this device is taken'); END
    """,
)

TABLES_2: Final = """
CREATE TABLE prediction (
    place INTEGER NOT NULL, item_id TEXT NOT NULL, model TEXT NOT NULL, import_id INTEGER NOT NULL,
    state TEXT NOT NULL, official TEXT, vlmevalkit TEXT, careful TEXT, content_hash TEXT NOT NULL,
    PRIMARY KEY (place), UNIQUE (item_id, model, import_id), FOREIGN KEY(import_id) REFERENCES import_run (import_id)
) STRICT;
CREATE INDEX prediction_import ON prediction (import_id);
CREATE TABLE prediction_run (
    place INTEGER NOT NULL, import_id INTEGER NOT NULL, model TEXT NOT NULL, file TEXT NOT NULL,
    collection TEXT NOT NULL, chunk INTEGER NOT NULL, chunks INTEGER NOT NULL, records INTEGER NOT NULL,
    PRIMARY KEY (place), FOREIGN KEY(import_id) REFERENCES import_run (import_id)
) STRICT;
CREATE TABLE prediction_body (
    place INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (place),
    FOREIGN KEY(place) REFERENCES prediction (place) ON DELETE CASCADE
) STRICT;
"""

TABLES_3: Final = """
CREATE TABLE attribution_record (
    place INTEGER NOT NULL, judgement_id TEXT NOT NULL, judge TEXT NOT NULL, item_id TEXT NOT NULL,
    responder TEXT NOT NULL, target TEXT NOT NULL, severity TEXT NOT NULL, content_hash TEXT NOT NULL,
    body TEXT NOT NULL, import_id INTEGER NOT NULL, PRIMARY KEY (place),
    FOREIGN KEY(import_id) REFERENCES import_run (import_id)
) STRICT;
CREATE INDEX attribution_import ON attribution_record (import_id);
CREATE INDEX attribution_item ON attribution_record (item_id, responder, target);
CREATE INDEX attribution_known ON attribution_record (judgement_id, judge);
"""

TABLES_5: Final = """
CREATE TABLE spot_draw (
    digest TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (digest)
) WITHOUT ROWID, STRICT;
"""

# The key index went: `label_current` names the events of each key. What each row said of its head is in the log.
TABLES_4: Final = """
ALTER TABLE label_current RENAME TO label_current_3;
CREATE TABLE label_current (
    item_id TEXT NOT NULL, responder TEXT NOT NULL, rater TEXT NOT NULL, phase TEXT NOT NULL,
    target TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, rivals TEXT NOT NULL, head INTEGER NOT NULL,
    heads TEXT NOT NULL, events TEXT NOT NULL, at TEXT NOT NULL, stale INTEGER NOT NULL,
    PRIMARY KEY (item_id, responder, rater, phase, target, field)
) WITHOUT ROWID, STRICT;
INSERT INTO label_current
SELECT c.item_id, c.responder, c.rater, c.phase, c.target, c.field, c.value, c.rivals,
    (SELECT arrival FROM label_event WHERE event_id = json_extract(c.heads, '$[#-1]')),
    CASE json_array_length(c.heads) WHEN 1 THEN '' ELSE c.heads END,
    coalesce((
        SELECT '[' || group_concat(arrival, ', ') || ']' FROM (
            SELECT e.arrival FROM label_event AS e
            WHERE e.item_id = c.item_id AND e.target = c.target AND e.field = c.field AND e.rater = c.rater
            AND e.phase = c.phase AND coalesce(e.responder, '') = c.responder ORDER BY e.arrival
        ) HAVING count(*) > 1
    ), ''),
    CASE json_array_length(c.heads) WHEN 1 THEN '' ELSE c.at END, c.stale
FROM label_current_3 AS c ORDER BY 1, 2, 3, 4, 5, 6;
DROP TABLE label_current_3;
DROP INDEX label_event_key;
"""

# The log in narrow rows: who says something about what, and by which revision, rubric and content, are each kept once;
# a dozen labels of a turn share them. What read the wide tables reads the same columns through views of their names.
TABLES_6: Final = """
CREATE TABLE label_device (
    device INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (device), UNIQUE (name)
) STRICT;
CREATE TABLE label_subject (
    subject INTEGER NOT NULL, item_id TEXT NOT NULL, responder TEXT NOT NULL, rater TEXT NOT NULL,
    phase TEXT NOT NULL, target TEXT NOT NULL, PRIMARY KEY (subject),
    UNIQUE (item_id, responder, rater, phase, target)
) STRICT;
CREATE TABLE label_setting (
    setting INTEGER NOT NULL, judged TEXT NOT NULL, item_revision INTEGER NOT NULL, rubric TEXT NOT NULL,
    lang TEXT NOT NULL, PRIMARY KEY (setting), UNIQUE (judged, item_revision, rubric, lang)
) STRICT;
CREATE TABLE label_log (
    arrival INTEGER NOT NULL, event_id TEXT NOT NULL, device INTEGER NOT NULL, seq INTEGER NOT NULL,
    subject INTEGER NOT NULL, setting INTEGER NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL,
    parents TEXT NOT NULL, active_ms INTEGER NOT NULL, at TEXT NOT NULL, extra TEXT NOT NULL, digest BLOB NOT NULL,
    PRIMARY KEY (arrival), UNIQUE (event_id), UNIQUE (device, seq)
) STRICT;
CREATE TABLE label_now (
    subject INTEGER NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, rivals TEXT NOT NULL, head INTEGER NOT NULL,
    heads TEXT NOT NULL, events TEXT NOT NULL, at TEXT NOT NULL, stale INTEGER NOT NULL,
    PRIMARY KEY (subject, field)
) WITHOUT ROWID, STRICT;
"""

FILL_6: Final = """
INSERT INTO label_device (name) SELECT DISTINCT device FROM label_event;
INSERT INTO label_subject (item_id, responder, rater, phase, target)
SELECT DISTINCT item_id, coalesce(responder, ''), rater, phase, target FROM label_event ORDER BY 1, 2, 3, 4, 5;
INSERT INTO label_setting (judged, item_revision, rubric, lang)
SELECT DISTINCT judged, item_revision, rubric, lang FROM label_event ORDER BY 1, 2, 3, 4;
INSERT INTO label_log
SELECT e.arrival, e.event_id, d.device, e.seq, s.subject, g.setting, e.field, e.value, e.parents, e.active_ms, e.at,
    e.extra, unhexed(e.digest)
FROM label_event AS e CROSS JOIN label_device AS d ON d.name = e.device
CROSS JOIN label_subject AS s ON s.item_id = e.item_id AND s.responder = coalesce(e.responder, '')
AND s.rater = e.rater AND s.phase = e.phase AND s.target = e.target
CROSS JOIN label_setting AS g ON g.judged = e.judged AND g.item_revision = e.item_revision
AND g.rubric = e.rubric AND g.lang = e.lang ORDER BY e.arrival;
INSERT INTO label_now
SELECT s.subject, c.field, c.value, c.rivals, c.head, c.heads, c.events, c.at, c.stale
FROM label_subject AS s CROSS JOIN label_current AS c ON c.item_id = s.item_id AND c.responder = s.responder
AND c.rater = s.rater AND c.phase = s.phase AND c.target = s.target ORDER BY s.subject, c.field;
DROP TABLE label_event;
DROP TABLE label_current;
"""

VIEWS_6: Final = """
CREATE VIEW label_event AS
SELECT l.arrival, l.event_id, d.name AS device, l.seq, s.rater, s.item_id, g.item_revision,
    nullif(s.responder, '') AS responder, s.target, l.field, l.value, l.parents, g.rubric, s.phase, g.lang, l.active_ms,
    l.at, g.judged, l.extra, lower(hex(l.digest)) AS digest
FROM label_log AS l LEFT JOIN label_device AS d ON d.device = l.device
LEFT JOIN label_subject AS s ON s.subject = l.subject LEFT JOIN label_setting AS g ON g.setting = l.setting;
CREATE VIEW label_current AS
SELECT s.item_id, s.responder, s.rater, s.phase, s.target, n.field, n.value, n.rivals, n.head, n.heads, n.events, n.at,
    n.stale
FROM label_subject AS s JOIN label_now AS n ON n.subject = s.subject;
"""

# As for the first log, and for what its rows point to: who changed a subject would change what everybody said of it.
TRIGGERS_6: Final = (
    *(
        f"CREATE TRIGGER {table}_no_{word.lower()} BEFORE {word} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, 'label events are never {done}'); END"
        for table in ("label_log", "label_device", "label_subject", "label_setting")
        for word, done in (("UPDATE", "changed"), ("DELETE", "removed"))
    ),
    """
    CREATE TRIGGER label_log_known BEFORE INSERT ON label_log
    WHEN EXISTS (SELECT 1 FROM label_log WHERE event_id = NEW.event_id)
    BEGIN SELECT RAISE(IGNORE); END
    """,
    """
    CREATE TRIGGER label_log_seq BEFORE INSERT ON label_log
    WHEN EXISTS (
        SELECT 1 FROM label_log WHERE device = NEW.device AND seq = NEW.seq AND event_id <> NEW.event_id
    )
    BEGIN SELECT RAISE(ABORT, 'this place in the log of this device is taken'); END
    """,
    """
    CREATE TRIGGER label_subject_known BEFORE INSERT ON label_subject
    WHEN EXISTS (
        SELECT 1 FROM label_subject WHERE subject = NEW.subject OR (item_id = NEW.item_id
        AND responder = NEW.responder AND rater = NEW.rater AND phase = NEW.phase AND target = NEW.target)
    )
    BEGIN SELECT RAISE(IGNORE); END
    """,
    """
    CREATE TRIGGER label_setting_known BEFORE INSERT ON label_setting
    WHEN EXISTS (
        SELECT 1 FROM label_setting WHERE setting = NEW.setting OR (judged = NEW.judged
        AND item_revision = NEW.item_revision AND rubric = NEW.rubric AND lang = NEW.lang)
    )
    BEGIN SELECT RAISE(IGNORE); END
    """,
    """
    CREATE TRIGGER label_device_known BEFORE INSERT ON label_device
    WHEN EXISTS (SELECT 1 FROM label_device WHERE device = NEW.device OR name = NEW.name)
    BEGIN SELECT RAISE(IGNORE); END
    """,
)

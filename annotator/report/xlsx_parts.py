"""The parts of an XLSX file as texts (ECMA-376, part 1, SpreadsheetML; part 2, packages)."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from typing import Final

from annotator.report.writing import USE_NOTE

TEXT, HEAD, MARKED = 1, 2, 3  # places in `cellXfs`; 0 is a number

_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_TYPES: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_WIDTH: Final = 16
_STYLES: Final = f"""{_HEAD}<styleSheet xmlns="{_MAIN}">\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>\
<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill>\
<fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>\
<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/></cellXfs>\
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>"""


def entry(name: str) -> zipfile.ZipInfo:
    """A part of the package; its time is always the same, so that equal tables are equal files."""
    made = zipfile.ZipInfo(name)
    made.compress_type = zipfile.ZIP_DEFLATED
    return made


def letters(index: int) -> str:
    """The name of a column, from 0: A, B, ... Z, AA."""
    name, index = "", index + 1
    while index:
        index, rest = divmod(index - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def sheet_name(index: int) -> str:
    """The name of a sheet, from 0."""
    return "labels" if index == 0 else f"labels {index + 1}"


def xml(text: str) -> str:
    """A text between tags; a lone carriage return stays one."""
    if "&" in text or "<" in text or ">" in text:
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\r", "&#13;") if "\r" in text else text


def text_body(told: str, style: int) -> str:
    """What follows the place of a cell that holds a text; `told` is XML."""
    keep = ' xml:space="preserve"' if told != told.strip() or "\n" in told else ""
    return f's="{style}" t="inlineStr"><is><t{keep}>{told}</t></is></c>'


def text_cell(place: str, told: str, style: int) -> str:
    """A cell that holds a text; `told` is XML."""
    return f'<c r="{place}" {text_body(told, style)}'


def cut_note(length: int) -> str:
    """What stands at the end of a text that was cut."""
    return f" … [cut: {length:,} characters, all of them in the manifest beside this file]"


def sheet_start(texts: Sequence[bool]) -> str:
    """A sheet up to its first row; `texts` says which columns are for texts, also where somebody types into them."""
    made = [
        f'<col min="{i}" max="{i}" width="{_WIDTH}"' + (f' style="{TEXT}"' if text else "") + ' customWidth="1"/>'
        for i, text in enumerate(texts, start=1)
    ]
    return (
        f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" '
        'topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" '
        f'sqref="A2"/></sheetView></sheetViews><cols>{"".join(made)}</cols><sheetData>'
    )


def sheet_end(last_column: str, rows: int) -> str:
    """A sheet after its last row, with the filter at its head."""
    return f'</sheetData><autoFilter ref="A1:{last_column}{rows}"/></worksheet>'


def book(sheets: Sequence[str]) -> dict[str, str]:
    """All parts but the sheets: name in the package -> text."""
    numbers = range(1, len(sheets) + 1)
    listed = "".join(
        f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"/>' for n, name in zip(numbers, sheets, strict=True)
    )
    links = "".join(
        f'<Relationship Id="rId{n}" Type="{_LINKS}/worksheet" Target="worksheets/sheet{n}.xml"/>' for n in numbers
    )
    styles = f'<Relationship Id="rId{len(sheets) + 1}" Type="{_LINKS}/styles" Target="styles.xml"/>'
    kinds = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{_TYPES}.worksheet+xml"/>' for n in numbers
    )
    return {
        "xl/workbook.xml": f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><bookViews><workbookView/></bookViews>'
        f"<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{links}{styles}'
        "</Relationships>",
        "xl/styles.xml": _STYLES,
        "docProps/core.xml": f'{_HEAD}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Rubric Annotator: labels</dc:title>'
        f"<dc:description>{xml(USE_NOTE)}</dc:description></cp:coreProperties>",
        "_rels/.rels": f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{_LINKS}/officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" Type="{_PACKAGE}'
        '/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>',
        "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
        f'ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPES}.styles+xml"/><Override '
        'PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>'
        f"{kinds}</Types>",
    }

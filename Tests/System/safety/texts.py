"""Hostile text, and what of it may not reach anybody as it is."""
import re
import unicodedata

# Sequences that terminals obey, by name. None has a line feed, a zero byte or a slash, so that each can stand in a
# line of a log and in the name of a file.
CONTROLS: dict[str, bytes] = {
    "bell": b"a\x07b",
    "backspaces": b"safe\x08\x08\x08\x08evil",
    "tab": b"a\tb",
    "carriage-return": b"harmless\rEVIL",
    "vertical-tab": b"a\x0b\x0cb",
    "shift-out": b"\x0e\x0f",
    "delete": b"a\x7fb",
    "every-control": bytes(byte for byte in range(1, 0x20) if byte != 0x0A),
    "red": b"\x1b[31mred\x1b[0m",
    "clear": b"\x1b[2J\x1b[H\x1b[3J",
    "title": b"\x1b]0;owned\x07",
    "link": b"\x1b]8;;http:\\evil.test\x1b\\click\x1b]8;;\x1b\\",
    "clipboard": b"\x1b]52;c;cm0gLXJmIH4=\x07",
    "device-control": b"\x1bP$q\"p\x1b\\",
    "report": b"\x1b[6n\x1b[c\x1b]10;?\x07",
    "screen-title": b"\x1bk\x1b\\",
    "c1-raw": b"\x9b31m\x9d0;x\x9c\x90\x84\x85",
    "c1-utf8": "\u009b31m\u009d0;x\u009c\u0085\u0090".encode(),
    "next-line": "a\u0085b".encode(),
}
HIDDEN: dict[str, bytes] = {
    "bidi-overrides": "a\u202agpj\u202b\u202c\u202d\u202eexe".encode(),
    "bidi-isolates": "a\u2066b\u2067c\u2068d\u2069".encode(),
    "bidi-marks": "a\u200eb\u200fc\u061cd".encode(),
    "zero-width": "pay\u200bpal\u200c\u200d\ufeff\u2060x".encode(),
    "invisible-operators": "a\u2061\u2062\u2063\u2064b".encode(),
    "fillers": "a\u115f\u1160\u3164\uffa0\u17b4\u17b5b".encode(),
    "joiner": "a\u034fb\u00adc".encode(),
    "mongolian": "a\u180b\u180c\u180d\u180e\u180fb".encode(),
    "tags": "a\U000e0001\U000e0041\U000e007fb".encode(),
    "separators": "a\u2028b\u2029c".encode(),
    "variation": "a\ufe00\ufe0f\U000e0100\U000e01efb".encode(),
    "stack": ("z" + "\u0335\u0340\u0489\u20e0" * 40).encode(),
    "private": "a\ue000\U000f0000b".encode(),
    "noncharacter": "a\ufdd0\uffff\U0010ffffb".encode(),
    "annotation": "a\ufff9b\ufffac\ufffb".encode(),
    "shorthand": "a\U0001bca0b\U0001d173c".encode(),
}
# Bytes that aren't UTF-8: of no sequence, too long for their value, surrogates, cut, and beyond Unicode.
MALFORMED = [
    b"a\xff\xfe\x80b", b"a\xc0\xaf\xe0\x80\x9b\xf0\x80\x80\x9bb", b"a\xed\xa0\x80\xed\xb0\x80b", b"a\xe2\x80",
    b"a\xf4\x90\x80\x80b"]
# What spreadsheets run, also after white space and quotes, as full-width signs, and after a separator.
FORMULAS = [
    b"=cmd|' /C calc'!A0", b"+1+cmd", b"-2+3+cmd", b"@SUM(1+1)", b"  =1+1", "\u00a0=1+1".encode(), b"\"=1+1",
    b"'\"=1+1", "\uff1d1\uff0b1".encode(), "\uff0b1".encode(), "\uff0d1".encode(), "\uff20SUM".encode(),
    "\ufe661+1".encode(), "\u22121+1".encode(), b"a;=1+1", b"a;\"=1+1", b"\t=1+1", b"\r=1+1"]
# What browsers run, and what ends an element, a comment, a section, or a text.
MARKUP = [
    b"<script>alert(1)<\\script>", b"<!--<script>x", b"\"><img src=x onerror=alert(1)>", b"' onmouseover='alert(1)",
    b"javascript:alert(1)", b"&lt;b&gt;&#x3c;script&#62;", b"--><svg onload=alert(1)>", b"]]><x>",
    b"${alert(1)}{{7*7}}", b"\"'`\\"]
LONG = [b"w" * 5_000, "茶".encode() * 1_000]
ALL = [*CONTROLS.values(), *HIDDEN.values(), *MALFORMED, *FORMULAS, *MARKUP, *LONG]

# How many marks may stand on one character; the languages that stack the most have three.
MARK_LIMIT = 4

# Characters that Unicode 16 says have no look of their own (Default_Ignorable_Code_Point).
IGNORABLE = [
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
]


def is_unsafe(character: str) -> bool:
    """Whether terminals obey a character, or it hides or reorders others. Line feeds are the output's own."""
    if character == "\n":
        return False
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return True
    # Python may know fewer characters than the command does; those that never will be any are certain.
    value = ord(character)
    if value & 0xFFFE == 0xFFFE or 0xFDD0 <= value <= 0xFDEF:
        return True
    return any(first <= value <= last for first, last in IGNORABLE)


def unsafe_parts(text: str) -> list[str]:
    """Returns the parts of a text that may not be shown, with their surroundings."""
    parts = [
        repr(text[max(0, index - 30):index + 30]) for index, character in enumerate(text)
        if ord(character) not in range(0x20, 0x7F) and is_unsafe(character)
    ]
    run = 0
    for index, character in enumerate(text):
        run = run + 1 if unicodedata.category(character).startswith("M") else 0
        if run == MARK_LIMIT + 1:
            parts.append("marks: " + ascii(text[max(0, index - 10):index + 10]))
    return parts


COLORS = re.compile(rb"\x1b\[(?:0|1|2|31|32|33|34)m")
PROGRESS = re.compile(rb"\r\x1b\[K")
# The signs of warnings and notes in Markdown, with the selector of their form.
MARKS = re.compile("[\u26a0\u2139]\ufe0f")


def complaint(output: bytes, colors: bool = False, progress: bool = False) -> str | None:
    """Returns what is wrong with a terminal's output, or nothing.

    `colors` and `progress` say which sequences of the command's own may stand in it.
    """
    if colors:
        output = COLORS.sub(b"", output)
    if progress:
        output = PROGRESS.sub(b"", output)
    try:
        text = output.decode("utf-8", errors="strict")
    except UnicodeDecodeError as error:
        return "is not UTF-8: %r" % output[max(0, error.start - 30):error.start + 30]
    parts = unsafe_parts(MARKS.sub("", text))
    return None if not parts else "has %d unsafe characters, such as %s" % (len(parts), "; ".join(parts[:3]))


def percent_encoded(text: bytes) -> bytes:
    return b"".join(b"%%%02X" % byte for byte in text)


def backslash_encoded(text: bytes) -> bytes:
    """As nginx and Apache write what they don't trust."""
    return b"".join(
        b"\\x%02X" % byte if byte < 0x20 or byte >= 0x7F or byte in b'"\\' else bytes([byte]) for byte in text)

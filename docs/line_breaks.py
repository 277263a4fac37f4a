"""Formulas of claims that may break at the end of a line, on the pages of papers."""

from __future__ import annotations

import re

from rosenblatt.core.formulas import marked

_FORMULA = re.compile(r"\$([^$]+)\$")
_OPERATOR = re.compile(r"( (?:[=+-]|\\le|\\ge|\\to) )")
_LONG = 12  # letters of TeX before a line may break: a phone shows about thirty


def breakable_formulas(text: str) -> str:
    """Return a text with formulas in TeX; a long one may break before an operator."""

    def broken(found: re.Match[str]) -> str:
        first, *rest = _OPERATOR.split(found[1])
        parts = [first]
        for operator, term in zip(rest[::2], rest[1::2], strict=True):
            part = parts[-1]
            inside = part.count("(") + part.count("[") - len(re.findall(r"[)\]]", part))
            longest = 3 * _LONG if inside > 0 else _LONG
            if part.count("{") == part.count("}") and len(part) > longest:
                parts.append("{}")
            parts[-1] += operator + term
        return " ".join(f"${part.strip()}$" for part in parts)

    return _FORMULA.sub(broken, marked(text))

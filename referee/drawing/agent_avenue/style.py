"""The style sheet of Agent Avenue."""

STYLE = (
    ".ground{fill:var(--panel)}"
    ".aa-road{fill:none;stroke:var(--sunk)}"
    ".aa-space{fill:var(--panel);stroke:var(--line);stroke-width:1.5}"
    ".aa-market{stroke:var(--gold);stroke-width:2}"
    ".aa-gold{stroke:var(--gold)}"
    ".aa-home{fill:var(--panel)}"
    ".aa-pawn{stroke:var(--panel);stroke-width:2}"
    ".aa-crest{fill:var(--panel)}"
)

"""The colours can be told apart and read, by the formulas of WCAG 2.2."""

import pytest

from referee.drawing.look import COLOURS, MOST_SEATS, SMALL, WIDTH, variables

SURFACES = ("ground", "panel", "sunk", "glow")
SEATS = tuple(f"seat-{seat}" for seat in range(MOST_SEATS))


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str, scheme: int) -> float:
    lights = sorted((luminance(COLOURS[one][scheme]), luminance(COLOURS[other][scheme])))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("ink", ["ink", "soft"])
def test_text_can_be_read_on_every_surface(ink: str, surface: str, scheme: int) -> None:
    assert contrast(ink, surface, scheme) >= 4.5


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("colour", [*SEATS, "edge", "accent", "good", "bad", "gold", "fire"])
def test_shapes_stand_out_from_panel_and_ground(colour: str, scheme: int) -> None:
    assert min(contrast(colour, "panel", scheme), contrast(colour, "ground", scheme)) >= 3


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_the_accent_can_be_read_as_text_on_a_panel(scheme: int) -> None:
    assert contrast("accent", "panel", scheme) >= 4.5


def test_every_colour_is_a_variable_in_light_and_in_dark() -> None:
    sheet = variables()
    light, dark = sheet.split("@media (prefers-color-scheme:dark)")
    for name, colour in COLOURS.items():
        assert f"--{name}:{colour.light};" in light
        assert f"--{name}:{colour.dark};" in dark.split("@media print")[0]


def test_the_smallest_type_has_11_pixels_on_a_telephone() -> None:
    assert SMALL * 384 / WIDTH >= 11

"""ISBN-13: the numbers that books go by."""


def digits_of(text: str) -> list[int]:
    """The digits of an ISBN; hyphens and spaces do not count."""
    return [int(character) for character in text if character.isdigit()]


def check_digit(digits: list[int]) -> int:
    """The thirteenth digit that belongs to the first twelve."""
    total = sum(digit * (1 if place % 2 else 3) for place, digit in enumerate(digits[:12]))
    return (10 - total % 10) % 10


def is_valid(text: str) -> bool:
    """Whether the text is an ISBN-13 whose last digit checks."""
    digits = digits_of(text)
    return len(digits) == 13 and check_digit(digits) == digits[12]

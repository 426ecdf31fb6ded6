"""Numbers with the words beside them: a word agrees with the number as it is shown, not as it was computed."""


def counted(number: float, words: str) -> str:
    """The number to one decimal with the word that agrees, of "one|many".

    >>> [counted(number, "hour|hours") for number in (0, 0.01, 1.04, 1.1, 1200)]
    ['0 hours', 'less than 0.1 hours', '1 hour', '1.1 hours', '1,200 hours']
    """
    one, many = words.split("|")
    if 0 < number < 0.05:
        return f"less than 0.1 {many}"
    digits = f"{number:,.1f}".removesuffix(".0")
    return f"{digits} {one if digits == '1' else many}"

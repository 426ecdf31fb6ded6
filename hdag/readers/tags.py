"""Think and answer tags in a text: what is thinking, and what is the answer."""

from hdag.core.errors import BadRecordError

OPENERS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<|begin_of_thought|>": "<|end_of_thought|>",
}
ANSWERS = {"<answer>": "</answer>", "<|begin_of_solution|>": "<|end_of_solution|>"}


def is_closed(text: str) -> bool:
    """Whether `text` closes a think tag, so that what stands behind it is an answer."""
    return any(closer in text for closer in OPENERS.values())


def split_tags(text: str, *, where: str, field: str) -> tuple[str, str]:
    """Thinking and answer of `text`; an opening tag may be missing (chat templates swallow it), a closing one may not.

    >>> split_tags("<think>1+1=2</think>It is 2.", where="r", field="")
    ('1+1=2', 'It is 2.')
    """
    # Pairs in the order of the table: the first that occurs decides; what stands before it belongs to the thinking.
    for opener, closer in OPENERS.items():
        before, opened, after = text.partition(opener)
        if not opened:
            # A template that ends in "<think>" leaves only the closing tag in the completion.
            before, after = "", text
        thinking, closed, answer = after.partition(closer)
        if opened and not closed:
            raise BadRecordError(where=where, field=field, reason=f"{opener} is never closed")
        if closed:
            return (before + thinking).strip("\n"), _unwrap(answer)
    return "", _unwrap(text)


def _unwrap(answer: str) -> str:
    """The answer without its own tags when it is wholly inside them."""
    bare = answer.strip()
    for opener, closer in ANSWERS.items():
        if bare.startswith(opener) and bare.endswith(closer):
            return bare[len(opener) : -len(closer)]
    return answer

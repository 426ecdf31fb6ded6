"""Properties that are computed at the first question and remembered, as functools.cached_property without its lock.

The lock, which Python 3.12 has dropped, takes longer than many of these properties; no value here is shared between
threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

_Value = TypeVar("_Value")


class remembered(Generic[_Value]):  # noqa: N801 - written above a method, as property is
    """A method that becomes an attribute of its instance at the first question.

    >>> class Text:
    ...     @remembered
    ...     def length(self):
    ...         print("counted")
    ...         return 4
    >>> text = Text()
    >>> text.length + text.length
    counted
    8
    """

    def __init__(self, compute: Callable[[Any], _Value]) -> None:
        self.compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> _Value: ...
    def __get__(self, instance: object | None, owner: type) -> Self | _Value:
        if instance is None:
            return self
        # an attribute of the instance is found before this descriptor, which has no __set__ of its own
        value = instance.__dict__[self.name] = self.compute(instance)
        return value

    if TYPE_CHECKING:  # what is known beforehand may be set

        def __set__(self, instance: object, value: _Value) -> None: ...

"""Making people: the manager of User, and pseudonyms that say nothing about who is behind them."""

import secrets
from typing import TYPE_CHECKING, Any

from django.contrib.auth.base_user import BaseUserManager

if TYPE_CHECKING:
    from accounts.models import User

COLOURS = (
    "Amber",
    "Azure",
    "Cobalt",
    "Copper",
    "Coral",
    "Crimson",
    "Ivory",
    "Jade",
    "Lilac",
    "Maroon",
    "Ochre",
    "Olive",
    "Russet",
    "Saffron",
    "Scarlet",
    "Sepia",
    "Silver",
    "Slate",
    "Teal",
    "Umber",
    "Violet",
    "White",
)
BIRDS = (
    "Avocet",
    "Bittern",
    "Bunting",
    "Crane",
    "Curlew",
    "Dipper",
    "Dunlin",
    "Egret",
    "Finch",
    "Godwit",
    "Heron",
    "Ibis",
    "Kestrel",
    "Lapwing",
    "Linnet",
    "Martin",
    "Merlin",
    "Osprey",
    "Pipit",
    "Plover",
    "Rail",
    "Siskin",
    "Swift",
    "Tern",
    "Thrush",
    "Wagtail",
    "Warbler",
    "Wren",
)


def draw_pseudonym() -> str:
    """A fresh pseudonym such as 'Amber Heron 40961'; uniqueness is the database's business."""
    # 22 colours, 28 birds, 90,000 numbers: 55 million. Among 1,000 people two draw the same with a chance of about 1 in
    # 110 (the birthday bound, n^2 / 2N); then the unique constraint refuses the second.
    return f"{secrets.choice(COLOURS)} {secrets.choice(BIRDS)} {10_000 + secrets.randbelow(90_000)}"


class People(BaseUserManager["User"]):
    """Creates users; e-mail addresses are kept in lower case so that one mailbox is one person."""

    use_in_migrations = True

    def get(self, *args: Any, **kwargs: Any) -> "User":
        """One person; by key alone, as each request reads who asks, with roles and second factor in one statement."""
        # Managers of relations are subclasses that Django makes of this one, and migrations have models of their own.
        is_ours = type(self) is People and hasattr(self.model, "with_standing")
        if is_ours and not args and kwargs.keys() == {"pk"} and type(kwargs["pk"]) is int:
            return self.model.with_standing(key=kwargs["pk"])
        return super().get(*args, **kwargs)

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create a person without any role; without a password nobody can log in as them."""
        if not email:
            raise ValueError("A person needs an e-mail address.")
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create a person who holds the admin role (what `manage.py createsuperuser` calls)."""
        from allauth.account.models import EmailAddress

        from accounts.models import Role, RoleEvent, RoleGrant

        user = self.create_user(email, password, **fields)
        # Whoever may run the command vouches for the address: the first admin signs in before there is a mail server.
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        RoleGrant.objects.create(user=user, role=Role.ADMIN)
        RoleEvent.objects.create(user=user, role=Role.ADMIN, verb=RoleEvent.Verb.GRANTED, note="createsuperuser")
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        """Find the person behind a login name, whatever its letter case."""
        return self.get(email=(username or "").strip().lower())

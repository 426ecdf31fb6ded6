"""What servers answer, read: a reply, or a named failure; never a guess, and never their words in an error."""

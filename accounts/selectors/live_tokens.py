"""Whether a token lives and its person holds a role, as a condition for statements that are written by hand.

Reads ApiToken, User, RoleGrant.
"""

from accounts.prepared import Mark

# Without a token (NULL) it holds: who asks was found out before.
LIVES = """(%s::text IS NULL OR EXISTS (
    SELECT FROM accounts_apitoken AS token JOIN accounts_user AS holder ON holder.id = token.user_id
    JOIN accounts_rolegrant AS held ON held.user_id = holder.id AND held.role = ANY(%s::text[])
    WHERE token.digest = %s AND token.user_id = %s AND token.revoked_at IS NULL AND holder.is_active
    AND (token.expires_at IS NULL OR token.expires_at > statement_timestamp())))"""
# The digest of the token, the roles of which one is enough, and the person that the token was issued to.
LIVES_BY = [Mark("token"), Mark("roles"), Mark("token"), Mark("person")]

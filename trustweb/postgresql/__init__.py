"""Django's backend for PostgreSQL, whose connections cost nothing while they rest."""

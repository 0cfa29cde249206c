"""The log in a PostgreSQL database: as many processes as one likes."""

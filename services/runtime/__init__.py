"""Code that every part of the service uses: settings, errors, clock, metrics, tracing, limits."""

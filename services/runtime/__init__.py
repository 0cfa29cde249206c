"""What every part of the service uses: settings, errors, the clock, metrics, tracing, limits."""

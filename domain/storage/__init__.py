"""The bridge from aggregates to the `eventsourcing` library, which only this package imports."""

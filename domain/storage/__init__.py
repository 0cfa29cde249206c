"""What binds our aggregates to `eventsourcing`. No other package of the domain knows it."""

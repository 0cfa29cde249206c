"""The doors: how a transport reaches the handlers of the API. Binding, statuses, deadlines."""

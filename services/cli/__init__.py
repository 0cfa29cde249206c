"""`emeth`, the command line: keeps a service, plays on one, checks rules without one."""

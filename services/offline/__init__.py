"""The whole service in a page: the same handlers, over a log and read models in memory.

A browser runs it by Pyodide (`web/judge/`). There are no threads, no files that last and nobody
else; all of that is left to what stands below the handlers, so none of them knows of it.
"""

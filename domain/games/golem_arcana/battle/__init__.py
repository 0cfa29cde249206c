"""The rules of a battle, by the headings of the rulebook."""

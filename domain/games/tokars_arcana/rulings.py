"""placeholder"""


def rulings(state, action, facts):
    return ()

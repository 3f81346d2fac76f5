"""What a match is made of: the position, the steps that are still to be done, what can be chosen, what can be heard.

Values, and what is asked or changed of them everywhere. Made of what is in the `box`; the rules are above.
"""

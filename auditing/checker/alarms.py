"""How often each rule refuted a labelled step, and how many of these steps were right: data for demotion.py.

Counted by `python -m benchmarks.firings` over the read two thirds of the public sets. An alarm is a step that people
labelled as right and that is right: the accused text was read again (by one reader), for labels miss slips, too.
checker | rule | family | firings | alarms
"""

TABLE = """
arithmetic    | unequal                           | numbers | 141 | 0
congruences   | congruence                        | numbers |   2 | 0
facts         | comparison                        | numbers |   1 | 0
facts         | a whole quotient                  | numbers |   1 | 0
facts         | divisibility                      | numbers |   3 | 0
listings      | list of numbers                   | numbers |   8 | 0
number facts  | a number in a base                | numbers |   1 | 0
number facts  | a number of digits                | numbers |   1 | 0
number facts  | different prime factors           | numbers |   1 | 0
number facts  | the nearest number of a sort      | numbers |   2 | 0
sayings       | a common divisor                  | numbers |   1 | 0
sayings       | a rounded value                   | numbers |   1 | 0
spoken        | said and computed                 | numbers |   5 | 0
complexes     | complex arithmetic                | numbers |   1 | 0
continuations | a line that goes on               | algebra |   1 | 0
derivation    | inconsistent equations            | algebra |  65 | 1
expressions   | the same expression               | algebra |   2 | 0
gaps          | differs by a number               | algebra |   1 | 0
like terms    | like terms                        | algebra |   4 | 0
rewriting     | not an identity                   | algebra |  17 | 0
roots         | root gained                       | algebra |   2 | 0
transitions   | not the same equation             | algebra |  13 | 0
references    | taken up                          | algebra |   5 | 0
restatement   | same label, other value           | text    |  10 | 0
brackets      | next bracket                      | logic   |  82 | 0
brackets      | pops                              | logic   |  12 | 0
brackets      | stack                             | logic   | 118 | 0
exchanges     | swap                              | logic   |  95 | 0
placings      | order                             | logic   |  66 | 0
sortings      | sorting                           | logic   |  63 | 0
"""

"""How often each rule refuted a labelled step, and how many of these steps were right: data for demotion.py.

Counted by `python -m benchmarks.firings` over the read two thirds of the public sets. An alarm is a step that people
labelled as right and that is right: the accused text was read again (by two readers), for labels miss slips, too. No
line of tests/vectors that is right is refuted by any of them. A rule that stands in neither table is likely at most.
checker | rule | family | firings | alarms
"""

TABLE = """
arithmetic    | unequal                           | numbers | 232 | 0
arithmetic    | order                             | numbers |   1 | 0
congruences   | congruence                        | numbers |   2 | 0
facts         | comparison                        | numbers |   2 | 0
facts         | a whole quotient                  | numbers |   1 | 0
facts         | divisibility                      | numbers |   3 | 0
facts         | compared twice                    | numbers |   1 | 0
listings      | list of numbers                   | numbers |   9 | 0
listings      | numbers of a kind                 | numbers |   1 | 0
facts         | between                           | numbers |   1 | 0
number facts  | a number in a base                | numbers |   1 | 0
number facts  | a number of digits                | numbers |   1 | 0
number facts  | different prime factors           | numbers |   1 | 0
number facts  | the nearest number of a sort      | numbers |   2 | 0
sayings       | a common divisor                  | numbers |   1 | 0
sayings       | a digit                           | numbers |   1 | 0
sayings       | a rounded value                   | numbers |   1 | 0
spoken        | said and computed                 | numbers |   5 | 0
spoken        | said nearly                       | numbers |   1 | 0
spoken        | said and rewritten                | numbers |   1 | 0
solutions     | a rate of exchange                | numbers |   2 | 0
solutions     | a result denied                   | numbers |   1 | 0
solutions     | the place of a median             | numbers |   1 | 0
solutions     | values in an interval             | numbers |   1 | 0
units         | conversion                        | numbers |   2 | 0
number sorts  | a sort of whole numbers           | numbers |   5 | 0
complexes     | complex arithmetic                | numbers |   1 | 0
continuations | a line that goes on               | algebra |   1 | 0
derivation    | inconsistent equations            | algebra |  61 | 1
expressions   | the same expression               | algebra |   2 | 0
questions     | the answer to the question        | algebra |   2 | 0
formulas      | filled formula                    | algebra |   3 | 0
gaps          | differs by a number               | algebra |   1 | 0
said operations | an integer that an inequality allows | algebra | 3 | 0
inequalities  | a sign that is not turned         | algebra |   1 | 0
said operations | where two curves cross          | algebra |   1 | 0
said operations | an area by the vertices         | algebra |   1 | 0
said operations | done to both sides              | algebra |   5 | 0
like terms    | like terms                        | algebra |   4 | 0
rewriting     | not an identity                   | algebra |  16 | 0
rewriting     | called an identity                | algebra |   1 | 0
rewriting     | said to be expanded               | algebra |   1 | 0
solutions     | a formula with a value put in     | algebra |   2 | 0
solutions     | a value rounded                   | algebra |   1 | 0
solutions     | values of a system                | algebra |   2 | 0
solutions     | where curves meet                 | algebra |   3 | 0
roots         | root gained                       | algebra |   1 | 0
roots         | plus or minus                     | algebra |   1 | 0
transitions   | not the same equation             | algebra |  16 | 0
references    | taken up                          | algebra |   2 | 0
references    | below a heading                   | algebra |   2 | 0
references    | one made into another             | algebra |   1 | 0
references    | a side multiplied out             | algebra |   1 | 0
restatement   | same label, other value           | text    |  10 | 0
computed lines | another result in the next line  | text    |   2 | 0
confessions   | a deed of its own called wrong    | text    |  14 | 0
confessions   | its own result called wrong       | text    |   6 | 0
blocks        | a line of this step is refuted    | text    |  29 | 0
brackets      | next bracket                      | logic   |  82 | 0
brackets      | pops                              | logic   |  12 | 0
brackets      | stack                             | logic   | 118 | 0
exchanges     | swap                              | logic   |  95 | 0
placings      | order                             | logic   |  66 | 0
sortings      | sorting                           | logic   |  63 | 0
"""
# Rules that were certain before there was this rule, and have refuted no labelled step since: they are measured with
# their families alone. None is added: a new rule is likely until the table above counts it.
UNFIRED = """
arithmetic    | an even root of a negative number              | numbers
arithmetic    | division by zero                               | numbers
arithmetic    | not equal                                      | numbers
arithmetic    | the logarithm of a number that is not positive | numbers
facts         | even                                           | numbers
facts         | odd                                            | numbers
facts         | perfect cube                                   | numbers
facts         | perfect square                                 | numbers
facts         | prime                                          | numbers
remainders    | a remainder                                    | numbers
dates         | calendar                                       | numbers
tools         | recomputed                                     | numbers
sayings       | a common multiple                              | numbers
sayings       | a cube                                         | numbers
sayings       | a difference                                   | numbers
sayings       | a digit sum                                    | numbers
sayings       | a median                                       | numbers
sayings       | a multiple                                     | numbers
sayings       | a number of divisors                           | numbers
sayings       | a percentage                                   | numbers
sayings       | a product                                      | numbers
sayings       | a quotient                                     | numbers
sayings       | a remainder                                    | numbers
sayings       | a share                                        | numbers
sayings       | a square                                       | numbers
sayings       | a sum                                          | numbers
sayings       | a unit                                         | numbers
sayings       | an average                                     | numbers
sayings       | less than                                      | numbers
sayings       | more than                                      | numbers
calculus      | derivative                                     | algebra
inequalities  | solutions of an inequality                     | algebra
roots         | root lost                                      | algebra
quotation     | quotation                                      | text
quotation     | copied quantity                                | text
provenance    | answer and result                              | text
brackets      | answer                                         | logic
brackets      | closing brackets                               | logic
"""

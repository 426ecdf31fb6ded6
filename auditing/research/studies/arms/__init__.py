"""Tables 1 to 3 of TRUST: arms as a design, corruption replayed on recorded votes. Registers three studies."""

from auditing.research.studies.arms.table1 import run_table1
from auditing.research.studies.arms.table2 import run_table2
from auditing.research.studies.arms.table3 import run_table3

__all__ = ["run_table1", "run_table2", "run_table3"]

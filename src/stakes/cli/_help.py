"""What ``--help`` teaches. A line with a backspace keeps the lines of its paragraph as they are."""

STAKES = """Choose a classifier by what its mistakes cost.

You say roughly what a false alarm costs against a miss. stakes ranks your models by what their mistakes would cost,
says how sure that is, and explains it.

\b
Start here:
  stakes demo                 an example, with a report to look at
  stakes beliefs 5%..20%      what a range of costs means
  stakes evaluate --help      from your own file to a report
"""

DEMO = """Rank three ways to decide who gets a biopsy, on 750 patients that come with stakes, and write a report.

BELIEF is what a biopsy too many weighs among both mistakes, 5%..20% unless given: to find one cancer one would
biopsy five to twenty.

\b
Examples:
  stakes demo
  stakes demo 2%..5%
  stakes demo 1:9 --html biopsy.html
"""

EVALUATE = """Rank the models of FILE by what their mistakes cost, and say how sure that is.

FILE has one row per case: CSV or TSV with the names of the columns in its first line (delimiter and compression are
found out), Parquet or Arrow; - is the standard input. Cases that a model has no score for are left out.

\b
Examples:
  stakes evaluate scores.csv --outcome died --models old new --cost 5%..20%
  stakes evaluate scores.csv --outcome died --models old new --cost 5%..20% \\
      --html report.html
  stakes evaluate scores.parquet --outcome fraud --models gbm --cost 1:99..1:19 \\
      --capacity 2%
  stakes evaluate visits.csv.gz --outcome ill --positive yes --models risk \\
      --cost 10% --prevalence 1%..3% --group sex --cluster patient
  stakes evaluate scores.csv --outcome died --models old new --cost 10% \\
      --json - | jq .ranking

\b
Exit codes:
  0  done
  2  something that was typed, or that the file holds, cannot be used
  1  anything else, such as a full disk
  130  interrupted
"""

BELIEFS = """Show what BELIEF means: in odds, in exchange rates, and as a picture.

\b
A belief about costs says what a false alarm weighs among both mistakes:
  10%, 0.1 or 1:9      exactly this: a miss is nine times as bad as a false alarm
  5%..20%              anywhere in the range, each value as likely as any other
  1:19..1:4            the same range, as odds of a false alarm to a miss
  'logodds 0.1%..2%'   each doubling of the odds as likely, for what may be rare
  'beta(2, 8)'         around 20%, less likely far from it

\b
Examples:
  stakes beliefs 5%..20%
  stakes beliefs 1:9
  stakes beliefs 'logodds 0.1%..2%'
"""

RECOMMEND = """Say which measure fits a decision, why, and what the usual ones would silently assume.

\b
Examples:
  stakes recommend --cost 5%..20%
  stakes recommend --cost 1:9 --capacity 10% --min-precision 30%
  stakes recommend --cost 5%..20% --prevalence 1%..3%
"""

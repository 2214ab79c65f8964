"""Texts of help: what each command does, with examples."""

from __future__ import annotations

STAKES = """Choose a classifier by what its mistakes cost.

State roughly how the cost of a false alarm compares with that of a miss. stakes ranks your models by the expected
cost of their mistakes, with intervals, and explains the ranking in plain English.

\b
Start here:
  stakes demo                 run an example that writes a report
  stakes beliefs 5%..20%      see what a range of costs means
  stakes evaluate --help      rank the models of your own file
  stakes page                 write a page that opens a CSV file in a browser
"""

DEMO = """Rank three ways to decide who gets a biopsy, on 750 patients bundled with stakes, and write a report.

BELIEF is the weight of an unnecessary biopsy: its cost, as a share of that of one unnecessary biopsy plus one missed
cancer. The default, 5%..20%, means that one would biopsy five to twenty patients to find one cancer.

\b
Examples:
  stakes demo
  stakes demo 2%..5%
  stakes demo 1:9 --html biopsy.html
  stakes demo --survival
"""

EVALUATE = """Rank the models of FILE by the expected cost of their mistakes, with intervals.

FILE has one row per case: CSV or TSV as a spreadsheet saves it, compressed or not, Parquet or Arrow, a workbook, or a
file of SPSS, Stata or SAS; - reads the standard input. Cases for which any model has no score are dropped.

\b
Examples:
  stakes evaluate scores.csv --outcome died --predictions old new --costs 5%..20%
  stakes evaluate scores.csv --outcome died --predictions old new --costs 5%..20% \\
      --html report.html
  stakes evaluate scores.parquet --outcome fraud --predictions gbm --costs 1:99..1:19 \\
      --capacity 2%
  stakes evaluate visits.csv.gz --outcome ill --pos-label yes --predictions risk \\
      --costs 10% --prevalence 1%..3% --group sex --cluster patient
  stakes evaluate followed.csv --time years --event status --horizon 5 \\
      --predictions risk5 --costs 5%..20%
  stakes evaluate scores.parquet --outcome fraud --predictions gbm \\
      --miss-cost '0.75*amount' --false-alarm-cost 400
  stakes evaluate er.csv --outcome sepsis --predictions old new \\
      --actions discharge=0/20,observe=1/6,admit=4/1
  stakes evaluate scores.csv --outcome died --predictions old new --costs 10% \\
      --json - | jq .ranking

\b
Exit codes:
  0    success
  1    any other error, such as a full disk
  2    invalid arguments or data
  3    with --fail-if-worse: the model costs more than --baseline, by more than --margin
  4    with --fail-if-worse: the cases cannot tell whether it does
  130  interrupted; 129 and 143: ended by SIGHUP or SIGTERM
"""

COLUMNS = """List the columns of FILE: what each holds, and what it could be.

What was detected about the file comes first. At the end is the command that evaluates the file, if its outcome and
predictions can be guessed.

\b
Examples:
  stakes columns scores.csv
  stakes columns klinik.csv --encoding cp1252 --missing 999
  stakes columns klinik.xlsx --sheet 2024
"""

BELIEFS = """Explain BELIEF in odds, in exchange rates, and as a picture.

\b
A belief about costs gives the cost of a false alarm, as a share of that of one
false alarm plus one miss:
  10%, 0.1 or 1:9      a single value: a miss is nine times as bad as a false alarm
  5%..20%              uniform over a range
  1:19..1:4            the same range, as odds of a false alarm to a miss
  'logodds 0.1%..2%'   uniform in log-odds, for values that may be very small
  'beta(2, 8)'         a beta distribution, here with mean 20%

\b
Examples:
  stakes beliefs 5%..20%
  stakes beliefs 1:9
  stakes beliefs 'logodds 0.1%..2%'
"""

RECOMMEND = """Recommend a measure for a decision, and explain what the usual measures would silently assume.

\b
Examples:
  stakes recommend --costs 5%..20%
  stakes recommend --costs 1:9 --capacity 10% --min-precision 30%
  stakes recommend --costs 5%..20% --prevalence 1%..3%
  stakes recommend --actions discharge=0/20,observe=1/6,admit=4/1
"""

PLAN = """Say what more labelled cases would be worth for the choice among the models of FILE.

Cases for which any model has no score are dropped. Without a FILE, models are imagined from the prevalence and the AUC
of each.

\b
Examples:
  stakes plan scores.csv --outcome died --predictions old new --costs 5%..20% --more 500
  stakes plan scores.csv --outcome died --predictions old new --costs 5%..20% \\
      --decisions 20000/year --price 15 --value 900
  stakes plan --prevalence 5% --auc new=0.8 --auc old=0.75 --costs 10%
"""

WATCH = """Watch the batches of FILE for a cost that exceeds what was promised.

A batch counts once all its outcomes are known. Until then, its scores are compared with the labelled cases of FILE, or
with those of --reference: how common the condition has become, and what the model costs now. For that, FILE need not
have a column of outcomes.

\b
Examples:
  stakes watch months.csv --outcome fraud --predictions risk --costs 1:99..1:19 \\
      --batch month --promised '2 misses per 1000'
  stakes watch weeks.csv --outcome died --predictions risk --costs 10% --batch week \\
      --promised '80 false alarms per 1000' --unit false-alarms --every 520
  stakes watch months.xlsx --sheet 2026 --outcome fraud --pos-label yes --predictions risk \\
      --costs 1:50 --batch month --promised '2 misses per 1000' --json
  stakes watch april.csv --outcome fraud --predictions risk --costs 1:50 --batch month \\
      --reference march.csv

\b
Exit codes: 3 if an alarm stands, and otherwise those of stakes evaluate.
"""

PAGE = """Write a page that opens a CSV file in a browser, for people who have not installed stakes.

OUT is one HTML file, stakes-page.html unless given. Drop a CSV file on it, check what its columns are, state the costs,
and see which model to use, from which threshold, and how certain that is. Nothing leaves the computer: the page cannot
reach any network. It says what it leaves out, and which command does that.

\b
Examples:
  stakes page
  stakes page for-the-clinic.html
  stakes page seite.html --lang de
"""

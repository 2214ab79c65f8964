"""Words by which the columns of a file are guessed, in the languages of files seen so far."""

from __future__ import annotations

# Names of columns that hold the outcome, in lower case.
OUTCOME_NAMES: tuple[str, ...] = ("outcome", "y", "label", "target", "class", "event", "status", "response", "result")
OUTCOME_NAMES += ("case", "died", "death", "dead", "cancer", "fraud", "default", "churn")
OUTCOME_NAMES += ("ergebnis", "ereignis", "tod", "gestorben", "verstorben", "krank", "erkrankt")

# Of these, names that say how follow-up ended.
EVENT_NAMES = ("event", "status", "ereignis")

WEIGHT_NAMES = ("weight", "weights", "w", "gewicht", "sample_weight", "poids", "peso")

# Words in names of columns that hold how long a case was followed, and of those that hold an amount of money.
TIME_WORDS = {"time", "times", "tte", "futime", "duration", "survtime", "days", "months", "years", "zeit", "dauer"}
TIME_WORDS |= {"durée", "followup", "ttcancer", "tage", "monate", "jahre", "duree", "tiempo", "tempo"}
AMOUNT_WORDS = {"amount", "amt", "price", "loan", "exposure", "ead", "balance", "claim", "loss", "betrag", "summe"}
AMOUNT_WORDS |= {"schaden", "montant", "importe", "importo", "valor"}

# Two labels of which one says what the other denies, in alphabetical order.
OPPOSITES: tuple[tuple[str, ...], ...] = (("no", "yes"), ("n", "y"), ("false", "true"), ("f", "t"))
OPPOSITES += (("negative", "positive"), ("alive", "dead"))
OPPOSITES += (("ja", "nein"), ("j", "n"), ("falsch", "wahr"), ("negativ", "positiv"), ("non", "oui"), ("faux", "vrai"))
OPPOSITES += (("no", "si"), ("no", "sí"), ("no", "sì"), ("não", "sim"))

# Labels that mean that something is the case.
YES = {"yes", "y", "true", "t", "positive", "pos", "case", "event", "dead", "died", "ill", "1", "fraud"}
YES |= {"ja", "j", "wahr", "positiv", "tot", "krank", "oui", "vrai", "si", "sí", "sì", "sim"}

# Labels of cases that left before follow-up ended.
LEFT = {"censored", "censor", "lost", "lost to follow-up", "zensiert", "censuré", "censurado", "censurato"}

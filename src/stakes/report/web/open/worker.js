"use strict";
/* The part of the page that reads and computes, so that the page itself never waits: what it is sent, it answers. */
let opened = null, known = { key: "" }; // the file, and its cases with the roles that were asked for last

const progress = (what) => postMessage({ progress: what });

/* Cases and tables of some roles, kept as long as only the costs change. */
function casesOf(roles) {
  const key = JSON.stringify(roles);
  if (known.key === key) return known;
  known = { key: "" };
  progress("Reading the numbers");
  const cases = reading.casesIn(opened, roles);
  progress("Sorting the scores");
  known = { key, cases, models: answering.modelsOf(cases, roles.models.map((column) => opened.names[column])) };
  return known;
}

const TASKS = {
  read({ bytes, guessing }) {
    [opened, known] = [null, { key: "" }];
    progress("Finding out how the file is written");
    opened = reading.survey(new Uint8Array(bytes));
    progress("Looking at the columns");
    const preview = Array.from({ length: Math.min(opened.cells.rows, 3) }, (_, row) => opened.cells.fields(row).map((field) => field.slice(0, 30)));
    return { columns: reading.describe(opened, guessing), notes: opened.notes, rows: opened.cells.rows, preview };
  },
  answer({ roles, cost, said, facts }) {
    const { cases, models } = casesOf(roles);
    progress(answering.leader(models, cost)); // long before the intervals of a large file are there
    return answering.answer(cases, models, cost, { said, facts });
  },
  /* The tables of all cases, which no report holds. */
  tables: ({ roles }) => ({ tables: casesOf(roles).models.map(({ name, table: { score, positive, negative } }) => ({ name, score: score.slice(), positive: positive.slice(), negative: negative.slice() })) }),
};

/* Large columns are handed over, not copied. */
const buffersOf = ({ tables = [] }) => tables.flatMap(({ score, positive, negative }) => [score.buffer, positive.buffer, negative.buffer]);

onmessage = ({ data }) => {
  try {
    const result = TASKS[data.task](data);
    postMessage({ task: data.task, number: data.number, result }, buffersOf(result));
  } catch (error) {
    const said = error instanceof reading.Refused ? error.message : `could not be read: ${error.message}.`;
    postMessage({ task: data.task, number: data.number, refused: said });
  }
};

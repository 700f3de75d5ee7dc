/** Something a person can act on: what went wrong, the end of the tool's own words, and the ways out. */
export class Failure extends Error {
  constructor(message, { detail = '', ways = [] } = {}) {
    super(message);
    this.name = 'Failure';
    this.detail = detail;
    this.ways = ways;
  }
}

/** Prints any error; a defect of these scripts shows its stack, a Failure only what helps. */
export function printFailure(error, title) {
  if (!(error instanceof Failure)) {
    console.error(`\n✗ ${title}: ${error?.stack ?? error}`);
    return;
  }
  console.error(`\n✗ ${title}: ${error.message}`);
  if (error.detail) console.error(error.detail.trimEnd().replace(/^/gm, '    '));
  for (const way of error.ways) console.error(`  → ${way}`);
}

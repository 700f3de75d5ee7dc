// The table at the end of a chaos run, and whether it passed.

const seconds = (ms) => (ms / 1000).toFixed(1);
const median = (sorted) => (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;

/**
 * Prints the gaps of each fault with their targets and what went wrong.
 * @param {object[]} results  one for each fault and round
 * @returns {boolean} nothing was lost, doubled, answered 500 or left open, every audit was clean, and every target met
 */
export function printReport(results) {
  if (!results.length) {
    console.log('\nStopped before the first fault was tried.');
    return false;
  }
  const problems = results.flatMap((result) => problemsOf(result).map((text) => `${result.fault.name}: ${text}`));
  const rows = [...new Set(results.map(({ fault }) => fault))].map((fault) => {
    const mine = results.filter((result) => result.fault === fault);
    const gaps = mine.map(({ gap }) => gap.ms).sort((a, b) => a - b);
    const missed = fault.gap && median(gaps) > fault.gap * 1000;
    if (missed) problems.push(`${fault.name}: the median gap is ${seconds(median(gaps))} s, the target ${fault.gap} s`);
    const sum = (of) => mine.reduce((total, result) => total + of(result), 0);
    return {
      fault: fault.name,
      'gap median': `${seconds(median(gaps))} s`,
      'gap max': `${seconds(gaps.at(-1))} s`,
      target: fault.gap ? `≤ ${fault.gap} s ${missed ? 'MISSED' : 'met'}` : '',
      'slowest one': `${seconds(Math.max(...mine.map(({ slowest }) => slowest)))} s`,
      acknowledged: sum(({ acknowledged }) => acknowledged.length),
      'other answers': sum(({ answers }) => othersIn(answers)),
      lost: sum(({ lost }) => lost),
      doubled: sum(({ doubled }) => doubled),
    };
  });
  console.log();
  console.table(rows);
  for (const problem of problems) console.log(`  ✗ ${problem}`);
  const count = results.reduce((total, { acknowledged }) => total + acknowledged.length, 0);
  const verdict = problems.length ? 'NOT as it should be' : 'every one in the books once, every audit clean';
  console.log(`\n${results.length} faults, ${count} acknowledged translations: ${verdict}`);
  return problems.length === 0;
}

const othersIn = (answers) =>
  Object.entries(answers)
    .filter(([name]) => name !== '200')
    .reduce((total, [, n]) => total + n, 0);

/** @returns {string[]} what went wrong with one fault, beside the length of its gap */
export function problemsOf({ fault, lost, doubled, unanswered, answers, holds, problem, jobs }) {
  const found = [];
  if (lost) found.push(`${lost} acknowledged translations are lost`);
  if (doubled) found.push(`${doubled} translations are in the books more than once`);
  if (unanswered) found.push(`${unanswered} translations stayed without an answer`);
  for (const [name, n] of Object.entries(answers)) if (/^500\b/.test(name)) found.push(`${n} answers ${name}`);
  if (fault.unnoticed && othersIn(answers)) found.push(`not unnoticed: ${JSON.stringify(answers)}`);
  if (holds) found.push(`${holds} holds stayed open`);
  if (fault.jobs && jobs > fault.jobs)
    found.push(`a letter arrived after ${jobs.toFixed(1)} s, the target is ${fault.jobs} s`);
  if (problem) found.push(`the audit: ${problem}`);
  return found;
}

// jest begins with the largest files. Where files stand for many others, those come first, by name, and small specs fill what is left.
/** @typedef {{path: string}} Test */

export default class InOrder {
  /** @param {Test[]} tests */
  sort(tests) {
    const late = ({ path }) => Number(/\.spec\.ts$/.test(path));
    return [...tests].sort((a, b) => late(a) - late(b) || a.path.localeCompare(b.path));
  }

  /** @param {Test[]} tests */
  shard(tests) {
    return tests;
  }

  /** @param {Test[]} tests */
  allFailedTests(tests) {
    return tests;
  }

  /** What a run took changes nothing in the next one. */
  cacheResults() {}
}

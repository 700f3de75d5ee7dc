// By default jest runs the largest files first. Of bundles (test-runner.mjs) those with the slowest suites run first, and specs fill the gaps.
/** @typedef {{path: string}} Test */

export default class BundlesInOrder {
  /** @param {Test[]} tests */
  sort(tests) {
    const isSpecs = ({ path }) => Number(/\/src-\d+\.mjs$/.test(path));
    return [...tests].sort((a, b) => isSpecs(a) - isSpecs(b) || a.path.localeCompare(b.path));
  }

  /** @param {Test[]} tests */
  shard(tests) {
    return tests;
  }

  /** @param {Test[]} tests */
  allFailedTests(tests) {
    return tests;
  }

  /** The order does not depend on earlier runs. */
  cacheResults() {}
}

// By default jest runs the largest files first. Here bundles of suites come first, by name, and small specs fill the gaps.
/** @typedef {{path: string}} Test */

export default class BundlesFirst {
  /** @param {Test[]} tests */
  sort(tests) {
    const isSpec = ({ path }) => Number(/\.spec\.ts$/.test(path));
    return [...tests].sort((a, b) => isSpec(a) - isSpec(b) || a.path.localeCompare(b.path));
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

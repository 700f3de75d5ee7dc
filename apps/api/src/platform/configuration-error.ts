/** The environment does not fit. Its message is for the person who set it: a line for each problem, each beginning with the variable. */
export class ConfigurationError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The environment is not complete:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
  }
}

import { jest } from '@jest/globals';

// Real servers on two busy cores: what only came too late gets a second try, and the run names it.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

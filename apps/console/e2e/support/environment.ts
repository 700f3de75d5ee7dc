import { existsSync } from 'node:fs';

/** Addresses of the running system, set by `npm test` (apps/console/jest.e2e.config.mjs). */
export const BASE_URL = process.env['BASE_URL'] ?? 'http://localhost:8080';
export const OPERATORS_URL = process.env['OPERATORS_URL'] ?? 'http://localhost:8082';
export const SANDBOX_URL = process.env['SANDBOX_URL'] ?? 'http://localhost:8081';

const BROWSERS = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The system's Chromium, or undefined: journeys are skipped then. */
export const CHROMIUM = BROWSERS.find((path) => path !== undefined && path !== '' && existsSync(path));

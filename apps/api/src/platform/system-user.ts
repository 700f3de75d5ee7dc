import { userInfo } from 'node:os';

/** Who runs the command line. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user that has no name.
    return process.env['USER'] ?? 'operator';
  }
}

import type { Bounds, Program, ProgramOutcome } from '../bounded-programs.js';

/** What the launcher is asked: to run a program, or to stop the one that was asked for under this number. */
export type LaunchMessage =
  | { readonly id: number; readonly program: Program; readonly bounds: Omit<Bounds, 'signal'> }
  | { readonly stop: number };

export type LaunchReply = { readonly id: number; readonly outcome: ProgramOutcome };

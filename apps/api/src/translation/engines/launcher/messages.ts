import type { Bounds, Program, ProgramOutcome } from '../bounded-programs.js';

/** A message to the launcher: run a program, or stop the one with this id. */
export type LaunchMessage =
  | { readonly id: number; readonly program: Program; readonly bounds: Omit<Bounds, 'signal'> }
  | { readonly stop: number };

export type LaunchReply = { readonly id: number; readonly outcome: ProgramOutcome };

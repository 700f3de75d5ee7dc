import { drill, type DrillResult } from '../backup/drill.js';
import { recordAction } from '../backup/record.js';
import { Repository } from '../backup/repository.js';
import { planRestore } from '../backup/restore-plan.js';
import { requireBackupValues } from '../backup/settings.js';
import { DRILL_ACTION } from '../operators/action-log.js';
import { Clock } from '../platform/clock.js';
import { CommandError } from '../platform/cli-messages.js';
import { systemUser } from '../platform/system-user.js';
import { readArguments, requireWords } from './command-line.js';
import type { Terminal } from './terminal-task.js';

/** `drill`: restores the newest state beside the running system, audits it, says how old it is and how long it took, and throws it away. */
export function drillCommand(args: string[]): (terminal: Terminal) => Promise<void> {
  requireWords(readArguments(args, {}), []);
  return async ({ config, say }) => {
    const values = requireBackupValues(config);
    const clock = new Clock(config);
    const began = new Date();
    const note = (after: object): Promise<void> =>
      recordAction(config, { actor: `cli:${systemUser()}` }, { action: DRILL_ACTION, after });
    let done: DrillResult;
    try {
      const repository = await Repository.open(values);
      const plan = await planRestore(repository, null, (date) => clock.toWire(date));
      done = await drill(repository, plan, { values, timeZone: config.env.APP_TIMEZONE });
    } catch (error) {
      const failed = error instanceof CommandError ? error.text.en : 'an unexpected error';
      await note({ failed, seconds: secondsSince(began) });
      throw error;
    }
    const { restoredTo, seconds, audit } = done;
    const age = Math.max(0, Math.round((began.getTime() - restoredTo.getTime()) / 1_000));
    await note({ seconds: secondsSince(began), differences: audit.findings.length });
    say({
      zh: `演练：恢复到 ${clock.toWire(restoredTo)}（${age} s 之前），解开 ${seconds.copy.toFixed(1)} s，重放 ${seconds.log.toFixed(1)} s，核对 ${seconds.audit.toFixed(1)} s`,
      en: `Drill: restored the state of ${clock.toWire(restoredTo)} (${age} s ago); unpacked in ${seconds.copy.toFixed(1)} s, replayed in ${seconds.log.toFixed(1)} s, audited in ${seconds.audit.toFixed(1)} s.`,
    });
    if (audit.findings.length > 0)
      throw new CommandError({
        zh: `恢复出的账本有 ${audit.findings.length} 处差异`,
        en: `The restored ledger has ${audit.findings.length} differences.`,
      });
    say({
      zh: `恢复出的账本完整：${audit.accounts} 个账号，${audit.entries} 条记录`,
      en: `The restored ledger is whole: ${audit.accounts} accounts, ${audit.entries} entries.`,
    });
  };
}

const secondsSince = (began: Date): number => Math.round((Date.now() - began.getTime()) / 1_000);

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { backupSettings } from './settings.js';

describe('the settings of backups', () => {
  const isTaken = (hours: string): boolean =>
    z.object(backupSettings.shape).safeParse({ BACKUP_EVERY_HOURS: hours }).success;

  // BackupLate and the console call a backup late after 26 hours, whatever is set.
  it('take full copies once a day at least', () => {
    expect(['1', '24'].map(isTaken)).toEqual([true, true]);
    expect(['0', '25', '168'].map(isTaken)).toEqual([false, false, false]);
  });
});

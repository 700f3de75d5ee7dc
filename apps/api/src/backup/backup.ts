/** The front door: what others may ask of backups. */
import type { Config } from '../platform/config.js';
import { Repository } from './repository.js';
import { requireBackupValues } from './settings.js';

export { StartDrill } from './start-drill.js';
export { backupSettings } from './settings.js';

/** Where backups are kept, for what is kept beside them. Throws CommandError where no backup is configured. */
export const openBackupStorage = async (config: Config): Promise<Repository> =>
  Repository.open(requireBackupValues(config));

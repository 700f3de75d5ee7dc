/** The front door: what others may ask of backups. */
export { StartDrill } from './start-drill.js';
export { backupSettings } from './settings.js';

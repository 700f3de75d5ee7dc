/** Every migration under its name in the database, in order. A new migration adds its line. */
export { Migration0001Initial as '0001-initial' } from './0001-initial.js';
export { Migration0002WholeLedger as '0002-whole-ledger' } from './0002-whole-ledger.js';
export { Migration0003Orders as '0003-orders' } from './0003-orders.js';
export { Migration0004Vendors as '0004-vendors' } from './0004-vendors.js';
export { Migration0005Glossary as '0005-glossary' } from './0005-glossary.js';
export { Migration0006RememberedTranslations as '0006-remembered-translations' } from './0006-remembered-translations.js';
export { Migration0007SessionsAndReminders as '0007-sessions-and-reminders' } from './0007-sessions-and-reminders.js';
export { Migration0008Notices as '0008-notices' } from './0008-notices.js';
export { Migration0009PriceVersions as '0009-price-versions' } from './0009-price-versions.js';
export { Migration0010AuditWitnesses as '0010-audit-witnesses' } from './0010-audit-witnesses.js';
export { Migration0011Input as '0011-input' } from './0011-input.js';
export { Migration0012ManagerActions as '0012-manager-actions' } from './0012-manager-actions.js';
export { Migration0013LeastRights as '0013-least-rights' } from './0013-least-rights.js';
export { Migration0014OpenEntryTypes as '0014-open-entry-types' } from './0014-open-entry-types.js';
export { Migration0015AccountMail as '0015-account-mail' } from './0015-account-mail.js';
export { Migration0016Invoices as '0016-invoices' } from './0016-invoices.js';
export { Migration0017SpendingCaps as '0017-spending-caps' } from './0017-spending-caps.js';

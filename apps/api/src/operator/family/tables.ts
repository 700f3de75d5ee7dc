/**
 * What happens to each table when a family moves to another installation (docs/decisions/0069). A test holds this list against the schema: a new table
 * is named here before it can be merged.
 */

/** `where`: the rows of the family `$1`. `renewed`: columns that the new installation fills by itself. */
export type Moving = { readonly where: string; readonly renewed?: readonly string[]; readonly order?: string };

const OF_FAMILY = 'family_id = $1';
const OF_MEMBERS = 'user_id IN (SELECT id FROM member WHERE family_id = $1)';
const OF_PAYMENTS = 'payment_id IN (SELECT id FROM payment WHERE family_id = $1)';
const MANAGERS = [
  `SELECT manager_id FROM account_log WHERE family_id = $1`,
  `SELECT manager_id FROM manager_action WHERE family_id = $1`,
  `SELECT refund_manager_id FROM payment WHERE family_id = $1`,
  `SELECT manager_id FROM earlier_refund WHERE ${OF_PAYMENTS}`,
  `SELECT manager_id FROM member_note WHERE family_id = $1`,
].join(' UNION ');

/** In the order in which the rows are written: what others refer to comes first. */
export const MOVES = {
  // The hash of an entry covers the id of the operator who caused it.
  manager: { where: `id IN (${MANAGERS})` },
  member: { where: OF_FAMILY, order: 'parent_id NULLS FIRST, id' },
  identity: { where: OF_FAMILY },
  member_account: { where: OF_FAMILY },
  account_log: { where: OF_FAMILY, renewed: ['id'], order: 'user_id, seq' },
  // Vendors' accounts and costs are those of the installation that paid them.
  translation_log: {
    where: OF_FAMILY,
    renewed: ['id', 'vendor_account_id', 'vendor_cost'],
    order: 'user_id, usage_seq',
  },
  manager_action: { where: OF_FAMILY },
  mailbox_gift: { where: OF_MEMBERS },
  recharge_order: { where: OF_FAMILY, order: 'id' },
  payment: { where: OF_FAMILY, order: 'id' },
  earlier_refund: { where: OF_PAYMENTS },
  order_event: { where: OF_FAMILY, renewed: ['id'], order: 'id' },
  invoice_request: { where: OF_FAMILY, renewed: ['id'], order: 'id' },
  payment_exception_closing: {
    where: 'order_no IN (SELECT no FROM recharge_order WHERE family_id = $1)',
    renewed: ['id'],
    order: 'id',
  },
  spending_cap: { where: OF_FAMILY },
  // Entries name keys. What was rotated away works here no longer.
  api_key: { where: OF_FAMILY, renewed: ['old_digest', 'old_until'], order: 'id' },
  api_key_day: { where: 'api_key_id IN (SELECT id FROM api_key WHERE family_id = $1)' },
  glossary: { where: OF_FAMILY },
  glossary_term: { where: OF_FAMILY, renewed: ['id'], order: 'id' },
  saving_day: { where: OF_FAMILY },
  login_log: { where: OF_FAMILY, renewed: ['id'], order: 'id' },
  two_step: { where: OF_FAMILY },
  member_device: { where: OF_FAMILY },
  member_reminder: { where: OF_FAMILY },
  reminder: { where: OF_FAMILY, renewed: ['id'], order: 'id' },
  member_note: { where: OF_FAMILY, renewed: ['id'], order: 'id' },
  webhook_endpoint: { where: OF_FAMILY, renewed: ['id'], order: 'id' },
} as const satisfies Record<string, Moving>;

export type MovingTable = keyof typeof MOVES;

/** What the new installation makes of the rest by itself. */
export const REBUILT: Readonly<Record<string, string>> = {
  usage_day: 'from the entries, by the usage roll-up',
  family_usage_day: 'from the entries, by the usage roll-up',
  usage_mark: 'from the entries, by the usage roll-up',
  ledger_day: 'from the entries, by the roll-up of the trial balance',
  ledger_day_mark: 'from the entries, by the roll-up of the trial balance',
  account_anchor: 'by the next audit after a close',
  account_block: 'from the entries',
  account_block_part: 'from the entries',
  close_account: 'by the next close',
  close_leaf: 'by the next close',
  cached_translation: 'by use: a memory of what was translated',
  operator_action: 'the actions that explain an entry are written again, with a note of where they were first',
  outbox: 'the questions to the gateways about open orders',
};

/** What belongs to the installation, or has served its purpose. */
export const STAYS: Readonly<Record<string, string>> = {
  account_archive: 'a family with translations in cold files does not move',
  anchor_batch: 'signatures of this installation',
  audit_run: 'what was audited here',
  channel_price: 'the price list of the installation',
  channel_traffic: 'of the installation',
  close_anchor: 'evidence of this ledger',
  cold_file: 'with its archive',
  data_config: 'of the installation',
  family_move: 'each installation keeps its own half',
  family_read_only: 'a family with a difference does not move',
  idempotency_key: 'answers of the last day',
  invite_hold: 'decided before the family moves',
  ledger_close: 'evidence of this ledger',
  ledger_hold: 'none is open when the family moves',
  ledger_reader: 'of the installation',
  member_group: 'the price list of the installation',
  member_view: 'sessions of operators',
  notice: 'of the installation',
  operator_account: 'of the installation',
  operator_enrolment: 'of the installation',
  operator_limits: 'of the installation',
  operator_passkey: 'of the installation',
  operator_request: 'decided where it was made',
  operator_session: 'of the installation',
  outgoing_mail: 'sent from where it was recorded',
  pay_notification: 'what arrived at this address',
  payment_difference: 'what was reconciled here',
  plan_version: 'the price list of the installation',
  reconciliation: 'what was reconciled here',
  reconciliation_finding: 'what was reconciled here',
  session: 'members sign in again',
  statement_line: 'what was reconciled here',
  tran_channel: 'the price list of the installation',
  vendor_account: 'of the installation',
  vendor_bill: 'of the installation',
  vendor_day: 'of the installation',
  verification_code: 'valid for ten minutes',
  webhook_delivery: 'the log of deliveries from here; what still waits is not sent twice',
  webhook_message: 'with its deliveries',
  what_if: 'of the installation',
};

import { Migration } from '@mikro-orm/migrations';

/** The application's role loses every right that no statement of the product uses (docs/decisions/0036). */
export class Migration0013LeastRights extends Migration {
  override up(): void {
    const tables = Object.keys(RIGHTS).join(', ');
    const grants = Object.entries(RIGHTS).map(grantsOf);
    for (const sql of [nothingOf(`mikro_orm_migrations, ${tables}`), ...grants, OTHER_RIGHTS, PAYMENTS])
      this.addSql(sql);
  }
}

/** Of columns: INSERT of those that the product writes, UPDATE of those that it changes. `true`: rows are deleted, too. */
type Rights = readonly [insert: string, update?: string, deletes?: true];

// FOR SHARE and FOR UPDATE ask for UPDATE of some column: every table of which rows are locked has one.
const RIGHTS: Record<string, Rights> = {
  tran_channel: ['id, code, name, en_name, price', 'name, en_name, price, enabled'],
  member_group: [
    `id, name, en_name, tier, billing_mode, num, sale_price, minute_price, voice_num, image_num, create_child_user, tran_channel_id,
     reference_channel_id, on_sale, position`,
    `name, en_name, tier, billing_mode, num, sale_price, minute_price, voice_num, image_num, create_child_user, tran_channel_id,
     reference_channel_id, on_sale, position`,
  ],
  channel_price: [''],
  plan_version: [''],
  member: [
    `id, family_id, parent_id, nickname, password_hash, invite_code, inviter_id, member_group_id, auto_distribution, channel_failover,
     translation_cache, enabled, registered_at`,
    `nickname, password_hash, invite_code, member_group_id, auto_distribution, channel_failover, translation_cache, enabled, closed_at,
     last_name`,
  ],
  identity: ['kind, unique_key, shown, user_id, family_id', '', true],
  mailbox_gift: ['mailbox_hmac, gift, given_at, user_id, char_num, voice_num, image_num'],
  invite_hold: ['user_id, inviter_id, held_at', 'decision, decided_at, manager_id, reason'],
  verification_code: [
    'mailbox_key, purpose, code_hmac, sealed_letter, created_at, expires_at',
    'tries, tries_from, used_at, sealed_letter, sent_at',
    true,
  ],
  session: [
    'token_digest, user_id, family_id, client_type, login_ip, created_at, last_used_at',
    'login_ip, last_used_at, ended_at, end_reason',
    true,
  ],
  login_log: ['user_id, family_id, login_ip, client_type, logged_in_at, sum_day', '', true],
  member_account: [
    'user_id, family_id',
    `usable_char_num, usable_voice_num, usable_image_num, held_char_num, held_voice_num, held_image_num, used_char_total,
     recharge_amount_total, expire_at, tran_channel_id, billing_mode, entry_seq, type_seqs, usage_seq, head_hash, last_written_at`,
  ],
  account_log: [
    `user_id, family_id, seq, log_type, type_seq, cmd_id, created_at, char_change, min_change, voice_change, image_change, used_char_num,
     amount, before_char, last_char, before_voice, last_voice, before_image, last_image, before_expire_at, last_expire_at,
     before_tran_channel_id, last_tran_channel_id, before_billing_mode, last_billing_mode, recharge_billing_mode, order_id,
     member_group_id, recharge_tran_channel_id, consume_config_id, consume_tran_channel_id, counterpart_id, manager_id, hash`,
  ],
  ledger_hold: [
    'id, user_id, family_id, kind, char_num, voice_num, image_num, used_char_num, billing_mode, created_at, expires_at',
    'char_num, released_at',
    true,
  ],
  translation_log: [
    `user_id, family_id, usage_seq, entry_seq, cmd_id, created_at, kind, status, free, charged, word_count, billing_mode,
     tran_channel_id, ip, client_type, source_lang, target_lang`,
    'ip',
  ],
  usage_day: ['family_id, day, user_id, char_num, voice_num, image_num', 'char_num, voice_num, image_num'],
  family_usage_day: ['family_id, day, char_num, voice_num, image_num', 'char_num, voice_num, image_num'],
  usage_mark: ['user_id, family_id, rolled_seq', 'rolled_seq'],
  manager: ['name', 'listed'],
  manager_action: ['cmd_id, manager_id, user_id, family_id, target_kind, target_id, before, after, reason'],
  recharge_order: [
    `no, user_id, family_id, pay_cmd, pay_channel, pay_status, member_group_id, plan_version_id, group_name, group_en_name, billing_mode,
     num, voice_num, image_num, minute_price, tran_channel_id, reference_channel_id, reference_price, sales_num, sale_price, amount,
     offer, asked, paid_by, group_before, created_at, expires_at, paid_at`,
    'pay_status, offer, asked, paid_by, group_before, paid_at',
  ],
  order_event: ['order_id, family_id, event, happened_at'],
  payment: [
    'gateway, trade_no, order_id, family_id, amount, currency, paid_at, seen_by, verdict',
    `verdict, refund_state, refund_no, refund_amount, refunded_before, refund_cmd, refund_manager_id, refund_reason, refund_source,
     refund_answer, refunded_at`,
  ],
  earlier_refund: ['no, payment_id, amount, cmd_id, manager_id, reason, source, refunded_at'],
  pay_notification: [
    'gateway, genuine, subject, order_no, headers, body, payment, outcome',
    'outcome, times, last_at',
    true,
  ],
  outbox: ['fact', 'relayed_at, done, done_at', true],
  idempotency_key: [
    'user_id, route, key, body_digest, command_id, locked_until',
    'body_digest, command_id, created_at, locked_until, answered_at, sealed_answer',
    true,
  ],
  data_config: ['id, valued, public', 'valued, public, changed_at'],
  notice: [
    'zh, en, starts_at, ends_at, manager_id',
    'zh, en, starts_at, ends_at, manager_id, changed_at, withdrawn_at',
  ],
  glossary: ['family_id', 'version, changed_at', true],
  glossary_term: [
    'family_id, source, target, term, term_key, translation, sought',
    'source, target, term, term_key, translation, sought, updated_at',
    true,
  ],
  cached_translation: ['family_id, key, user_id, sealed', 'user_id, sealed, created_at', true],
  saving_day: ['family_id, day, user_id, texts, char_num', 'texts, char_num'],
  member_reminder: [
    'user_id, family_id, low_char_num, expiry_days, by_mail, low_told_seq, expiry_told_for',
    'low_char_num, expiry_days, by_mail, low_told_seq, expiry_told_for',
    true,
  ],
  reminder: ['user_id, family_id, char_num, least, expire_at', 'mailed_at', true],
};

// Of what the migrations made, and of nothing that an extension or an installation put beside it. Trigger functions need no EXECUTE: it is
// asked for when a trigger is made. Identity columns need no right to their sequence.
const nothingOf = (tables: string): string => `
REVOKE ALL ON ${tables} FROM yiqiao_app, PUBLIC;
DO $$ DECLARE sequence regclass; BEGIN
  FOR sequence IN SELECT d.objid FROM pg_depend d JOIN pg_class c ON c.oid = d.objid AND c.relkind = 'S'
    WHERE d.classid = 'pg_class'::regclass AND d.deptype IN ('i', 'a') AND d.refobjid = ANY ('{${tables}}'::regclass[])
  LOOP EXECUTE format('REVOKE ALL ON SEQUENCE %s FROM yiqiao_app, PUBLIC', sequence); END LOOP;
END $$;
REVOKE ALL ON FUNCTION refuse_rewriting, refuse_revising_payment, next_version, record_channel_price, record_plan_version
  FROM yiqiao_app, PUBLIC;
REVOKE CREATE ON SCHEMA public FROM yiqiao_app, PUBLIC;
`;

function grantsOf([table, [insert, update, deletes]]: [string, Rights]): string {
  const rights = ['SELECT'];
  if (insert) rights.push(`INSERT (${insert})`);
  if (update) rights.push(`UPDATE (${update})`);
  if (deletes) rights.push('DELETE');
  return `GRANT ${rights.join(', ')} ON ${table} TO yiqiao_app;`;
}

// A member's id is drawn before its row is written.
const OTHER_RIGHTS = `
GRANT USAGE ON SEQUENCE member_id_seq TO yiqiao_app;
`;

// What a gateway reported with a wrong amount may be corrected, by nobody but this function. What counts never becomes such a report.
const PAYMENTS = `
CREATE FUNCTION correct_payment(of_order bigint, of_gateway text, of_trade text, new_amount bigint, new_currency text,
  new_paid_at timestamptz, new_seen_by text, new_verdict text)
RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE payment SET amount = new_amount, currency = new_currency, paid_at = new_paid_at, seen_by = new_seen_by, verdict = new_verdict
  WHERE gateway = of_gateway AND trade_no = of_trade AND order_id = of_order AND verdict = 'wrongAmount' AND refund_state IS NULL
  RETURNING id
$$;
REVOKE ALL ON FUNCTION correct_payment FROM PUBLIC;
GRANT EXECUTE ON FUNCTION correct_payment TO yiqiao_app;
CREATE TRIGGER payment_keeps_counting BEFORE UPDATE ON payment FOR EACH ROW
  WHEN (OLD.verdict <> 'wrongAmount' AND NEW.verdict = 'wrongAmount') EXECUTE FUNCTION refuse_revising_payment();
`;

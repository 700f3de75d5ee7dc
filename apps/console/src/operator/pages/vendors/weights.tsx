import { Form, Slider } from 'antd';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import type { Account, Channel } from './health-table.js';

/** The form's field of all weights of a channel, by account. */
export const WEIGHTS = 'weights';
export type Weights = Record<string, number>;

export const weightsOf = ({ accounts }: Channel): Weights =>
  Object.fromEntries(accounts.map(({ id, weight }) => [id, weight]));

const HOUR_MS = 3_600_000;
const DAY_END = '23:59:59';

/** Later than the day: the cap lasts. `now`, the answer: wire format. */
function endOf(left: number | null, perHour: number, now: string): string | null {
  if (left === null || perHour <= 0) return null;
  const at = Date.parse(`${now.replace(' ', 'T')}Z`) + (left / perHour) * HOUR_MS;
  const end = Date.parse(`${now.slice(0, 10)}T${DAY_END}Z`);
  return at > end ? null : new Date(at).toISOString().slice(11, 16);
}

type WeightFieldsProps = {
  channel: Channel;
  account: Account;
  now: string;
  mayChange: boolean;
};

/** The weight of every account that serves the channel, what share it gives, and what becomes of the caps. */
export function WeightFields({ channel, account, now, mayChange }: WeightFieldsProps) {
  const t = useMessages('vendors');
  const weights = Form.useWatch<Weights | undefined>(WEIGHTS) ?? weightsOf(channel);
  const serving = channel.accounts.filter(({ paused, id }) => !paused || id === account.id);
  const totalOf = (of: (one: Account) => number): number => serving.reduce((sum, one) => sum + of(one), 0);
  const [before, after] = [totalOf(({ weight }) => weight), totalOf(({ id }) => weights[id] ?? 1)];
  const perHour = totalOf(({ health }) => health.charsLastHour);
  const isChanged = serving.some(({ id, weight }) => weights[id] !== weight);
  return (
    <section className="vendors-weights" aria-label={t('weight')}>
      <h3>{t('weight')}</h3>
      {serving.map(({ id, name, weight, origin }) => {
        const will = weights[id] ?? weight;
        return (
          <div key={id} className="vendors-weight-row">
            <span className="dynamic-text" title={origin === 'console' ? undefined : t('originNote')}>
              {name}
            </span>
            <Form.Item name={[WEIGHTS, String(id)]} noStyle>
              <Slider
                min={1}
                max={Math.max(10, weight)}
                disabled={!mayChange || origin !== 'console'}
                ariaLabelForHandle={t('weightOf', { name })}
                tooltip={{ formatter: null }}
              />
            </Form.Item>
            <span className="numeric">
              {will !== weight && <span className="faint">{weight} → </span>}
              <b>{will}</b> <span className="faint">{((will / after) * 100).toFixed(1)} %</span>
            </span>
          </div>
        );
      })}
      {isChanged && perHour > 0 && (
        <dl className="vendors-forecast numeric">
          {serving.map(({ id, name, weight, health }) => {
            const [was, will] = [(perHour * weight) / before, (perHour * (weights[id] ?? weight)) / after];
            const ends = [endOf(health.charsLeft, was, now), endOf(health.charsLeft, will, now)];
            return (
              <div key={id}>
                <dt>{t('perHour', { name })}</dt>
                <dd>
                  <span className="faint">{grouped(Math.round(was))} →</span>
                  <b>{grouped(Math.round(will))}</b>
                  {health.charsLeft !== null && (
                    <span className="faint">
                      {t('ends', { was: ends[0] ?? t('lasts'), will: ends[1] ?? t('lasts') })}
                    </span>
                  )}
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </section>
  );
}

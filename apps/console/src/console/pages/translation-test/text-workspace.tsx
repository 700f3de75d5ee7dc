import type { RefSelectProps } from 'antd';
import type { TextAreaRef } from 'antd/es/input/TextArea.js';
import { type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { Link } from 'react-router';
import { nameIn } from '../../shared/channels/channels.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { AUTO, type Direction } from './abilities.js';
import { ChannelPicker } from './channel-picker.js';
import { SourceBar, TargetBar } from './language-bars.js';
import { answersTo, isShown, type Pane } from './panes.js';
import { isAskable } from './quote.js';
import { isSendable, SourcePane } from './source-pane.js';
import { TargetPane } from './target-pane.js';
import type { AddToHistory, Done, HistoryEntry, TextRequest } from './history.js';
import type { Catalogue } from './use-catalogue.js';
import { useComparison } from './use-comparison.js';
import { type Shown, useTextForm } from './use-text-form.js';

type ComparisonTotalsProps = { answers: readonly Done[]; balance: number | null };

/** The total cost of the channels side by side, and a link to the log that shows it. */
function ComparisonTotals({ answers, balance }: ComparisonTotalsProps) {
  const t = useMessages('translation-test');
  const charged = answers.reduce((sum, { answer }) => sum + answer.charged, 0);
  return (
    <p className="tt-totals numeric" role="status">
      <span>{charged > 0 ? t('chargedTogether', { n: grouped(charged) }) : t('chargedNothing')}</span>
      {balance !== null && <span>{t('balance', { n: grouped(balance) })}</span>}
      <Link className="link" to={charged > 0 ? '/UserCenterAccountLog' : '/UserCenterChangeTranslateLog'}>
        {t(charged > 0 ? 'seeLedger' : 'seeLog')}
      </Link>
    </p>
  );
}

/** What the page can do with the workspace. */
export type TextWorkspaceHandle = { use: (request: HistoryEntry['request']) => void };

type TextWorkspaceProps = { catalogue: Catalogue; addToHistory: AddToHistory; ref: Ref<TextWorkspaceHandle> };

/**
 * The source and its translations (DESIGN §1): with one channel the source is on the left (above on a phone) and its translation on the
 * right; with several channels the source is above them all.
 */
export function TextWorkspace({ catalogue, addToHistory, ref }: TextWorkspaceProps) {
  const { channels } = catalogue;
  const form = useTextForm(catalogue);
  const { panes, latest, ask, reset } = useComparison(addToHistory);
  const [picking, setPicking] = useState(false);
  const textArea = useRef<TextAreaRef>(null);
  const sourceSelect = useRef<RefSelectProps>(null);
  const pickerButton = useRef<HTMLButtonElement>(null);
  const pickerId = useId();

  const { direction, shown, text, payer } = form;
  const alone = shown.length === 1;
  const busy = shown.some(({ id }) => panes.get(id)?.status === 'busy');
  const answersIn = (request: string | null): readonly Done[] =>
    answersTo(
      panes,
      shown.map(({ id }) => id),
      request === null ? null : { ...direction, text: request },
    );
  const answers = answersIn(latest?.text ?? null);
  const detected = answers.find(({ request }) => request.source === AUTO)?.answer.source ?? null;
  const paneOf = (id: number): Pane | undefined => {
    const pane = panes.get(id);
    return pane && isShown(pane, { ...direction, text }) ? pane : undefined;
  };
  const begun = shown.some(({ id }) => paneOf(id) !== undefined);
  const channelName = (id: number): string => nameIn(channels, id);

  const turn = (next: Direction): void => {
    form.setDirection(next);
    reset();
  };
  const askOf = ({ id, own }: Shown): TextRequest => ({
    ...direction,
    text,
    // The member's own channel alone uses failover, as in chats; a compared or chosen channel is used strictly.
    ...(own && alone ? {} : { channelId: id, failover: false }),
  });
  const send = (): void => {
    form.remember();
    reset();
    for (const channel of shown) if (isAskable(channel.quote)) ask(channel.id, askOf(channel));
  };
  useImperativeHandle(ref, () => ({
    use: ({ source, target, text: before }) => {
      turn({ source, target });
      form.setText(before);
      textArea.current?.focus();
    },
  }));
  const swap = (back: Direction): void => {
    // A text typed since then is kept.
    const [answer] = answersIn(text);
    if (answer) form.setText(answer.answer.translated);
    turn(back);
  };
  const openPicker = (): void => {
    setPicking(true);
    pickerButton.current?.focus();
  };
  const targetOf = (channel: Shown) => {
    const pane = paneOf(channel.id);
    return (
      <TargetPane
        key={channel.id}
        channel={channel}
        pane={pane}
        alone={alone}
        askable={begun && isSendable(form) && isAskable(channel.quote)}
        direction={direction}
        found={direction.source === AUTO ? detected : null}
        names={{ languageName: form.languageName, channelName }}
        steps={{
          onLanguage: () => sourceSelect.current?.focus(),
          onText: () => textArea.current?.focus(),
          onChannels: openPicker,
        }}
        hasOther={(way) => form.hasOther(channel.id, way)}
        onAsk={() => ask(channel.id, askOf(channel))}
        onRetry={() => pane?.status === 'refused' && ask(channel.id, pane.request)}
        onAgain={() => pane?.status === 'done' && ask(channel.id, { ...pane.done.request, fresh: true })}
        onRemove={() => {
          form.toggle(channel.id);
          pickerButton.current?.focus();
        }}
      />
    );
  };

  return (
    <div className="tt-work" data-panes={shown.length}>
      <SourceBar ref={sourceSelect} form={form} detected={detected} onTurn={turn} onSwap={swap} />
      <TargetBar
        ref={pickerButton}
        form={form}
        picker={{ id: pickerId, open: picking, toggle: () => setPicking((open) => !open) }}
        onTurn={turn}
      />
      {picking && (
        <ChannelPicker
          id={pickerId}
          channels={channels}
          own={payer.own}
          picked={shown.map(({ id }) => id)}
          quoteOf={form.quote}
          onToggle={form.toggle}
          onClose={() => {
            setPicking(false);
            pickerButton.current?.focus();
          }}
        />
      )}
      <SourcePane ref={textArea} form={form} busy={busy} answered={answersIn(text).length > 0} onSend={send} />
      <div className="tt-targets">{shown.map(targetOf)}</div>
      {!alone && !busy && answers.length > 0 && <ComparisonTotals answers={answers} balance={payer.balance} />}
    </div>
  );
}

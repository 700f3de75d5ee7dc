import type { RefSelectProps } from 'antd';
import type { TextAreaRef } from 'antd/es/input/TextArea.js';
import { useId, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { nameIn } from '../../../shared/channels/use-channels.js';
import { AUTO, type Direction } from './abilities.js';
import { ChannelPicker } from './channel-picker.js';
import { SourceBar, TargetBar } from './language-bars.js';
import { answersTo, isShown, type Pane } from './panes.js';
import { isAskable } from './quote.js';
import { isSendable, SourcePane } from './source-pane.js';
import { TargetPane } from './target-pane.js';
import { Together } from './together.js';
import type { Asked } from './translate-one.js';
import type { Catalogue } from './use-catalogue.js';
import { useComparison } from './use-comparison.js';
import { useDesk, type Shown } from './use-desk.js';
import type { Done, Note, Visit } from './visits.js';

/** What can be done with the workspace from outside. */
export type WorkspaceHandle = { use: (asked: Visit['asked']) => void };

type WorkspaceProps = { catalogue: Catalogue; note: Note; ref: Ref<WorkspaceHandle> };

/**
 * One sentence across the waterline (DESIGN §1): with one channel the source stands left (above on a phone) and what has crossed right
 * of it; with several it stands above them all.
 */
export function Workspace({ catalogue, note, ref }: WorkspaceProps) {
  const { channels } = catalogue;
  const desk = useDesk(catalogue);
  const { panes, latest, ask, reset } = useComparison(note);
  const [picking, setPicking] = useState(false);
  const textArea = useRef<TextAreaRef>(null);
  const sourceSelect = useRef<RefSelectProps>(null);
  const pickerButton = useRef<HTMLButtonElement>(null);
  const pickerId = useId();

  const { direction, shown, text, payer } = desk;
  const alone = shown.length === 1;
  const busy = shown.some(({ id }) => panes.get(id)?.status === 'busy');
  const answersIn = (asked: string | null): readonly Done[] =>
    answersTo(
      panes,
      shown.map(({ id }) => id),
      asked === null ? null : { ...direction, text: asked },
    );
  const answers = answersIn(latest?.text ?? null);
  const detected = answers.find(({ asked }) => asked.source === AUTO)?.answer.source ?? null;
  const paneOf = (id: number): Pane | undefined => {
    const pane = panes.get(id);
    return pane && isShown(pane, { ...direction, text }) ? pane : undefined;
  };
  const begun = shown.some(({ id }) => paneOf(id) !== undefined);
  const channelName = (id: number): string => nameIn(channels, id);

  const turn = (next: Direction): void => {
    desk.setDirection(next);
    reset();
  };
  const askOf = ({ id, own }: Shown): Asked => ({
    ...direction,
    text,
    // The own channel by itself translates as it does in chats; whatever is compared or chosen is asked of this channel and no other.
    ...(own && alone ? {} : { channelId: id, failover: false }),
  });
  const send = (): void => {
    desk.remember();
    reset();
    for (const channel of shown) if (isAskable(channel.quote)) ask(channel.id, askOf(channel));
  };
  useImperativeHandle(ref, () => ({
    use: ({ source, target, text: before }) => {
      turn({ source, target });
      desk.setText(before);
      textArea.current?.focus();
    },
  }));
  const swap = (back: Direction): void => {
    // What has been typed since is kept as it is.
    const [answer] = answersIn(text);
    if (answer) desk.setText(answer.answer.translated);
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
        askable={begun && isSendable(desk) && isAskable(channel.quote)}
        direction={direction}
        found={direction.source === AUTO ? detected : null}
        names={{ languageName: desk.languageName, channelName }}
        steps={{
          onLanguage: () => sourceSelect.current?.focus(),
          onText: () => textArea.current?.focus(),
          onChannels: openPicker,
        }}
        onAsk={() => ask(channel.id, askOf(channel))}
        onRetry={() => pane?.status === 'refused' && ask(channel.id, pane.asked)}
        onAgain={() => pane?.status === 'done' && ask(channel.id, { ...pane.done.asked, fresh: true })}
        onRemove={() => {
          desk.toggle(channel.id);
          pickerButton.current?.focus();
        }}
      />
    );
  };

  return (
    <div className="tt-work" data-panes={shown.length}>
      <SourceBar ref={sourceSelect} desk={desk} detected={detected} onTurn={turn} onSwap={swap} />
      <TargetBar
        ref={pickerButton}
        desk={desk}
        picker={{ id: pickerId, open: picking, toggle: () => setPicking((open) => !open) }}
        onTurn={turn}
      />
      {picking && (
        <ChannelPicker
          id={pickerId}
          channels={channels}
          own={payer.own}
          picked={shown.map(({ id }) => id)}
          quoteOf={desk.quote}
          onToggle={desk.toggle}
          onClose={() => {
            setPicking(false);
            pickerButton.current?.focus();
          }}
        />
      )}
      <SourcePane ref={textArea} desk={desk} busy={busy} onSend={send} />
      <div className="tt-targets">{shown.map(targetOf)}</div>
      {!alone && !busy && answers.length > 0 && <Together answers={answers} balance={payer.balance} />}
    </div>
  );
}

import { getFamilyDifference } from '@yiqiao/contracts/operator/families';
import { Button, Tabs } from 'antd';
import { grouped, signed } from '../../../shared/amounts.js';
import { copyText } from '../../../shared/clipboard.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Icon } from '../../../shared/ui/icon.js';
import { language } from '../../../shared/i18n/language.js';
import { storyOf } from '@yiqiao/domain/difference-story';
import { groupsOf, type Difference } from './differences.js';
import type { Account } from './proofs.js';

/** The same rows as a letter to the member: without operators' names and inner numbers. */
export function TellMember({ difference, from, to }: { difference: Difference; from: string; to: string }) {
  const t = useMessages('replay');
  const story = {
    from,
    to,
    before: difference.from,
    after: difference.to,
    causes: groupsOf(difference.parts, 'charNum'),
  };
  return (
    <section className="card tell">
      <div className="ct">
        <h2>{t('say')}</h2>
        <small>{t('sayNote')}</small>
      </div>
      <Tabs
        defaultActiveKey={language}
        items={(['zh', 'en'] as const).map((each) => {
          const text = storyOf(story, each);
          return {
            key: each,
            label: t(each === 'zh' ? 'inZh' : 'inEn'),
            children: (
              <>
                <p lang={each === 'zh' ? 'zh-CN' : 'en'}>{text}</p>
                <p className="tell-foot">
                  <Button
                    size="small"
                    icon={<Icon name="copy" />}
                    onClick={({ currentTarget }) => void copyText(text, currentTarget)}
                  >
                    {t('copy')}
                  </Button>
                  <small>{t('sayOnly')}</small>
                </p>
              </>
            ),
          };
        })}
      />
    </section>
  );
}

/** What each member changed the family's characters by; what they gave each other cancels out. */
export function FamilyShares({ account, from, to }: { account: Account; from: string; to: string }) {
  const t = useMessages('replay');
  const { data } = useEndpoint(getFamilyDifference, { userId: String(account.userId), from, to });
  if (!data) return null;
  const members = data.members.toSorted((a, b) => Math.abs(b.charNum) - Math.abs(a.charNum));
  const most = Math.max(1, ...members.map(({ charNum }) => Math.abs(charNum)));
  return (
    <section className="card shares">
      <div className="ct">
        <h2>{t('familyUse')}</h2>
        <small>{t('familyUseNote')}</small>
      </div>
      <dl>
        {members.map(({ userId, name, charNum }) => (
          <div key={userId}>
            <dt>{name}</dt>
            <dd>
              <i aria-hidden="true">
                <i style={{ width: `${(Math.abs(charNum) / most) * 100}%` }} />
              </i>
              <span className="num">{signed(charNum)}</span>
            </dd>
          </div>
        ))}
        <div className="sum">
          <dt>{t('sum')}</dt>
          <dd>
            <span className="num muted">
              {grouped(data.from.charNum)} → {grouped(data.to.charNum)}
            </span>
            <b className="num">{signed(data.to.charNum - data.from.charNum)}</b>
          </dd>
        </div>
      </dl>
    </section>
  );
}

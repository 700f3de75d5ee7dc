import './contact-bar.css';
import { useLoaded } from '../../shared/api/use-loaded.js';
import { isAfterSale, listService, type Service } from '../../shared/customer-service/service.js';
import { VerifyButton } from '../../shared/customer-service/verify-button.js';
import { useFreeTest } from '../routing/free-test.js';
import { useMessages } from '../../shared/i18n/messages.js';
import { Icon } from '../../shared/ui/icon.js';
import { ContactCodes, type Reached } from './contact-codes.js';

/** Asked for at this size (specification §7, §9). */
const CODE_SIDE = 800;

const load = (signal: AbortSignal): Promise<Service> => listService(CODE_SIDE, signal);

const reachedIn = (service: Service): Reached[] =>
  service.flatMap(({ platform, accountList }) => accountList.map((account) => ({ platform, ...account })));

/** Whom to write to before and after the sale, whose account it is, and the way to try it. It appears at once, when all of it is known. */
export default function ContactBar() {
  const t = useMessages('customer-service');
  const freeTest = useFreeTest();
  const { loaded } = useLoaded(load);
  if (loaded.state === 'loading') return null;
  const all = loaded.state === 'ready' ? reachedIn(loaded.value) : [];
  return (
    <aside className="side" aria-label={t('quickContact')}>
      <ContactCodes
        icon="chat"
        name={t('sales')}
        title={t('scanSales')}
        all={all.filter((each) => !isAfterSale(each))}
      />
      <ContactCodes icon="headset" name={t('support')} title={t('scanSupport')} all={all.filter(isAfterSale)} />
      <VerifyButton className="side-do" />
      <a className="side-do pri" href={freeTest}>
        <Icon name="bolt" />
        {t('freeTest')}
      </a>
    </aside>
  );
}

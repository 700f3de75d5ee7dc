import { saveChildUser } from '@yiqiao/contracts/sub-accounts';
import { Form, type FormInstance } from 'antd';
import { call } from '../../../shared/api/call.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { toast } from '../../../shared/ui/toast.js';
import { ChildFields, type ChildFormFields } from './child-fields.js';
import { nicknameOf, type ChildUser } from './child-user.js';
import { useRefreshFamily } from './use-family.js';

export type ChildForm = FormInstance<ChildFormFields>;

const flagOf = (on: boolean): 0 | 1 => (on ? 1 : 0);

const initialOf = (edited: ChildUser | undefined): ChildFormFields => ({
  account: '',
  password: '',
  nickname: (edited && nicknameOf(edited)) ?? '',
  enabled: edited?.enabled !== 0,
});

type ChildFormProps = {
  form: ChildForm;
  edited: ChildUser | undefined;
  /** Runs the saving, one at a time; refusals are the runner's. */
  run: (work: () => Promise<void>) => void;
  onSaved: () => void;
};

/** Adds a sub-account, or edits `edited`. */
export function ChildFormBody({ form, edited, run, onSaved }: ChildFormProps) {
  const t = useTexts('sub-accounts');
  const refresh = useRefreshFamily();
  const save = async (fields: ChildFormFields): Promise<void> => {
    const { account, password, enabled } = fields;
    const nickname = fields.nickname.trim();
    await call(
      saveChildUser,
      edited
        ? // Taking the nickname away leaves the one that everybody begins with: the account's own name.
          { userId: edited.userId, nickname: nickname || edited.account, enabled: flagOf(enabled) }
        : { account, password, enabled: flagOf(enabled), ...(nickname === '' ? {} : { nickname }) },
    );
    toast.success(t(edited ? 'modified' : 'added'));
    refresh();
    onSaved();
  };
  return (
    <Form<ChildFormFields>
      form={form}
      name="child"
      className="sa-form"
      layout="vertical"
      requiredMark={false}
      initialValues={initialOf(edited)}
      onFinish={(fields) => run(() => save(fields))}
    >
      <ChildFields account={edited?.account} />
      {/* Enter in a field saves; the button that is seen stands in the drawer's foot. */}
      <button type="submit" className="vh" tabIndex={-1} aria-hidden="true" />
    </Form>
  );
}

/** Invisible: tells password managers which account the form is for. */
export const UsernameField = ({ value }: { value: string }) => (
  <input
    className="visually-hidden"
    type="text"
    autoComplete="username"
    value={value}
    readOnly
    tabIndex={-1}
    aria-hidden
  />
);

/** Sign-ins of a member beside the one in the browser: other devices, which speak to the API alone. */
import { getAs } from './family.js';
import { BASE_URL } from './places.js';
import type { SignedIn } from './signed-in.js';

type Device = Pick<SignedIn, 'sk' | 'userId'>;

/** The member signs in on another device. */
export async function signInOn(
  clientType: 'windows' | 'ios',
  { account, password }: { account: string; password: string },
): Promise<Device> {
  const response = await fetch(`${BASE_URL}/client-user/login/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ account, password, clientType }),
  });
  return ((await response.json()) as { data: Device }).data;
}

/** Whether the device is still signed in. */
export const isSignedIn = (device: Device): Promise<boolean> =>
  getAs(device, '/user/get').then(
    () => true,
    () => false,
  );

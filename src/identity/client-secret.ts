// The form of the secret of an app that an admin registered. Only its keyed hash is ever stored.
import { checkedSecrets } from './checked-secret.ts'

/** 43 letters of 62 are 256 bits. */
export const { make: newClientSecret, is: isClientSecret, placesIn: clientSecretsIn } = checkedSecrets('gclient_', 43)

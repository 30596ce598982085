// The form of a personal access token. Only its keyed hash is ever stored.
import { checkedSecrets } from './checked-secret.ts'

/** 40 letters of 62 are 238 bits. */
export const { make: newPersonalToken, is: isPersonalToken, placesIn: personalTokensIn } = checkedSecrets('gpat_', 40)

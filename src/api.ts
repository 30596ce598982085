// The whole API as data: every contract, under the name its operations are called by. Pure, so that a browser can load it.
import { accounts } from './accounts/contract.ts'
import { bugs } from './community/bugs/contract.ts'
import { feed } from './community/feed/contract.ts'
import { labels } from './community/labels/contract.ts'
import { profile } from './community/profile/contract.ts'
import { claims } from './oauth/claim/contract.ts'
import { signIns } from './oauth/sign-ins/contract.ts'

export const api = { accounts, claims, signIns, feed, bugs, labels, profile }
export type Api = typeof api

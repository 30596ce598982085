// The whole API as data: every contract, under the name its operations are called by. Pure, so that a browser can load it.
import { accounts } from './accounts/contract.ts'
import { bugs } from './community/bugs/contract.ts'
import { feed } from './community/feed/contract.ts'
import { labels } from './community/labels/contract.ts'
import { profile } from './community/profile/contract.ts'
import { library } from './library/items/contract.ts'

export const api = { accounts, feed, bugs, labels, profile, library }
export type Api = typeof api

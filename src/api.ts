// The whole API as data: every contract, under the name its operations are called by. Pure, so that a browser can load it.
import { accounts } from './accounts/contract.ts'
import { admin } from './community/admin/contract.ts'
import { blog } from './community/blog/contract.ts'
import { bugs } from './community/bugs/contract.ts'
import { features } from './community/features/contract.ts'
import { feed } from './community/feed/contract.ts'
import { labels } from './community/labels/contract.ts'
import { posts } from './community/posts/contract.ts'
import { profile } from './community/profile/contract.ts'
import { library } from './library/items/contract.ts'

export const api = { accounts, feed, bugs, labels, features, posts, blog, profile, admin, library }
export type Api = typeof api

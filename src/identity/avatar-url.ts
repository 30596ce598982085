// Where pictures of accounts are.
import type { User } from './account-queries.ts'

/** Where an avatar is served; the query part only defeats caches (interface.md, section 2). */
export function avatarUrl({ id, avatarUpdatedAt }: Pick<User, 'id' | 'avatarUpdatedAt'>): string | null {
  return avatarUpdatedAt && `/api/images/avatar/avatars/${id}?v=${Date.parse(avatarUpdatedAt)}`
}

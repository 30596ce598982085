// What is decided about items, without touching the world.
import type { LibraryItemTable } from '../database/schema.ts'
import type { Caller } from '../request/handler.ts'
import type { Kind } from './item-contract.ts'

export const FIRST_VERSION = '1.0.0'

/** How often an account may publish (interface.md, section 8). */
export const UPLOADS = 30
export const UPLOADS_WINDOW_SECONDS = 3600

type Owned = Pick<LibraryItemTable, 'ownerId' | 'visibility'>

/** An item as the rules of subjects look at it. */
export const owned = ({
  id,
  ownerId,
  commentCount,
}: Pick<LibraryItemTable, 'ownerId' | 'commentCount'> & { id: string }) => ({
  id,
  authorId: ownerId,
  commentCount,
})

export const isListed = ({ visibility }: Pick<Owned, 'visibility'>): boolean => visibility !== 'private'

/** Public, official, or one's own (behaviour.md, section 4). */
export function canSee(caller: Caller | undefined, item: Owned): boolean {
  return isListed(item) || caller?.id === item.ownerId
}

/** The owner; official items may be edited by admins too. */
export function canEdit(caller: Caller, { ownerId, visibility }: Owned): boolean {
  return caller.id === ownerId || (caller.role === 'admin' && visibility === 'official')
}

/** Those who may edit; and an admin may make any public item official. */
export function canUpdate(caller: Caller, item: Owned, to: Owned['visibility'] | undefined): boolean {
  return canEdit(caller, item) || (caller.role === 'admin' && to === 'official')
}

/** Only admins move items into or out of official (interface.md, section 4). */
export function canMove(caller: Caller, from: Owned['visibility'], to: unknown): boolean {
  const isMove = from === 'official' ? to === 'private' || to === 'public' : to === 'official'
  return caller.role === 'admin' || !isMove
}

export const pluralOf = (kind: Kind): string => `${kind}s`

/** What a download is called: formats.md, sections 2 and 3. */
export function filenameOf(
  { kind, slug, meta }: { kind: Kind; slug: string; meta: Record<string, unknown> },
  version: string,
): string {
  return kind === 'automation' ? `${meta['automation_id']}-${version}.mpkg` : `${slug}.json`
}

export const contentTypeOf = (kind: Kind): string => (kind === 'automation' ? 'application/zip' : 'application/json')

// Who may hear of an event by now. It is asked when an event is queued for a subscription, again before it is sent, and whenever the log is read.
import { GrantBounds } from '../../contract/bounds.ts'
import type { Scope } from '../../contract/operation.ts'
import { scopeNames } from '../../contract/scopes.ts'
import { isDeletion } from '../../contract/webhook-events.ts'
import { isReader } from '../../core/readers.ts'
import type { Db } from '../../database/schema.ts'
import { findCaller, findGrant } from '../../identity/grant-queries.ts'
import type { Caller, Dependencies } from '../../request/handler.ts'
import { boarded } from '../board-access/contract.ts'
import { closedBoardsOf, closedBoardsOfAccount } from '../board-access/reading.ts'
import { isStillShown } from './sending-queries.ts'
import type { ToldEvent } from './told-queries.ts'

/** Who hears: an account through a token with these scopes, or everybody. */
export interface Listener {
  accountId: string | undefined
  scopes: readonly string[]
  /** The ids of the closed boards that it reads. */
  boards(): Promise<readonly string[]>
}

type Looking = Pick<Dependencies, 'db' | 'config'>

/** The caller of an operation. */
export function listenerOf({ db, config }: Looking, caller: Caller | undefined): Listener {
  if (!caller) return { accountId: undefined, scopes: [], boards: async () => [] }
  const scopes: readonly Scope[] = 'scopes' in caller.via ? caller.via.scopes : ['community:read', 'library:read']
  return { accountId: caller.id, scopes, boards: () => closedBoardsOf({ db, config }, caller) }
}

interface Subscriber {
  ownerId: string
  grantId: string | null
}

/** The agent of a subscription, while its account and its grant let it read; undefined once they do not. */
export async function subscriberOf(
  { db, config }: Looking,
  { ownerId, grantId }: Subscriber,
  now: string,
): Promise<Listener | undefined> {
  const account = await findCaller(db, { id: ownerId })
  if (!account || account.blockedAt !== null || account.deletionAt !== null || grantId === null) return undefined
  const grant = await findGrant(db, { id: grantId })
  if (!grant || grant.userId !== ownerId || grant.expiresAt <= now) return undefined
  const { until } = grant.bounds === null ? {} : GrantBounds.parse(JSON.parse(grant.bounds))
  const scopes = scopeNames(grant.scope)
  if ((until !== undefined && until <= now) || !scopes.includes('community:read')) return undefined
  // A role counts for nothing here that needs a passkey.
  const role = config.rolesNeedPasskey ? 'member' : account.role
  if (!isReader(config, { ...account, role, verified: account.emailVerifiedAt !== null })) return undefined
  return { accountId: ownerId, scopes, boards: () => closedBoardsOfAccount({ db, config }, ownerId) }
}

export type Heard = Pick<
  ToldEvent,
  'event' | 'targetType' | 'targetId' | 'boardId' | 'commentId' | 'actorId' | 'hidden'
>

const isBoarded = (type: string) => boarded.some((one) => one === type)

/** Whether what an event tells of is there for a listener now. */
export async function mayHear(db: Db, listener: Listener, told: Heard): Promise<boolean> {
  const { accountId, scopes } = listener
  if (told.hidden === 1) {
    if (accountId === undefined) return false
    if (isBoarded(told.targetType)) {
      if (told.boardId === null || !(await listener.boards()).includes(told.boardId)) return false
    } else if (isDeletion(told.event) || !scopes.includes('library:read')) return false
  }
  return isStillShown(db, { ownerId: accountId ?? '', boardId: told.boardId }, told)
}

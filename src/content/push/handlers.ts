// The caller's own browsers to which notifications are pushed: added and removed in a session alone.
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import { issuedNow } from '../../identity/credentials.ts'
import { deviceOf } from '../../identity/device.ts'
import { limit } from '../../identity/guesses.ts'
import * as queries from '../../identity/push-queries.ts'
import { limits } from '../../identity/rules.ts'
import { lockCaller } from '../../identity/sessions.ts'
import { assertReachable, publicInternet } from '../../outgoing/guarded-request.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { isPoint } from '../../runtime/push-encryption.ts'
import { toError } from '../../runtime/untyped.ts'
import type { push } from './contract.ts'
import { openPushKey } from './key.ts'
import { MAX_SUBSCRIPTIONS } from './rules.ts'
import { type BrowserAddress, endpointHashOf, keysOf, sealedAddress } from './subscription.ts'

const sessionOf = ({ via }: Caller): string => ('session' in via ? via.session : '')

const shownTo =
  (session: string) =>
  ({ sessionId, ...shown }: Awaited<ReturnType<typeof queries.listPush>>[number]) => ({
    ...shown,
    current: sessionId === session,
  })

/** Names are looked up when something is sent, and are refused then where they lead to no public address. */
function requireAddress({ reach }: Pick<Context, 'reach'>, address: BrowserAddress): void {
  const url = URL.parse(address.endpoint)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    throw new Problem('invalid_request', 'endpoint: must be an https address')
  }
  try {
    assertReachable(url, reach ?? publicInternet)
  } catch (error) {
    throw new Problem('invalid_request', `endpoint: ${toError(error).message}`)
  }
  if (!isPoint(keysOf(address).p256dh)) throw new Problem('invalid_request', 'p256dh: is no public key')
}

const untried = { failures: 0, failingSince: null, pausedUntil: '' }

interface Sealed {
  user: Awaited<ReturnType<typeof lockCaller>>
  sealed: string
  endpointHash: string
}

/** Stores a browser, as that of the caller alone; throws `conflict` for one too many. */
async function add({ caller, now, request }: Context<Caller>, db: Transaction, { user, ...address }: Sealed) {
  await queries.deletePushAt(db, address.endpointHash)
  if ((await queries.countPush(db, user.id)) >= MAX_SUBSCRIPTIONS) {
    throw new Problem('conflict', `Notifications are pushed to at most ${MAX_SUBSCRIPTIONS} browsers; remove one first`)
  }
  const shown = {
    id: newId(),
    device: deviceOf(request.headers.get('user-agent')),
    createdAt: issuedNow(user, now),
  }
  const known = { ...shown, sessionId: sessionOf(caller), deliveredAt: null }
  if (!(await queries.insertPush(db, { ...known, ...untried, userId: user.id, ...address }))) {
    throw new Problem('conflict', 'This browser is being added by another request; try again')
  }
  return known
}

export const handlers: Handlers<typeof push> = {
  async list(context) {
    const { db, caller, config } = context
    const items = (await queries.listPush(db, caller.id)).map(shownTo(sessionOf(caller)))
    return { publicKey: config.webPush ? (await openPushKey(context)).publicKey : null, items }
  },

  async subscribe(context, { replaces, ...address }) {
    const { caller, config } = context
    if (!config.webPush) throw new Problem('not_found', 'Notifications are not pushed here')
    await limit(context, `push:${caller.id}`, limits.pushByAccount)
    requireAddress(context, address)
    const sealed = await sealedAddress(context, address)
    const before = replaces === undefined ? undefined : await endpointHashOf(context, replaces)
    const made = await context.db.transaction().execute(async (db) => {
      const user = await lockCaller(context, db)
      const earlier = before && (await queries.findPushAt(db, { userId: user.id, endpointHash: before }))
      // The same one told twice is not renewed: it is added as any other.
      if (!earlier || before === sealed.endpointHash) return add(context, db, { user, ...sealed })
      await queries.deletePushAt(db, sealed.endpointHash)
      const sessionId = sessionOf(caller)
      await queries.updatePush(db, earlier.id, { ...sealed, ...untried, sessionId })
      return { ...earlier, sessionId }
    })
    return shownTo(sessionOf(caller))(made)
  },

  async unsubscribe(context, { id }) {
    await context.db.transaction().execute(async (db) => {
      const user = await lockCaller(context, db)
      if (!(await queries.deletePushOfAccount(db, { id, userId: user.id }))) {
        throw new Problem('not_found', 'No such browser')
      }
    })
    return { id }
  },
}

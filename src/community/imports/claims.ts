// Taking over what was imported of a person: by the account at the external provider that signs in here, or by who the account proved to be at a
// tracker. Ids count; a user name only where the import has no id, and while it has just been said, for others can have it later.
import { record } from '../../audit/audit.ts'
import { trackerHost } from '../../config/tracker-hosts.ts'
import { reassignImported } from '../../content/imported/queries.ts'
import type { SourceName } from '../../contract/import-sources.ts'
import { NO_ADDRESS } from '../../contract/no-account.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { lockUser, updateIndexed } from '../../identity/account-queries.ts'
import { listTold } from '../../identity/external-queries.ts'
import { recentUntil } from '../../identity/rules.ts'
import { lockCaller, requireRecent } from '../../identity/sessions.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import * as queries from './claim-queries.ts'
import { type importClaims, MOST_OFFERED } from './claims-contract.ts'
import { importActions } from './contract.ts'

/** Sources whose user names are what people sign in with there, and not what they call themselves. */
const LOGINS: ReadonlySet<string> = new Set([
  'github',
  'gitlab',
  'discourse',
  'lemmy',
  'guildhall',
] satisfies SourceName[])

const scopeIn = (scope: string) => {
  const [source = '', ...name] = scope.split(' ')
  return { source: source as SourceName, name: name.join(' ') }
}

/** Who an account is somewhere, and the imports for which that counts. */
interface KnownSelf extends Pick<Parameters<typeof queries.listOffered>[1], 'scopes' | 'sources' | 'ids'> {
  /** Names there, and when it was said that they are its. */
  told: readonly { username: string | null; toldAt: string | null }[]
}

/** Who the provider says that an account is. */
async function knownByProvider({ config, caller }: Context<Caller>, db: Db): Promise<KnownSelf[]> {
  const { external } = config
  if (!external || external.imports.length === 0) return []
  const told = await listTold(db, { userId: caller.id, issuer: external.issuer })
  const scopes = external.imports.flatMap(({ source, name }) => (name === undefined ? [] : `${source} ${name}`))
  const sources = external.imports.flatMap(({ source, name }) => (name === undefined ? source : []))
  return [{ scopes, sources, ids: told.flatMap(({ sourceId }) => sourceId ?? []), told }]
}

/** Who the account proved to be at trackers: for imports of the places that are linked, as the sync takes those for the same. */
async function knownByTrackers({ config, caller }: Context<Caller>, db: Db): Promise<KnownSelf[]> {
  const proven = await queries.listProvenAt(db, caller.id)
  return proven
    .filter(({ source, host }) => trackerHost(config, source) === host)
    .map(({ source, name, personId, login, linkedAt }) => ({
      ...{ scopes: [`${source} ${name}`], sources: [], ids: [personId] },
      told: [{ username: login.toLowerCase(), toldAt: linkedAt }],
    }))
}

/** Who an account is known to be, and what that offers it. */
async function offersFor(context: Context<Caller>, at: Db = context.db): Promise<queries.Offered[]> {
  const { now } = context
  const offers = new Map<string, queries.Offered>()
  for (const { told, ...known } of [...(await knownByProvider(context, at)), ...(await knownByTrackers(context, at))]) {
    const fresh = told.filter(({ toldAt }) => toldAt !== null && recentUntil(toldAt, now) !== undefined)
    const names = fresh.flatMap(({ username }) => username ?? [])
    if (known.ids.length === 0 && names.length === 0) continue
    for (const offer of await queries.listOffered(at, { ...known, names, limit: MOST_OFFERED })) {
      const isById = offer.accountId !== null
      if (isById || LOGINS.has(scopeIn(offer.scope).source)) offers.set(offer.id, offer)
    }
  }
  return [...offers.values()].slice(0, MOST_OFFERED)
}

export const claimHandlers: Handlers<typeof importClaims> = {
  async list(context) {
    const offers = await offersFor(context)
    const items = offers.map(({ id, scope, username, name, accountId }) => {
      const { source, name: from } = scopeIn(scope)
      return { id, source, import: from, username, name, by: accountId === null ? 'username' : 'id' } as const
    })
    return { items }
  },

  async takeOver(context, { id }) {
    const before = await context.db.transaction().execute((db) => takeOver(context, db, id))
    return { id: before }
  },
}

async function takeOver(context: Context<Caller>, db: Transaction, id: string): Promise<string> {
  const { now, address, caller } = context
  const seen = (await offersFor(context, db)).find((offer) => offer.id === id)
  // Imports come first in the order of locks, as they lock people.
  const going = seen ? await queries.lockImportsOf(db, scopeIn(seen.scope)) : []
  const user = await lockCaller(context, db)
  await requireRecent(context, db)
  const placeholder = await lockUser(db, { id })
  // Read again under the locks: its owner may have entered it, or taken it over.
  const offer = (await offersFor(context, db)).find((one) => one.id === id)
  if (!seen || !offer || !placeholder) throw new Problem('not_found', 'Nothing of that account is offered to you')
  if (going.some(({ state }) => state === 'running' || state === 'reverting'))
    throw new Problem('conflict', 'The import is going on; try again when it has ended')
  const { scope, sourceId, accountId } = offer
  if (!(await queries.claimPerson(db, { scope, sourceId }, now)))
    throw new Problem('conflict', 'It was taken over already')
  await reassignImported(db, { scope, type: 'user', sourceId }, user.id)
  // No mailed code enters it from now on.
  await updateIndexed(db, id, { email: `${id}@${NO_ADDRESS}` })
  await queries.insertClaim(db, { placeholderId: id, scope, sourceId, userId: user.id, createdAt: now })
  const { source, name } = scopeIn(scope)
  const detail = { source, name, by: accountId === null ? 'username' : 'id' }
  const act = { action: importActions['take-over'], actorId: caller.id, targetType: 'user', targetId: id }
  await record(db, now, { ...act, detail, address })
  return id
}

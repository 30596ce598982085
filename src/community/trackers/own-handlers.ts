// Who I am at other trackers: asked for here, and proved by a code that is written there (proving.ts).

import { randomBytes } from 'node:crypto'
import { record } from '../../audit/audit.ts'
import { trackerHost } from '../../config/tracker-hosts.ts'
import { allBoards, isOpenToCall } from '../../content/board-access/boards.ts'
import { FIRST_BOARD } from '../../content/board-access/rules.ts'
import { Problem } from '../../contract/problem.ts'
import type { TrackerTable, Transaction } from '../../database/schema.ts'
import { trackerAccountActions } from '../../identity/audit-actions.ts'
import { issuedNow } from '../../identity/credentials.ts'
import { limit } from '../../identity/guesses.ts'
import { limits } from '../../identity/rules.ts'
import { lockCaller, requireRecent } from '../../identity/sessions.ts'
import * as accounts from '../../identity/tracker-account-queries.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { unseal } from '../../runtime/seal.ts'
import { type ServiceName, serviceNames } from './contract.ts'
import { CODE_SECONDS, type trackerAccounts } from './own-contract.ts'
import * as queries from './queries.ts'
import type { Person } from './service.ts'
import { kindOf } from './services.ts'
import { SEALING } from './syncing.ts'

type Place = TrackerTable & { board: string | null }

/** Links of boards that the caller reads. */
async function readPlaces({ db }: Context<Caller>): Promise<Place[]> {
  const boards = new Map((await allBoards(db)).map((board) => [board.id, board]))
  return (await queries.listTrackers(db)).flatMap((row) => {
    const board = boards.get(row.boardId ?? FIRST_BOARD)
    if (!board || !isOpenToCall(board)) return []
    return [{ ...row, board: row.boardId === null ? null : board.slug }]
  })
}

const hostOf = ({ config }: Context<Caller>, service: ServiceName) => trackerHost(config, service)

async function shown(context: Context<Caller>, service: ServiceName, places: readonly Place[]) {
  const { db, caller, now } = context
  const host = hostOf(context, service)
  const own = (await accounts.listTrackerAccounts(db, caller.id)).find(
    (one) => one.service === service && one.host === host,
  )
  const proven = own?.linkedAt == null ? undefined : own
  const waits = own && own.expiresAt !== null && own.expiresAt > now
  return {
    service,
    login: proven?.login ?? null,
    linkedAt: proven?.linkedAt ?? null,
    waiting: waits ? { login: own.login, expiresAt: String(own.expiresAt) } : null,
    places: await Promise.all(
      places.map(async ({ id, name, board, state }) => {
        const people = await queries.listActingFor(db, { trackerId: id, accountId: caller.id })
        const named = proven && (await queries.findPerson(db, { trackerId: id, personId: proven.personId }))
        const isOwn = proven && !named?.linkedAccountId
        return { name, board, state, people: [...people, ...(isOwn ? [proven.login] : [])] }
      }),
    ),
  }
}

/** Why a service does not answer is for admins. */
const answerOf = <T>(question: Promise<T>): Promise<T> =>
  question.catch(() => {
    throw new Problem('unavailable', 'The service does not answer now; try again later')
  })

/** Who a login is there: asked in one place, as a host knows its people, or in each that has its own. */
async function personAt(context: Context<Caller>, places: readonly Place[], login: string): Promise<Person> {
  const [first] = places
  if (!first) throw new Problem('not_found', 'No board that you read is linked with this service now')
  const kind = kindOf(first)
  const key = await context.secretFor(SEALING)
  for (const { token, name } of kind.hasOwnPeople ? places : [first]) {
    const there = kind.open(context, { token: unseal(key, token), name })
    const person = await answerOf(there.person(login))
    if (person) return person
  }
  throw new Problem('not_found', `${kind.title} has no such person`)
}

interface CodeRequest {
  service: ServiceName
  person: Person
  code: string
}

async function keepCode(context: Context<Caller>, db: Transaction, { service, person, code }: CodeRequest) {
  const { now } = context
  const user = await lockCaller(context, db)
  await requireRecent(context, db)
  const key = { userId: user.id, service }
  const host = hostOf(context, service)
  await accounts.deleteEndedAccounts(db, { userId: user.id })
  const known = await accounts.lockTrackerAccount(db, key)
  if (known?.linkedAt != null && known.host === host)
    throw new Problem('conflict', `You are linked with ${known.login} already; end that first`)
  if (await accounts.findProvenAccount(db, { host, personId: person.id }))
    throw new Problem('conflict', 'This person acts for another account; end that link first')
  if (known) await accounts.deleteTrackerAccount(db, key)
  const expiresAt = after(now, CODE_SECONDS)
  await accounts.insertTrackerAccount(db, {
    ...{ ...key, host, personId: person.id, login: person.login, codeHash: sha256(code), expiresAt, linkedAt: null },
    createdAt: issuedNow(user, now),
  })
  return { service, login: person.login, code, expiresAt }
}

export const handlers: Handlers<typeof trackerAccounts> = {
  async list(context) {
    const places = await readPlaces(context)
    const own = await accounts.listTrackerAccounts(context.db, context.caller.id)
    const services = serviceNames.filter(
      (service) => places.some(({ source }) => source === service) || own.some((one) => one.service === service),
    )
    const placesOf = (service: ServiceName) => places.filter(({ source }) => source === service)
    return { items: await Promise.all(services.map((service) => shown(context, service, placesOf(service)))) }
  },

  async ask(context, { service, login }) {
    const { db, caller } = context
    await requireRecent(context, db)
    await limit(context, `tracker-code:${caller.id}`, limits.trackerCodesByAccount)
    const places = (await readPlaces(context)).filter(({ source, state }) => source === service && state === 'on')
    const person = await personAt(context, places, login)
    const all = await queries.listTrackers(db)
    if (all.some(({ source, ownId }) => source === service && ownId === person.id))
      throw new Problem('conflict', 'A link writes there as this person')
    const code = `guildhall-link-${randomBytes(16).toString('hex')}`
    return db.transaction().execute((transaction) => keepCode(context, transaction, { service, person, code }))
  },

  async remove(context, { service }) {
    const { db, now, address } = context
    return db.transaction().execute(async (transaction) => {
      const user = await lockCaller(context, transaction)
      const key = { userId: user.id, service }
      const known = await accounts.lockTrackerAccount(transaction, key)
      if (!known || !(await accounts.deleteTrackerAccount(transaction, key)))
        throw new Problem('not_found', 'No person there acts for you')
      if (known.linkedAt !== null) {
        const act = { action: trackerAccountActions.unlink, actorId: user.id, targetType: 'user', targetId: user.id }
        await record(transaction, now, { ...act, detail: { service, login: known.login }, address })
      }
      return { service }
    })
  },
}

// Handlers of links with other trackers.

import { record } from '../../audit/audit.ts'
import { trackerHost } from '../../config/tracker-hosts.ts'
import { allBoards, boardBySlug } from '../../content/board-access/boards.ts'
import { FIRST_BOARD } from '../../content/board-access/rules.ts'
import { askToLookAtBoard } from '../../content/tracked/queries.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { Problem } from '../../contract/problem.ts'
import { lockName } from '../../database/engine.ts'
import type { Db, TrackerTable } from '../../database/schema.ts'
import { findUserByUsername } from '../../identity/account-queries.ts'
import { requireRecent } from '../../identity/sessions.ts'
import { deleteProvenAccount } from '../../identity/tracker-account-queries.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { newId } from '../../runtime/ids.ts'
import { seal, unseal } from '../../runtime/seal.ts'
import { Refusal, Rest } from './asking.ts'
import { deliveryPath, MAX_TRACKERS, placeNames, type ServiceName, trackerActions, type trackers } from './contract.ts'
import * as queries from './queries.ts'
import { kindOf } from './services.ts'
import { isClosedHere, PUBLISH, SEALING } from './syncing.ts'

/** What a place is called, for who gives another name. */
const wantedNames: Record<ServiceName, string> = {
  github: 'owner/name',
  gitlab: 'group/project',
  linear: 'the key of a team',
}

/** Clocks of both sides may differ. */
const BEFORE_SECONDS = 60

const noSuchLink = () => new Problem('not_found', 'No such link')

type ListContext = Pick<Context<Caller>, 'db' | 'config'>
type Row = Awaited<ReturnType<typeof queries.listTrackers>>[number]

async function shown({ db, config }: ListContext, row: Row) {
  const {
    id,
    source,
    name,
    boardId,
    ownLogin: login,
    state,
    paired,
    waiting,
    polledAt,
    restUntil,
    error,
    errorAt,
    createdAt,
  } = row
  const board = boardId === null ? null : ((await allBoards(db)).find((one) => one.id === boardId)?.slug ?? null)
  const proven = await queries.listProvenPeople(db, trackerHost(config, row.source))
  const people = [
    ...(await queries.listLinkedPeople(db, id)).map((person) => ({ ...person, by: 'admin' as const })),
    ...proven.map((person) => ({ ...person, by: 'member' as const })),
  ].map(({ login: name, username, by }) => ({ login: name, username: username ?? '', by }))
  const moments = { polledAt: polledAt || null, restUntil: restUntil || null }
  return {
    id,
    service: source as ServiceName,
    name,
    board,
    login,
    state,
    paired: Number(paired),
    waiting: Number(waiting),
    ...moments,
    error,
    errorAt,
    createdAt,
    people,
  }
}

async function getShown(context: ListContext, id: string) {
  const row = (await queries.listTrackers(context.db)).find((one) => one.id === id)
  if (!row) throw noSuchLink()
  return shown(context, row)
}

/** What the other side refuses is said to the admin. */
async function asked<T>(service: string, question: Promise<T>): Promise<T> {
  try {
    return await question
  } catch (error) {
    if (error instanceof Refusal) throw new Problem('invalid_request', `token: ${error.message}`)
    if (error instanceof Rest) throw new Problem('unavailable', error.message)
    throw new Problem('unavailable', `${service} cannot be reached; see ${service.toUpperCase()}_API_URL`)
  }
}

type Input = Parameters<Handlers<typeof trackers>['create']>[1]

/** The board of a link. What not everyone reads goes to a public repository only where the admin says so. */
async function boardFor(
  context: Context<Caller>,
  { board: slug, publish }: Input,
  isPrivateThere: boolean,
): Promise<string | null> {
  const board = slug === undefined ? undefined : await boardBySlug(context.db, slug)
  const boardId = board === undefined || board.id === FIRST_BOARD ? null : board.id
  if (!publish && !isPrivateThere && (await isClosedHere(context, boardId))) throw new Problem('conflict', PUBLISH)
  return boardId
}

const recordAct = (
  context: Context<Caller>,
  db: Db,
  act: { action: AuditAction; targetId: string; detail?: Record<string, unknown> },
) => record(db, context.now, { ...act, actorId: context.caller.id, address: context.address })

async function create(context: Context<Caller>, input: Input) {
  const { db, now, config, secretFor } = context
  const { service } = input
  if (!placeNames[service].test(input.name)) throw new Problem('invalid_request', `name: ${wantedNames[service]}`)
  const kind = kindOf({ source: service })
  const there = await asked(kind.title, kind.open(context, input).self())
  const boardId = await boardFor(context, input, there.isPrivate)
  const [id, secret, key] = [newId(), kind.newSecret(), await secretFor(SEALING)]
  const isWhole = input.from === 'beginning'
  const row: TrackerTable = {
    ...{
      id,
      source: service,
      name: there.name,
      nameKey: there.name.toLowerCase(),
      boardId,
      createdBy: context.caller.id,
    },
    ...{
      token: seal(key, input.token),
      secret: seal(key, secret),
      ownId: there.id,
      ownLogin: there.login,
      state: 'on',
    },
    ...{
      since: isWhole ? '' : after(now, -BEFORE_SECONDS),
      polledAt: '',
      etag: '',
      restUntil: '',
      error: null,
      errorAt: null,
    },
    publish: input.publish ? 1 : 0,
    createdAt: now,
  }
  await db.transaction().execute(async (transaction) => {
    await requireRecent(context, transaction)
    await lockName(transaction, 'trackers')
    const all = await queries.listTrackers(transaction)
    if (all.length >= MAX_TRACKERS)
      throw new Problem('conflict', `There are at most ${MAX_TRACKERS} links; end one first`)
    if (all.some(({ source, nameKey }) => source === service && nameKey === row.nameKey))
      throw new Problem('conflict', 'This repository is linked already')
    if (all.some((one) => one.boardId === boardId)) throw new Problem('conflict', 'This board is linked already')
    await queries.insertTracker(transaction, row)
    if (isWhole) await askToLookAtBoard(transaction, { id, boardId, now })
    await recordAct(context, transaction, { action: trackerActions.create, targetId: id, detail: { name: row.name } })
  })
  return { ...(await getShown(context, id)), secret, webhookUrl: `${config.baseUrl}${deliveryPath(service, id)}` }
}

/** Changes a link that is locked. */
async function change(
  context: Context<Caller>,
  { id, action, detail }: { id: string; action: AuditAction; detail?: Record<string, unknown> },
  run: (db: Parameters<typeof queries.lockTracker>[0]) => Promise<void>,
): Promise<void> {
  await context.db.transaction().execute(async (transaction) => {
    const row = await queries.lockTracker(transaction, id)
    if (!row) throw noSuchLink()
    await run(transaction)
    await recordAct(context, transaction, { action, targetId: id, detail: { name: row.name, ...detail } })
  })
}

async function setPerson(
  context: Context<Caller>,
  { id, login, username }: { id: string; login: string; username: string | null },
) {
  const { db, secretFor } = context
  const row = await queries.findTracker(db, id)
  if (!row) throw noSuchLink()
  const kind = kindOf(row)
  const there = kind.open(context, { token: unseal(await secretFor(SEALING), row.token), name: row.name })
  const person = await asked(kind.title, there.person(login))
  if (!person) throw new Problem('not_found', `${kind.title} has no such person`)
  const account = username === null ? undefined : await findUserByUsername(db, username)
  if (username !== null && !account) throw new Problem('not_found', 'No such member')
  const key = { trackerId: id, personId: person.id }
  const detail = { login: person.login, accountId: account?.id ?? null }
  await change(context, { id, action: trackerActions.person, detail }, async (transaction) => {
    await requireRecent(context, transaction)
    const known = await queries.findPerson(transaction, key)
    const ownAccountId = known?.ownAccountId ?? null
    await queries.putPerson(transaction, {
      ...key,
      login: person.login,
      ownAccountId,
      linkedAccountId: account?.id ?? null,
    })
    if (!account)
      await deleteProvenAccount(transaction, { host: trackerHost(context.config, row.source), personId: person.id })
  })
  return getShown(context, id)
}

export const handlers: Handlers<typeof trackers> = {
  list: async (context) => ({
    items: await Promise.all((await queries.listTrackers(context.db)).map((row) => shown(context, row))),
  }),
  create,
  async update(context, { id, state, secret }) {
    const sealed = secret === undefined ? undefined : seal(await context.secretFor(SEALING), secret)
    const detail = { ...(state && { state }), ...(sealed && { secret: 'changed' }) }
    await change(context, { id, action: trackerActions.update, detail }, async (db) => {
      if (sealed) await requireRecent(context, db)
      const changes = { ...(state && { state, restUntil: '' }), ...(sealed && { secret: sealed }) }
      if (Object.keys(changes).length > 0) await queries.updateTracker(db, id, changes)
    })
    return getShown(context, id)
  },
  async remove(context, { id }) {
    await change(context, { id, action: trackerActions.remove }, (db) => queries.deleteTracker(db, id))
    return { id }
  },
  setPerson,
}

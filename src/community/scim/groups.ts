// Groups of a provider: who is in them, and what that gives where the operator mapped them.
import { isUniqueViolation } from '../../database/engine.ts'
import type { Transaction } from '../../database/schema.ts'
import { lockUsersAndAdmins } from '../../identity/account-queries.ts'
import * as queries from '../../identity/scim-queries.ts'
import type { EndpointResponse } from '../../request/endpoint.ts'
import { newId } from '../../runtime/ids.ts'
import { required } from '../../runtime/untyped.ts'
import { giftOf, giveByGroups } from './giving.ts'
import { listed } from './listing.ts'
import { chosen, isChosen, listAnswer, ScimError, type ScimRequest, scimJson } from './messages.ts'
import { patched } from './patch.ts'
import { type GroupInput, groupIn, groupResources, knownOfGroup } from './resources.ts'

const noSuchGroup = () => new ScimError(404, 'No such group')

const columnsOf = ({ displayName, externalId }: GroupInput, now: string) => ({
  ...{ displayName, displayNameKey: displayName.toLowerCase(), externalId: externalId || null, updatedAt: now },
})

async function unlessTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw isUniqueViolation(error) ? new ScimError(409, 'There is such a group already', 'uniqueness') : error
  }
}

async function shown(asked: ScimRequest, id: string, status = 200): Promise<EndpointResponse> {
  const row = await queries.findScimGroup(asked.context.db, id)
  if (!row) throw noSuchGroup()
  const { base, query } = asked
  const wanted = { base, rows: [row], isWhole: isChosen(query, 'members') }
  const [resource] = await groupResources(asked.context.db, wanted)
  const { meta } = required(resource)
  return scimJson(status, chosen(required(resource), query), { Location: meta.location })
}

export const list = async ({ context: { db }, base, query }: ScimRequest): Promise<EndpointResponse> => {
  const { resources, ...more } = await listed(query, {
    name: 'displayname',
    page: (wanted, range) => queries.pageOfScimGroups(db, wanted, range),
    parts: 'members',
    count: (rows) =>
      queries.countMembers(
        db,
        rows.map(({ id }) => id),
      ),
    shown: (rows, isWhole) => groupResources(db, { base, rows, isWhole }),
  })
  return listAnswer({ ...more, resources: resources.map((one) => chosen({ ...one }, query)) })
}

export const get = (asked: ScimRequest) => shown(asked, asked.id)

interface Membership {
  id: string
  before: readonly string[]
  after: readonly string[]
  /** Whether the group gives something else by now, to all who are in it. */
  givesElse: boolean
  /** Whether that is what the provider asks for; the operator changed the mapping otherwise. */
  isRenamed: boolean
}

/** Who is in a group from now on, with what that gives. Throws for a member that the provider does not have here. */
async function setMembers({ context }: ScimRequest, db: Transaction, { id, after, ...change }: Membership) {
  const [before, wanted] = [new Set(change.before), new Set(after)]
  const added = [...wanted].filter((one) => !before.has(one))
  const gone = [...before].filter((one) => !wanted.has(one))
  const userIds = change.givesElse ? [...new Set([...before, ...wanted])] : [...added, ...gone]
  if (userIds.length === 0) return
  const locked = await lockUsersAndAdmins(db, userIds)
  const known = await queries.listKnown(db, added)
  if (known.length < added.length) throw new ScimError(400, 'members: there is no such user', 'invalidValue')
  await queries.insertMembers(db, id, added)
  await queries.deleteMembers(db, id, gone)
  const isMeant = (userId: string) => change.isRenamed || before.has(userId) !== wanted.has(userId)
  await giveByGroups(context, db, { userIds, locked, isMeant })
}

const idsIn = ({ members }: GroupInput) => (members ?? []).map(({ value }) => value)

const membersOf = async (db: Transaction, id: string) => (await queries.listMembers(db, [id])).map((one) => one.userId)

export async function create(asked: ScimRequest): Promise<EndpointResponse> {
  const { context } = asked
  const input = groupIn(asked.body)
  const id = newId()
  await unlessTaken(() =>
    context.db.transaction().execute(async (db) => {
      const gives = await giftOf(db, context.config, input.displayName)
      await queries.insertScimGroup(db, { id, ...columnsOf(input, context.now), gives, createdAt: context.now })
      await setMembers(asked, db, { id, before: [], after: idsIn(input), givesElse: false, isRenamed: false })
    }),
  )
  return shown(asked, id, 201)
}

async function change(
  asked: ScimRequest,
  to: (row: queries.ScimGroup, members: readonly string[]) => GroupInput,
): Promise<EndpointResponse> {
  const { context, id } = asked
  await unlessTaken(() =>
    context.db.transaction().execute(async (db) => {
      const row = await queries.lockScimGroup(db, id)
      if (!row) throw noSuchGroup()
      const before = await membersOf(db, id)
      const input = to(row, before)
      const columns = columnsOf(input, context.now)
      const gives = await giftOf(db, context.config, columns.displayName)
      await queries.updateScimGroup(db, id, { ...columns, gives })
      const isRenamed = columns.displayNameKey !== row.displayNameKey
      await setMembers(asked, db, { id, before, after: idsIn(input), givesElse: gives !== row.gives, isRenamed })
    }),
  )
  return shown(asked, id)
}

export function replace(asked: ScimRequest): Promise<EndpointResponse> {
  const input = groupIn(asked.body)
  return change(asked, () => input)
}

export const patch = (asked: ScimRequest): Promise<EndpointResponse> =>
  change(asked, ({ displayName, externalId }, members) => {
    const before = { displayName, externalId, members: members.map((value) => ({ value })) }
    return groupIn(patched(before, asked.body, knownOfGroup))
  })

export async function remove(asked: ScimRequest): Promise<EndpointResponse> {
  const { context, id } = asked
  await context.db.transaction().execute(async (db) => {
    if (!(await queries.lockScimGroup(db, id))) throw noSuchGroup()
    await setMembers(asked, db, { id, before: await membersOf(db, id), after: [], givesElse: false, isRenamed: false })
    await queries.deleteScimGroup(db, id)
  })
  return { status: 204, body: null }
}

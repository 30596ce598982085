// Accounts of a provider: made, found, changed, blocked and unblocked. An account that is here already is taken over as it is: its name, address
// and permissions stay.
import { Email } from '../../contract/fields.ts'
import { oneLine } from '../../contract/storable.ts'
import { isUniqueViolation } from '../../database/engine.ts'
import type { Transaction } from '../../database/schema.ts'
import { cut } from '../../formats/text.ts'
import { findUserByEmail, lockUsersAndAdmins, type User } from '../../identity/account-queries.ts'
import { createProvisionedAccount } from '../../identity/joining.ts'
import { requireAnotherAdmin } from '../../identity/rules.ts'
import * as queries from '../../identity/scim-queries.ts'
import { resetAccount } from '../../identity/verify-email.ts'
import type { EndpointResponse } from '../../request/endpoint.ts'
import { required } from '../../runtime/untyped.ts'
import { setProvidersBlock } from '../admin/admin.ts'
import { giveByGroups } from './giving.ts'
import { listed } from './listing.ts'
import { chosen, isChosen, listAnswer, ScimError, type ScimRequest, scimJson } from './messages.ts'
import { patched } from './patch.ts'
import { attributesOf, knownOfUser, type UserInput, userFields, userIn, userResources } from './resources.ts'

const noSuchUser = () => new ScimError(404, 'No such user')
const isTaken = () => new ScimError(409, 'There is such a user already', 'uniqueness')

/** What is stored of what was sent. */
const columnsOf = (input: UserInput, now: string) => ({
  externalId: input.externalId || null,
  userName: input.userName,
  userNameKey: input.userName.toLowerCase(),
  attributes: attributesOf(input),
  updatedAt: now,
})

/** The address of an account that is made: the primary one, or what the provider calls it. */
function addressIn({ emails, userName }: UserInput): string {
  const all = emails ?? []
  const address = (all.find(({ primary }) => primary) ?? all[0])?.value ?? userName
  const parsed = Email.safeParse(address)
  if (!parsed.success) throw new ScimError(400, 'emails: an account needs an address', 'invalidValue')
  return parsed.data
}

const MAX_NAME = 60
const nameIn = ({ displayName, name }: UserInput): string | null => {
  const whole = displayName || name?.formatted || [name?.givenName, name?.familyName].filter(Boolean).join(' ')
  return cut(oneLine(whole ?? '').trim(), MAX_NAME).trimEnd() || null
}

/** The answer with a resource. */
async function shown(asked: ScimRequest, userId: string, status = 200): Promise<EndpointResponse> {
  const row = await queries.findScimUser(asked.context.db, userId)
  if (row?.deletedAt !== null) throw noSuchUser()
  const { base, query } = asked
  const wanted = { base, rows: [row], isWhole: isChosen(query, 'groups') }
  const [resource] = await userResources(asked.context.db, wanted)
  const { meta } = required(resource)
  return scimJson(status, chosen(required(resource), query), { Location: meta.location })
}

/** Refuses a name that another one has, whichever was first. */
async function unlessTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw isUniqueViolation(error) ? isTaken() : error
  }
}

export const list = async ({ context: { db }, base, query }: ScimRequest): Promise<EndpointResponse> => {
  const { resources, ...more } = await listed(query, {
    name: 'username',
    page: (wanted, range) => queries.pageOfScimUsers(db, wanted, range),
    parts: 'groups',
    count: (rows) =>
      queries.countGroups(
        db,
        rows.map(({ userId }) => userId),
      ),
    shown: (rows, isWhole) => userResources(db, { base, rows, isWhole }),
  })
  return listAnswer({ ...more, resources: resources.map((one) => chosen({ ...one }, query)) })
}

export const get = (asked: ScimRequest) => shown(asked, asked.id)

export async function create(asked: ScimRequest): Promise<EndpointResponse> {
  const { context } = asked
  const { now } = context
  const input = userIn(asked.body)
  const email = addressIn(input)
  const userId = await unlessTaken(() =>
    context.db.transaction().execute(async (db) => {
      const there = await findUserByEmail(db, email)
      const user = there ?? (await createProvisionedAccount(context, db, { email, name: nameIn(input) }))
      if (!user) throw isTaken()
      const locked = await lockUsersAndAdmins(db, [user.id])
      const before = await queries.findScimUser(db, user.id)
      if (before && before.deletedAt === null) throw isTaken()
      if (there && !before) await endUnproven(asked, db, required(locked.find(({ id }) => id === user.id)))
      const columns = { ...columnsOf(input, now), deletedAt: null }
      if (before) await queries.updateScimUser(db, user.id, columns)
      else await queries.insertScimUser(db, { userId: user.id, ...columns, ...unheld, createdAt: now })
      await setActive(asked, db, { userId: user.id, locked, active: input.active ?? true })
      return user.id
    }),
  )
  return shown(asked, userId, 201)
}

/** Ends what was set up without a proof of the mailbox: it would act as the person of the company, with what groups give. */
async function endUnproven({ context }: ScimRequest, db: Transaction, user: User): Promise<void> {
  if (user.emailVerifiedAt) return
  await resetAccount({ ...context, actorId: null, reason: 'provisioned by the provider' }, db, user)
}

const unheld = {
  blockedAt: null,
  isBlockedElse: 0,
  ...{ givenRole: null, ownRole: null, givenBoards: '[]', ownBoards: '[]' },
} as const

interface Activity {
  userId: string
  locked: readonly User[]
  active: boolean
}

/** Sets or lifts the block of the provider. The account and all admins are locked. */
async function setActive({ context }: ScimRequest, db: Transaction, { userId, locked, active }: Activity) {
  const row = required(await queries.findScimUser(db, userId))
  if (active === (row.blockedAt === null)) return
  const target = required(locked.find(({ id }) => id === userId))
  if (!active) requireAnotherAdmin(locked, target)
  const by = { actorId: null, now: context.now, address: context.address }
  await setProvidersBlock(by, db, { target, blocked: !active, isBlockedElse: row.isBlockedElse === 1 })
}

/** Changes one; `to` says what to, of what it is. */
async function change(asked: ScimRequest, to: (row: queries.ScimUser) => UserInput): Promise<EndpointResponse> {
  const { context, id } = asked
  await unlessTaken(() =>
    context.db.transaction().execute(async (db) => {
      const locked = await lockUsersAndAdmins(db, [id])
      const row = await queries.findScimUser(db, id)
      if (row?.deletedAt !== null) throw noSuchUser()
      const input = to(row)
      await queries.updateScimUser(db, id, columnsOf(input, context.now))
      if (input.active !== undefined) await setActive(asked, db, { userId: id, locked, active: input.active })
      // The operator may have changed the mapping since.
      await giveByGroups(context, db, { userIds: [id], locked, isMeant: () => false })
    }),
  )
  return shown(asked, id)
}

export function replace(asked: ScimRequest): Promise<EndpointResponse> {
  const input = userIn(asked.body)
  return change(asked, () => input)
}

export const patch = (asked: ScimRequest): Promise<EndpointResponse> =>
  change(asked, (row) => userIn(patched(userFields(row), asked.body, knownOfUser)))

/** The provider has it no longer: it is blocked, and its groups give it nothing. What it wrote and the account itself stay. */
export async function remove(asked: ScimRequest): Promise<EndpointResponse> {
  const { context, id } = asked
  await context.db.transaction().execute(async (db) => {
    const locked = await lockUsersAndAdmins(db, [id])
    const row = await queries.findScimUser(db, id)
    if (row?.deletedAt !== null) throw noSuchUser()
    await setActive(asked, db, { userId: id, locked, active: false })
    await queries.deleteMemberships(db, id)
    await giveByGroups(context, db, { userIds: [id], locked, isMeant: () => true })
    await queries.updateScimUser(db, id, { deletedAt: context.now, updatedAt: context.now })
  })
  return { status: 204, body: null }
}

// Accounts and groups as SCIM has them: what a provider sends, and what it is answered. What it says of a person is kept for it alone: names and
// addresses of an account are its owner's to change.
import { z } from 'zod'
import type { Db } from '../../database/schema.ts'
import * as queries from '../../identity/scim-queries.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { ScimError } from './messages.ts'
import type { KnownAttributes } from './patch.ts'
import { GROUP_SCHEMA, USER_SCHEMA } from './schemas.ts'

const text = (max: number) => z.string().trim().min(1).max(max)
const optionalText = (max: number) => z.string().trim().max(max).nullish()
/** As JSON has it, and as some providers write it. */
const yesOrNo = z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })])

const MAX_EMAILS = 20
const UserInput = z.object({
  userName: text(250),
  externalId: optionalText(250),
  displayName: optionalText(200),
  name: z
    .object({ formatted: optionalText(200), familyName: optionalText(100), givenName: optionalText(100) })
    .nullish(),
  emails: z
    .array(z.object({ value: z.string().max(250), type: optionalText(50), primary: yesOrNo.nullish() }))
    .max(MAX_EMAILS)
    .nullish(),
  active: yesOrNo.optional(),
})
export type UserInput = z.infer<typeof UserInput>

/** Of a group. */
export const MAX_MEMBERS = 5_000
const GroupInput = z.object({
  displayName: text(200),
  externalId: optionalText(250),
  members: z
    .array(z.object({ value: z.string().max(100) }))
    .max(MAX_MEMBERS)
    .nullish(),
})
export type GroupInput = z.infer<typeof GroupInput>

export const knownOfUser: KnownAttributes = {
  ...{ userName: 'plain', externalId: 'plain', displayName: 'plain', active: 'plain', emails: MAX_EMAILS },
  name: ['formatted', 'familyName', 'givenName'],
}
export const knownOfGroup: KnownAttributes = { displayName: 'plain', externalId: 'plain', members: MAX_MEMBERS }

/** Names of attributes in any case, as they are written here. */
function named(body: unknown, known: KnownAttributes): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const names = new Map(Object.keys(known).map((name) => [name.toLowerCase(), name]))
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const ours = names.get(name.toLowerCase())
      return ours === undefined || value === undefined ? [] : [[ours, value]]
    }),
  )
}

function read<Output>(schema: z.ZodType<Output>, body: unknown): Output {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new ScimError(400, `${issue?.path.join('.') || 'The body'}: ${issue?.message}`, 'invalidValue')
}

export const userIn = (body: unknown): UserInput => read(UserInput, named(body, knownOfUser))
export const groupIn = (body: unknown): GroupInput => read(GroupInput, named(body, knownOfGroup))

/** What is kept of a person for the provider alone. */
export const attributesOf = ({ displayName, name, emails }: UserInput): string =>
  JSON.stringify({ displayName, name, emails })

type Attributes = Pick<UserInput, 'displayName' | 'name' | 'emails'>

const given = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== undefined))

/** What a provider may change of an account, as it is now. */
export function userFields(row: queries.ScimUser): Record<string, unknown> {
  const { displayName, name, emails } = parseJson<Attributes>(row.attributes)
  return given({
    ...{ userName: row.userName, externalId: row.externalId, displayName, emails: emails?.map(given) },
    name: name && given(name),
    active: row.blockedAt === null,
  })
}

export interface Resource<Row> {
  base: string
  rows: readonly Row[]
  /** Whether with the groups of each account, or the members of each group. */
  isWhole: boolean
}

/** The resources of accounts. */
export async function userResources(db: Db, { base, rows, isWhole }: Resource<queries.ScimUser>) {
  const ids = rows.map(({ userId }) => userId)
  const groups = Map.groupBy(isWhole ? await queries.listGroupsOf(db, ids) : [], ({ userId }) => userId)
  return rows.map((row) => ({
    schemas: [USER_SCHEMA],
    id: row.userId,
    ...userFields(row),
    groups: (groups.get(row.userId) ?? []).map(({ id, displayName }) => ({ value: id, display: displayName })),
    meta: metaOf('User', `${base}/Users/${row.userId}`, row),
  }))
}

/** The resources of groups. */
export async function groupResources(db: Db, { base, rows, isWhole }: Resource<queries.ScimGroup>) {
  const ids = rows.map(({ id }) => id)
  const members = Map.groupBy(isWhole ? await queries.listMembers(db, ids) : [], ({ groupId }) => groupId)
  return rows.map((row) => ({
    schemas: [GROUP_SCHEMA],
    id: row.id,
    ...given({ displayName: row.displayName, externalId: row.externalId }),
    members: (members.get(row.id) ?? []).map(({ userId, userName }) => ({ value: userId, display: userName })),
    meta: metaOf('Group', `${base}/Groups/${row.id}`, row),
  }))
}

const metaOf = (
  resourceType: string,
  location: string,
  { createdAt: created, updatedAt: lastModified }: { createdAt: string; updatedAt: string },
) => ({ resourceType, created, lastModified, location })

// What an export has of each table: columns by name, so that a new one is in it only when it is written here; and the files that it has. Of
// others' things it has the id, and the title and address of what everybody sees.
import { type RawBuilder, sql } from 'kysely'
import { factsOf, itemKinds } from '../contract/item-kinds.ts'
import { noticed, notificationKinds } from '../contract/kinds.ts'
import { keysOf } from '../contract/records.ts'
import { SHARD_KEYS } from '../database/distributed.ts'
import type { Db } from '../database/schema.ts'
import { accountSections, inboxSwitches, librarySections, type Section } from './export-account-queries.ts'
import { about, closedBoard, isTold, whole } from './export-told-queries.ts'

const id = sql.ref('t.id')
const thing = sql.ref('t.thingId')
const target = sql.ref('t.targetId')
/** The table of votes has a type of its own for ids (database/vote-ids.ts). */
const votedOn = sql`cast(${target} as text)`
const visited = ['thingId', 'seenAt', 'bookmarkedAt', 'beforeAt']
const said = ['id', 'createdAt', 'editedAt'] as const

/** What it is on, as everybody sees it. */
const on = (thingId: RawBuilder<unknown>) => sql`(select title from "feedEntry" f where f.id = ${thingId}) as "onTitle",
  (select url from "feedEntry" f where f.id = ${thingId}) as "onUrl"`

/** The same, where it can be a member too. */
const onOrMember = (
  column: string,
) => sql`coalesce((select title from "feedEntry" f where f.id = ${sql.ref(`t.${column}`)}), ${usernameOf(column)}) as "onTitle",
  coalesce((select url from "feedEntry" f where f.id = ${sql.ref(`t.${column}`)}), '/community/u/' || ${usernameOf(column)}) as "onUrl"`
const usernameOf = (column: string) =>
  sql`(select username from "user" u where u.id = ${sql.ref(`t.${column}`)} and u."blockedAt" is null)`

/** The name of the file in the archive, and what is in it. */
export const sections: Readonly<Record<string, Section>> = {
  ...accountSections,
  bugs: {
    table: 'bug',
    by: 'authorId',
    key: id,
    columns: [
      ...said,
      ...['number', 'title', 'description', 'status', 'severity'],
      ...['score', 'commentCount', 'viaClientId', 'boardId'],
    ],
    more: sql`${about}, ${whole}`,
  },
  features: {
    table: 'feature',
    by: 'authorId',
    key: id,
    columns: [...said, 'number', 'title', 'description', 'status', 'score', 'commentCount', 'viaClientId', 'boardId'],
    more: sql`${about}, ${whole}`,
  },
  posts: {
    table: 'post',
    by: 'authorId',
    key: id,
    columns: [...said, 'number', 'title', 'body', 'score', 'commentCount', 'viaClientId', 'boardId'],
    more: whole,
  },
  // Drafts too, which `pending` tells.
  releases: {
    table: 'release',
    by: 'authorId',
    key: id,
    columns: [
      ...[...said, 'number', 'title', 'body', 'version', 'date', 'closes', 'pending', 'score', 'commentCount'],
      ...['viaClientId', 'boardId'],
    ],
  },
  merged: {
    table: 'mergedThing',
    by: 'authorId',
    key: id,
    columns: [...said, 'type', 'number', 'title', 'text', 'status', 'targetId'],
    more: on(target),
  },
  comments: {
    table: 'comment',
    by: 'authorId',
    key: id,
    columns: [...said, 'targetType', 'targetId', 'parentId', 'body', 'score', 'viaClientId'],
    more: sql`${on(target)}, ${about}, ${whole}`,
  },
  edits: {
    table: 'revision',
    by: 'editorId',
    key: id,
    columns: ['id', 'targetType', 'targetId', 'createdAt', 'viaClientId'],
    // The texts before are those of others, where a moderator edited.
    more: sql`case when exists (select 1 from comment c where c.id = t."targetId" and c."authorId" = t."editorId")
      or exists (select 1 from bug b where b.id = t."targetId" and b."authorId" = t."editorId")
      or exists (select 1 from feature w where w.id = t."targetId" and w."authorId" = t."editorId")
      or exists (select 1 from post p where p.id = t."targetId" and p."authorId" = t."editorId")
      then t.changes end as changes`,
  },
  'status-changes': {
    table: 'statusChange',
    by: 'actorId',
    key: id,
    columns: ['id', 'targetType', 'targetId', 'from', 'to', 'reason', 'createdAt', 'viaClientId'],
  },
  'thread-changes': {
    table: 'threadChange',
    by: 'actorId',
    key: id,
    columns: [
      ...['id', 'targetType', 'targetId', 'action', 'accountId', 'commentId', 'dueOn', 'reason', 'createdAt'],
      ...['viaClientId', 'labelId', 'fromId'],
    ],
  },
  'thread-visits': { table: 'threadVisit', by: 'userId', key: thing, columns: visited },
  assignments: { table: 'assignment', by: 'userId', key: thing, columns: ['thingId', 'createdAt'] },
  reports: {
    table: 'report',
    by: 'reporterId',
    key: id,
    columns: ['id', 'targetId', 'reason', 'text', 'createdAt', 'closed'],
    more: on(target),
  },
  // What moderators decided about the account, with its appeals; not who.
  notices: {
    table: 'moderationAct',
    only: sql`t.action in (${sql.join([...noticed])})`,
    by: 'accountId',
    key: id,
    columns: [
      ...['id', 'targetType', 'targetId', 'title', 'url', 'action', 'rule', 'reason', 'createdAt', 'undoneAt'],
      ...['appeal', 'appealedAt', 'appealGranted', 'appealReason', 'appealDecidedAt'],
    ],
  },
  // What happened, not the words of others.
  inbox: {
    table: 'notification',
    beside: sql`join event e on e.id = t."eventId"`,
    by: 'userId',
    key: sql.ref('t.eventId'),
    columns: ['eventId', 'kind', 'read', 'createdAt'],
    more: sql`e."targetType", e."targetId", case when ${isTold} then e.title end as title,
      case when ${isTold} then e.url end as url, ${closedBoard} as "closedBoardId"`,
  },
  votes: {
    table: 'vote',
    by: 'userId',
    key: votedOn,
    columns: ['targetId', 'value'],
    more: on(votedOn),
  },
  reactions: {
    table: 'reaction',
    by: 'userId',
    key: sql`t."commentId" || '/' || t.reaction`,
    columns: ['commentId', 'reaction'],
  },
  follows: {
    table: 'follow',
    by: 'userId',
    key: sql.ref('t.targetId'),
    columns: ['targetId', 'state', 'createdAt'],
    more: onOrMember('targetId'),
  },
  'notification-settings': {
    table: 'inbox',
    by: 'userId',
    key: sql.ref('t.userId'),
    columns: [...notificationKinds, ...inboxSwitches],
  },
  orgs: {
    table: 'orgUpload',
    by: 'authorId',
    key: id,
    columns: [
      ...['id', 'slug', 'name', 'goal', 'tagline', 'description', 'createdAt', 'updatedAt', 'score', 'viaClientId'],
      ...['commentCount', 'runCount', 'sha256', 'size'],
    ],
    more: sql`(select body from "orgPage" p where p."orgId" = t.id) as body`,
  },
  runs: {
    table: 'orgRun',
    by: 'authorId',
    key: id,
    columns: ['id', 'orgId', 'label', 'createdAt', 'viaClientId'],
    more: on(sql.ref('t.orgId')),
  },
  images: {
    table: 'orgImage',
    by: 'uploaderId',
    key: id,
    columns: ['id', 'orgId', 'contentType', 'size', 'sha256', 'createdAt'],
  },
  'text-images': {
    table: 'textImage',
    by: 'uploaderId',
    key: id,
    columns: ['id', 'thingId', 'contentType', 'size', 'sha256', 'createdAt'],
  },
  ...librarySections,
  'saved-filters': { table: 'savedFilter', by: 'userId', key: id, columns: ['id', 'name', 'path', 'createdAt'] },
  'shared-filters': {
    table: 'sharedFilter',
    by: 'userId',
    key: id,
    columns: ['id', 'boardId', 'name', 'path', 'createdAt'],
  },
  suggestions: {
    table: 'suggestion',
    by: 'authorId',
    key: id,
    columns: [
      ...['id', 'targetType', 'targetId', 'operation', 'input', 'reason', 'confidence', 'state', 'viaClientId'],
      ...['createdAt', 'decidedAt', 'decision'],
    ],
  },
  drafts: { table: 'formDraft', by: 'userId', key: id, columns: ['id', 'path', 'form', 'fields', 'updatedAt'] },
  webhooks: {
    table: 'webhook',
    by: 'ownerId',
    key: id,
    columns: [
      ...['id', 'itemId', 'boardId', 'format', 'template', 'url', 'description', 'events'],
      ...['createdAt', 'updatedAt', 'disabledAt', 'disabledReason', 'clientId', 'expiresAt'],
    ],
  },
  'audit-log': {
    table: 'audit',
    by: 'actorId',
    key: id,
    columns: ['id', 'at', 'action', 'targetType', 'targetId', 'reason', 'address'],
  },
  // What others did to the account: not who, and not from where.
  'audit-log-about-me': {
    table: 'audit',
    by: 'targetId',
    key: id,
    columns: ['id', 'at', 'action', 'reason'],
  },
}

export type DataRow = Record<string, unknown> & { key: string }

/** Rows of a section after one, in order. No subquery of a row can ask a local table beside a distributed one: these rows are found first. */
export async function listRows(
  db: Db,
  { table, from = sql`${sql.table(table)} t`, only = sql`true`, by, key, columns, beside = sql``, more }: Section,
  { userId, after, limit }: { userId: string; after: string; limit: number },
): Promise<DataRow[]> {
  const own = columns.map((name) => sql.ref(`t.${name}`))
  const all = sql.join([sql`${key} as "key"`, ...own, ...(more ? [more] : [])])
  const page = sql`from ${from} where ${sql.ref(by.includes('.') ? by : `t.${by}`)} = ${userId} and ${only} and ${key} > ${after}
    order by ${key} limit ${limit}`
  const rows = Object.hasOwn(SHARD_KEYS, table)
    ? sql<DataRow>`with t as materialized (select ${sql.join(own)} ${page}) select ${all} from t ${beside} order by ${key}`
    : sql<DataRow>`select ${all} ${page}`
  return (await rows.execute(db)).rows
}

/** A stored file of an account: an artifact by its hash, or an object by its key. */
export interface OwnFile {
  place: string
  name: string
  size: number
  sha256: string | null
  object: string | null
}

/** How the file of an item ends, by its kind. */
const endings = sql.join(
  itemKinds.map((kind) => sql`when ${sql.lit(kind)} then ${sql.lit(`.${factsOf(kind).ending}`)}`),
  sql` `,
)

const files = {
  definitions: sql`select id as place, 'files/orgs/' || slug || '.json' as name, size, sha256, null as object
    from "orgUpload" where "authorId" = `,
  versions: sql`select i.id || '/' || v.version as place, v.size, v.sha256, null as object,
    'files/library/' || i.kind || 's/' || i.slug || '/' || v.version || case i.kind ${endings} end as name
    from "itemVersion" v join "libraryItem" i on i.id = v."itemId" where i.gallery = 0 and i."ownerId" = `,
  images: sql`select id as place, 'files/images/' || id || '.' || replace("contentType", 'image/', '') as name, size, null as sha256,
    'org-images/' || id as object from "orgImage" where "uploaderId" = `,
  textImages: sql`select id as place, 'files/text-images/' || id || '.' || replace("contentType", 'image/', '') as name, size, null as sha256,
    'text-images/' || id as object from "textImage" where "uploaderId" = `,
  runs: sql`select f.id as place, 'files/runs/' || r.id || '/' || f.position || '-' || f.filename as name, f."sizeBytes" as size,
    null as sha256, 'org-runs/' || f.id as object from "orgRunFile" f join "orgRun" r on r.id = f."runId" where r."authorId" = `,
  picture: sql`select u.id as place, 'files/picture' as name, s."avatarBytes" as size, null as sha256, 'avatars/' || u.id as object
    from "user" u join "storedBytes" s on s."accountId" = u.id where u."avatarUpdatedAt" is not null and u.id = `,
}

export const fileKinds = keysOf(files)

/** Files of one kind after one, in order. */
export async function listFiles(
  db: Db,
  kind: keyof typeof files,
  { userId, after, limit }: { userId: string; after: string; limit: number },
): Promise<OwnFile[]> {
  const { rows } = await sql<OwnFile>`select place, name, size, sha256, object from (${files[kind]} ${userId}) own
    where place > ${after} order by place limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, size: Number(row.size) }))
}

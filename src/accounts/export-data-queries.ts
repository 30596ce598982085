// What an export has of each table: columns by name, so that a new one is in it only when it is written here. Of others' things it has the
// id, and the title and address of what everybody sees.
import { type RawBuilder, sql } from 'kysely'
import { notificationKinds } from '../contract/notification-kinds.ts'
import type { Db } from '../database/schema.ts'

interface Section {
  table: string
  /** The rows to choose from, where the column with the account is in another table. */
  from?: RawBuilder<unknown>
  /** The column with the id of the account. */
  by: string
  /** Orders the rows of an account; unique among them. */
  key: RawBuilder<unknown>
  columns: readonly string[]
  /** Columns that are made. */
  more?: RawBuilder<unknown>
}

const id = sql.ref('t.id')
const said = ['id', 'createdAt', 'editedAt'] as const

/** What it is on, as everybody sees it. */
const on = (
  column: string,
) => sql`(select title from "feedEntry" f where f.id = ${sql.ref(`t.${column}`)}) as "onTitle",
  (select url from "feedEntry" f where f.id = ${sql.ref(`t.${column}`)}) as "onUrl"`

/** The same, where it can be a member too. */
const onOrMember = (
  column: string,
) => sql`coalesce((select title from "feedEntry" f where f.id = ${sql.ref(`t.${column}`)}), ${usernameOf(column)}) as "onTitle",
  coalesce((select url from "feedEntry" f where f.id = ${sql.ref(`t.${column}`)}), '/community/u/' || ${usernameOf(column)}) as "onUrl"`
const usernameOf = (column: string) =>
  sql`(select username from "user" u where u.id = ${sql.ref(`t.${column}`)} and u."blockedAt" is null)`

/** The name of the file in the archive, and what is in it. */
export const sections: Readonly<Record<string, Section>> = {
  account: {
    table: 'user',
    by: 'id',
    key: id,
    columns: ['id', 'email', 'emailVerifiedAt', 'name', 'username', 'role', 'blockedAt', 'createdAt', 'updatedAt'],
  },
  profile: {
    table: 'profile',
    by: 'userId',
    key: sql.ref('t.userId'),
    columns: ['tagline', 'jobTitle', 'company', 'tags', 'githubUrl', 'twitterUrl', 'linkedinUrl', 'websiteUrl'],
  },
  passkeys: { table: 'passkey', by: 'userId', key: id, columns: ['id', 'name', 'createdAt', 'lastUsedAt'] },
  externalAccounts: {
    table: 'externalIdentity',
    by: 'userId',
    key: id,
    columns: ['id', 'issuer', 'subject', 'email', 'createdAt', 'lastUsedAt'],
  },
  publisherKeys: {
    table: 'publisherKey',
    by: 'accountId',
    key: id,
    columns: ['id', 'name', 'publicKey', 'createdAt', 'revokedAt'],
  },
  sessions: { table: 'session', by: 'userId', key: id, columns: ['id', 'device', 'createdAt', 'seenAt', 'expiresAt'] },
  apps: {
    table: 'grant',
    by: 'userId',
    key: id,
    columns: ['id', 'clientId', 'clientName', 'scope', 'createdAt', 'lastUsedAt', 'expiresAt', 'bounds'],
  },
  'app-events': {
    table: 'grantEvent',
    by: 'userId',
    key: id,
    columns: ['id', 'grantId', 'clientId', 'kind', 'network', 'device', 'createdAt'],
  },
  'pending-acts': {
    table: 'pendingAct',
    by: 'userId',
    key: id,
    columns: ['id', 'grantId', 'clientId', 'operation', 'state', 'reason', 'createdAt', 'expiresAt', 'decidedAt'],
  },
  bugs: {
    table: 'bug',
    by: 'authorId',
    key: id,
    columns: [...said, 'number', 'title', 'description', 'status', 'severity', 'score', 'commentCount', 'viaClientId'],
  },
  features: {
    table: 'feature',
    by: 'authorId',
    key: id,
    columns: [...said, 'number', 'title', 'description', 'status', 'score', 'commentCount', 'viaClientId'],
  },
  posts: {
    table: 'post',
    by: 'authorId',
    key: id,
    columns: [...said, 'number', 'title', 'body', 'score', 'commentCount', 'viaClientId'],
  },
  merged: {
    table: 'mergedThing',
    by: 'authorId',
    key: id,
    columns: [...said, 'type', 'number', 'title', 'text', 'status', 'targetId'],
    more: on('targetId'),
  },
  comments: {
    table: 'comment',
    by: 'authorId',
    key: id,
    columns: [...said, 'targetType', 'targetId', 'parentId', 'body', 'score', 'viaClientId'],
    more: on('targetId'),
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
  votes: {
    table: 'vote',
    by: 'userId',
    key: sql.ref('t.targetId'),
    columns: ['targetId', 'value'],
    more: on('targetId'),
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
    columns: [...notificationKinds, ...['followWritten', 'followAnswered', 'followVoted']],
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
    more: on('orgId'),
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
  items: {
    table: 'libraryItem',
    by: 'ownerId',
    key: id,
    columns: [
      ...[
        'id',
        'kind',
        'slug',
        'name',
        'description',
        'visibility',
        'version',
        'tags',
        'score',
        'commentCount',
        'viaClientId',
      ],
      ...['teamId', 'createdAt', 'updatedAt'],
    ],
  },
  'scan-answers': {
    table: 'versionScan',
    from: sql`(select s.*, i."ownerId" from "versionScan" s join "libraryItem" i on i.id = s."itemId" where s.answer is not null)`,
    by: 'ownerId',
    key: sql`t."itemId" || '/' || t.version`,
    columns: ['itemId', 'version', 'answer', 'answeredAt'],
  },
  'owners-and-maintainers': {
    table: 'membership',
    by: 'accountId',
    key: sql.ref('t.itemId'),
    columns: ['itemId', 'role', 'since'],
  },
  invitations: {
    table: 'invitation',
    by: 'accountId',
    key: id,
    columns: ['id', 'itemId', 'teamId', 'role', 'createdAt', 'expiresAt'],
  },
  teams: {
    table: 'teamMember',
    by: 'accountId',
    key: id,
    columns: ['teamId', 'role', 'since', 'shown'],
    more: sql`(select slug from team where team.id = t."teamId") as slug,
      (select name from team where team.id = t."teamId") as name`,
  },
  'saved-filters': { table: 'savedFilter', by: 'userId', key: id, columns: ['id', 'name', 'path', 'createdAt'] },
  drafts: { table: 'formDraft', by: 'userId', key: id, columns: ['id', 'path', 'form', 'fields', 'updatedAt'] },
  webhooks: { table: 'webhook', by: 'ownerId', key: id, columns: ['id', 'url', 'description', 'events', 'createdAt'] },
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

export interface DataRow {
  key: string
  [column: string]: unknown
}

/** Rows of a section after one, in order. */
export async function listRows(
  db: Db,
  { table, from = sql.table(table), by, key, columns, more }: Section,
  { userId, after, limit }: { userId: string; after: string; limit: number },
): Promise<DataRow[]> {
  const selected = [...columns.map((name) => sql.ref(`t.${name}`)), ...(more ? [more] : [])]
  const { rows } = await sql<DataRow>`select ${key} as "key", ${sql.join(selected)} from ${from} t
    where ${sql.ref(`t.${by}`)} = ${userId} and ${key} > ${after} order by ${key} limit ${limit}`.execute(db)
  return rows
}

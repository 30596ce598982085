// What an export has of the account itself and of the library: columns by name, so that a new one is in it only when it is written here.
import { type RawBuilder, sql } from 'kysely'

export interface Section {
  table: string
  /** The table as `t`, with others that it is read with. */
  from?: RawBuilder<unknown>
  /** Leaves rows out. */
  only?: RawBuilder<unknown>
  /** The column with the id of the account: of the table, or of another one by its name in `from`. */
  by: string
  /** Orders the rows of an account; unique among them. */
  key: RawBuilder<unknown>
  columns: readonly string[]
  /** What `more` reads beside `t`, joined to it: for a table that may be distributed, whose own rows are found first. */
  beside?: RawBuilder<unknown>
  /** Columns that are made. */
  more?: RawBuilder<unknown>
}

const id = sql.ref('t.id')

/** Settings of an inbox that are on or off. */
export const inboxSwitches = ['followWritten', 'followAnswered', 'followVoted', 'pushMentions', 'pushApprovals']

/** The account, how it is signed in to, and what acts for it. */
export const accountSections = {
  account: {
    table: 'user',
    by: 'id',
    key: id,
    columns: [
      ...['id', 'email', 'emailVerifiedAt', 'name', 'username', 'role', 'language', 'blockedAt', 'deletionAt'],
      ...['createdAt', 'updatedAt', 'externalGroups', 'trust', 'trustAt'],
    ],
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
    columns: ['id', 'issuer', 'subject', 'email', 'createdAt', 'lastUsedAt', 'sourceId', 'username', 'toldAt'],
  },
  chatLinks: {
    table: 'chatLink',
    by: 'userId',
    key: id,
    columns: ['id', 'service', 'workspace', 'chatUser', 'name', 'createdAt'],
  },
  trackerLinks: {
    table: 'trackerAccount',
    by: 'userId',
    key: sql.ref('t.service'),
    columns: ['service', 'host', 'personId', 'login', 'createdAt', 'expiresAt', 'linkedAt'],
  },
  pushBrowsers: {
    table: 'pushSubscription',
    by: 'userId',
    key: id,
    columns: ['id', 'device', 'createdAt', 'deliveredAt'],
  },
  'address-changes': {
    table: 'emailChange',
    by: 'userId',
    key: id,
    columns: ['id', 'oldEmail', 'changedAt'],
  },
  'personal-tokens': {
    table: 'personalToken',
    by: 'userId',
    key: id,
    columns: ['id', 'name', 'scope', 'createdAt', 'lastUsedAt', 'expiresAt'],
  },
  workloads: {
    table: 'workload',
    by: 'userId',
    key: id,
    columns: ['id', 'name', 'issuer', 'subject', 'claims', 'scope', 'bounds', 'createdAt', 'lastUsedAt'],
  },
  publisherKeys: {
    table: 'publisherKey',
    by: 'accountId',
    key: id,
    columns: ['id', 'name', 'publicKey', 'createdAt', 'revokedAt'],
  },
  trustedPublishers: {
    table: 'trustedPublisher',
    by: 'accountId',
    key: id,
    columns: [
      ...(['id', 'itemId', 'kind', 'slug', 'issuer', 'repository', 'workflow', 'ref', 'environment'] as const),
      ...(['repositoryId', 'repositoryOwnerId', 'createdAt', 'lastUsedAt'] as const),
    ],
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
    columns: [
      ...['id', 'grantId', 'clientId', 'clientName', 'operation', 'scope', 'title', 'state', 'reason', 'request'],
      ...['createdAt', 'expiresAt', 'decidedAt', 'itemId', 'helpers'],
    ],
  },
} satisfies Record<string, Section>

/** What it published, owns and takes part in. */
export const librarySections = {
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
      ...['deprecation', 'successor', 'license', 'teamId', 'createdAt', 'updatedAt'],
    ],
  },
  versions: {
    table: 'itemVersion',
    from: sql`"itemVersion" t join "libraryItem" i on i.id = t."itemId"`,
    only: sql`i.gallery = 0`,
    by: 'i.ownerId',
    key: sql`t."itemId" || '/' || t.version`,
    columns: [
      ...['itemId', 'version', 'sha256', 'size', 'createdAt', 'changelog', 'license', 'yankedAt', 'yankReason'],
      'viaClientId',
    ],
  },
  outcomes: {
    table: 'outcome',
    by: 'accountId',
    key: id,
    columns: ['itemId', 'day', 'outcome', 'error', 'os', 'arch', 'client', 'clientVersion', 'text'],
    more: sql`(select v.version from "itemVersion" v where v."itemId" = t."itemId" and v.number = t.number) as version`,
  },
  'scan-answers': {
    table: 'versionScan',
    from: sql`"versionScan" t join "libraryItem" i on i.id = t."itemId"`,
    only: sql`t.answer is not null`,
    by: 'i.ownerId',
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
  'provider-account': {
    table: 'scimUser',
    by: 'userId',
    key: sql.ref('t.userId'),
    columns: [
      'externalId',
      'userName',
      'attributes',
      'givenRole',
      'ownRole',
      'givenBoards',
      'ownBoards',
      'createdAt',
      'updatedAt',
      'deletedAt',
    ],
  },
  'site-account': {
    table: 'widgetIdentity',
    by: 'userId',
    key: sql.ref('t.subject'),
    columns: ['site', 'subject', 'createdAt'],
  },
  boards: { table: 'boardMember', by: 'userId', key: sql.ref('t.boardId'), columns: ['boardId', 'createdAt'] },
  'invitations-sent': {
    table: 'invitation',
    by: 'invitedBy',
    key: id,
    columns: ['id', 'itemId', 'teamId', 'role', 'createdAt', 'expiresAt'],
  },
  // The texts of teams are those of their owners.
  'team-texts': {
    table: 'team',
    from: sql`team t join "teamMember" m on m."teamId" = t.id`,
    only: sql`m.role = 'owner'`,
    by: 'm.accountId',
    key: id,
    columns: ['id', 'slug', 'name', 'description', 'createdAt', 'updatedAt'],
  },
  teams: {
    table: 'teamMember',
    by: 'accountId',
    key: id,
    columns: ['teamId', 'role', 'since', 'shown'],
    more: sql`(select slug from team where team.id = t."teamId") as slug,
      (select name from team where team.id = t."teamId") as name`,
  },
} satisfies Record<string, Section>

// What the export of an account does not have, table by table, and why: test/export-declared.test.ts compares it and the sections with the
// database, so that a new table or column is either exported or named here.

const OF_SERVER = 'the work of the server, of no account'
const DERIVED = 'made of what is exported'
const SECRET = 'secrets and hashes of them'
const SHARED = 'of the community, not of one account'

/** Tables without anything that is exported. */
export const leftOutTables: Readonly<Record<string, string>> = {
  accountDeletion: 'the account says when it will be erased, the audit log who asked for it and why',
  accountSweep: OF_SERVER,
  agent: SHARED,
  auditHead: OF_SERVER,
  blobRemoval: OF_SERVER,
  bugLabel: DERIVED,
  claim: SECRET,
  countedDownload: OF_SERVER,
  counter: OF_SERVER,
  dataExport: 'exports themselves',
  dayDownloads: SHARED,
  dependency: DERIVED,
  deviceCode: SECRET,
  dpopProof: SECRET,
  emailCode: SECRET,
  event: 'the inbox and what was written have it',
  eventNumber: OF_SERVER,
  featureLabel: DERIVED,
  feedEntry: DERIVED,
  goneVersion: 'names and hashes of what was public, of no account',
  grantScopeUse: DERIVED,
  evidence: 'what was reported, for moderators alone',
  idTokenKey: OF_SERVER,
  idempotencyKey: 'answers that are kept for a day',
  itemCount: OF_SERVER,
  itemDownloads: SHARED,
  itemTag: DERIVED,
  itemText: DERIVED,
  job: OF_SERVER,
  keptSlug: DERIVED,
  knownBrowser: SECRET,
  knownNetwork: SECRET,
  label: SHARED,
  libraryUpload: 'counts uploads for an hour',
  logCheckpoint: OF_SERVER,
  logCosignature: OF_SERVER,
  logEntry: 'the public log, without names',
  logFilling: 'out of use; a later release drops it',
  logHead: OF_SERVER,
  logTile: OF_SERVER,
  mergeUndo: 'the audit log has the act and its reason',
  mergedPart: DERIVED,
  moderationCase: 'how many reported a thing is for moderators',
  namedFile: OF_SERVER,
  oauthClient: SHARED,
  oauthToken: SECRET,
  orgPage: DERIVED,
  orgRunFile: 'the files themselves are in it',
  outbox: 'mails that are on their way',
  passkeyChallenge: SECRET,
  pendingFile: 'files that wait for a day at most',
  postLabel: DERIVED,
  pushedRequest: SECRET,
  rateLimit: OF_SERVER,
  searchBuild: OF_SERVER,
  clockDoubt: OF_SERVER,
  searchCount: OF_SERVER,
  searchDocument: DERIVED,
  searchText: DERIVED,
  searchWord: DERIVED,
  setting: 'of the server; the audit log has who changed what',
  settingChange: 'of the server; the audit log has who changed what',
  setup: OF_SERVER,
  signUpInvitation: 'of addresses without an account',
  slug: DERIVED,
  storedBytes: DERIVED,
  takenNotification: 'of what is hidden now, and comes back to the inbox with it',
  teamHandover: OF_SERVER,
  thingNumber: OF_SERVER,
  useFilling: 'out of use; a later release drops it',
  versionDetails: DERIVED,
  versionDownloads: SHARED,
  versionPermissions: DERIVED,
  versionStatement: DERIVED,
  webhookDelivery: 'copies of events, kept for a while',
}

/** Columns of tables that are exported, by why they are not: `hidden` and counters are how the server shows a thing. */
const why = {
  secret: [
    ...['user.passwordHash', 'session.tokenHash', 'personalToken.hash', 'emailChange.tokenHash'],
    ...['passkey.credentialId', 'passkey.publicKey', 'passkey.counter', 'passkey.transports'],
    ...['webhook.secret', 'webhook.previousSecret', 'webhook.previousSecretUntil'],
  ],
  account: [
    ...['bug.authorId', 'feature.authorId', 'post.authorId', 'release.authorId', 'mergedThing.authorId'],
    ...['comment.authorId', 'orgUpload.authorId', 'orgRun.authorId', 'orgImage.uploaderId', 'textImage.uploaderId'],
    ...['libraryItem.ownerId', 'webhook.ownerId', 'membership.accountId', 'publisherKey.accountId'],
    ...['teamMember.accountId', 'report.reporterId', 'statusChange.actorId', 'revision.editorId'],
  ],
  ofOthers: [
    ...['audit.actorId', 'audit.detail', 'invitation.accountId', 'invitation.invitedBy', 'mergedThing.mergedBy'],
    ...['moderationAct.accountId', 'moderationAct.actorId', 'moderationAct.caseId', 'moderationAct.purgedAt'],
    ...['mergedThing.reason', 'mergedThing.mergedAt', 'report.caseId', 'itemVersion.yankedByAdmin'],
    ...['versionScan.findings', 'versionScan.warnings', 'versionScan.scannedAt', 'revision.thingId'],
  ],
  ofServer: [
    ...[
      'user.usernameKey',
      'user.avatarUpdatedAt',
      'user.avatarSha256',
      'user.emailVerifiedBy',
      'user.credentialsValidFrom',
    ],
    ...['emailChange.oldVerifiedAt', 'emailChange.oldVerifiedBy', 'emailChange.role', 'emailChange.undoUntil'],
    ...['session.authenticatedAt', 'grant.sessionId', 'pendingAct.preview', 'pendingAct.answer', 'pendingAct.size'],
    ...['audit.position', 'audit.previous', 'audit.hash', 'follow.since', 'textImage.gone'],
    ...['inbox.last', 'inbox.unread', 'inbox.mailAfter', 'inbox.dailyUntil', 'inbox.weeklyUntil'],
    ...[
      'notification.position',
      'notification.mail',
      'notification.mailAt',
      'orgUpload.bannerUrl',
      'orgUpload.topology',
    ],
    ...['webhook.failingSince', 'webhook.failures', 'webhook.dueAt', 'webhook.pausedUntil', 'webhook.leaseEndsAt'],
    ...['libraryItem.rowId', 'libraryItem.keywords', 'libraryItem.listed', 'libraryItem.gallery', 'libraryItem.sha256'],
    ...[
      'libraryItem.size',
      'libraryItem.meta',
      'libraryItem.heldSince',
      'libraryItem.newestVersion',
      'libraryItem.yanked',
    ],
    ...['itemVersion.number', 'itemVersion.precedence', 'mergedThing.labels', 'mergedThing.doneAt'],
    ...['mergedThing.directId', 'mergedThing.record', 'orgUpload.roleCount', 'comment.thread', 'teamMember.id'],
  ],
  /** Exported where they are the account's own words (export-data-queries.ts). */
  made: ['revision.changes'],
  everywhere: ['userId', 'updatedAt', 'hidden', 'revisionCount', 'statusChangeCount', 'mergedCount', 'replyCount'],
}

export const leftOutColumns: ReadonlySet<string> = new Set([
  ...[...why.secret, ...why.account, ...why.ofOthers, ...why.ofServer, ...why.made],
  ...['thumbs_up', 'heart', 'hooray', 'laugh', 'confused', 'eyes'].map((reaction) => `comment.${reaction}`),
])

/** In any table. */
export const leftOutEverywhere: ReadonlySet<string> = new Set(why.everywhere)

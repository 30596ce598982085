// What the archive of an instance has of each table and column, and what it leaves out and why: the one place where that is decided.
// test/archive-declared.test.ts compares it with the database, so that a new table or column is named here or fails.

const SECRET = 'a secret, or a hash of one'
const SIGNED_IN = 'who is signed in, and from where'
const WAY_IN = 'a way into an account: its owner claims it by a mailed code'
const OF_AGENTS = 'what agents were given: the account gives it again'
const DERIVED = 'made again from what is in it'
const LOG = 'the log begins again'
const OF_SERVER = 'the work of this server'
const OF_LINK = 'of a link with a repository, which has secrets: an admin links it again, from now on'
const ON_THE_WAY = 'on its way: sealed with the key of this server'

/** Tables that it has, with their columns. */
export const kept = {
  accountDeletion: 'userId content requestedBy reason requestedAt eraseAt step leasedUntil',
  accountSweep: 'userId bit isOn place done total startedAt doneAt',
  agent: 'clientId name firstSeenAt seenAt',
  assignment: 'thingId userId createdAt',
  audit: 'id at actorId action targetType targetId detail reason address position previous hash',
  auditHead: 'id position hash',
  board:
    'id slug name description position readers writers moderators statuses labels createdAt updatedAt archivedAt agents',
  boardMember: 'boardId userId createdAt',
  bounce: 'id email kind status softCount since stoppedAt updatedAt',
  bug: 'id title description authorId status severity score commentCount createdAt updatedAt number editedAt revisionCount statusChangeCount hidden mergedCount viaClientId boardId touchedAt',
  bugLabel: 'labelId bugId authorId status severity createdAt score hidden touchedAt',
  classifierCheck: 'id type viaClientId createdAt givenUpAt changes',
  comment:
    'id targetId targetType authorId body createdAt parentId thread replyCount score thumbs_up heart hooray laugh confused eyes editedAt revisionCount hidden viaClientId',
  counter: 'key count',
  dayDownloads: 'itemId day count',
  dependency: 'itemId version kind slug shown place',
  event:
    'id kind targetType targetId number title url actorId commentId excerpt detail mentioned repliedTo createdAt place recipients doneAt hidden sequence',
  evidence: 'id targetType targetId authorId title text createdAt waiting deleteAt',
  feature:
    'id title description authorId status score createdAt updatedAt commentCount number editedAt revisionCount statusChangeCount hidden mergedCount viaClientId boardId touchedAt',
  featureLabel: 'labelId featureId authorId status createdAt score hidden touchedAt',
  feedEntry: 'id type title preview authorId url score commentCount createdAt number viaClientId',
  feedback: 'thingId type itemId number',
  floodCheck: 'id type createdAt',
  follow: 'targetId userId state createdAt since',
  formDraft: 'id userId path form fields updatedAt',
  fullText: 'thingId text',
  goneVersion: 'kind slug precedence version sha256',
  import: 'id source name state cursor options report done total firstNumber createdBy createdAt endedAt error',
  importRecord: 'importId sortKey body',
  importClaim: 'placeholderId scope sourceId userId createdAt',
  imported: 'scope type sourceId importId thingId number ownNumber url',
  importedPerson: 'scope sourceId accountId nameKey claimedAt',
  inbox:
    'userId last unread followWritten followAnswered followVoted mention reply comment status version mailAfter dailyUntil weeklyUntil release posted invitation approval ofClosed pushMentions pushApprovals report',
  invitation: 'id itemId accountId role invitedBy createdAt expiresAt teamId',
  itemCount: 'scope tag count',
  itemDownloads: 'itemId total',
  itemTag: 'tag itemId kind visibility updatedAt listed score rank',
  itemText: 'rowId text owner facets',
  itemVersion:
    'itemId number version precedence sha256 size createdAt yankedAt yankReason changelog license yankedByAdmin viaClientId',
  keptSlug: 'kind slug ownerId',
  label: 'id name nameKey color description',
  libraryItem:
    'rowId id kind slug name description keywords ownerId visibility listed gallery version sha256 size meta tags score commentCount createdAt updatedAt hidden heldSince newestVersion deprecation successor license yanked teamId viaClientId lifeAt rank',
  membership: 'itemId accountId role since',
  mergeUndo: 'id type targetId undoneBy reason startedAt',
  mergedPart: 'mergedId kind partId isAdded value',
  mergedThing:
    'id type number targetId title text authorId createdAt editedAt status revisionCount statusChangeCount labels mergedBy mergedAt reason doneAt directId record hidden targetEdits targetStatusChanges',
  moderationAct:
    'id caseId targetType targetId title url accountId actorId action rule reason createdAt undoneAt purgedAt appeal appealedAt appealGranted appealReason appealDecidedAt',
  moderationCase:
    'id targetType targetId authorId state reportCount held appealCount createdAt closedAt machineVerdict machineReason machinePercent viaClientId',
  nameDomain: 'domain publicKeys signedAt changes dueAt askedAt namedAt',
  notification: 'userId position eventId kind read createdAt mail mailAt',
  orgImage: 'id orgId uploaderId contentType size createdAt sha256',
  orgPage: 'orgId name goal body chart',
  orgRun: 'id orgId authorId label createdAt hidden viaClientId',
  orgRunFile: 'id runId position filename fileType sizeBytes sha256',
  orgUpload:
    'id slug authorId name goal tagline description bannerUrl topology roleCount score commentCount runCount sha256 size createdAt updatedAt hidden viaClientId',
  outcome: 'id itemId number day accountId outcome error os arch client clientVersion text network weight hidden',
  post: 'id title body authorId score createdAt commentCount number editedAt revisionCount hidden mergedCount viaClientId boardId touchedAt',
  postLabel: 'labelId postId authorId createdAt score hidden touchedAt',
  profile: 'userId tagline jobTitle company tags githubUrl twitterUrl linkedinUrl websiteUrl',
  publisherKey: 'id accountId name publicKey createdAt revokedAt',
  reaction: 'commentId userId reaction',
  release:
    'id number title body version date closes pending authorId score commentCount createdAt editedAt revisionCount hidden viaClientId boardId',
  report: 'id caseId targetId reporterId reason text createdAt closed',
  revision: 'id targetType targetId thingId editorId changes createdAt viaClientId',
  sample: 'thingId type fingerprint',
  savedFilter: 'id userId name path createdAt',
  scimGroup: 'id externalId displayName displayNameKey gives createdAt updatedAt',
  scimMember: 'groupId userId',
  scimUser:
    'userId externalId userName userNameKey attributes blockedAt isBlockedElse givenRole ownRole givenBoards ownBoards createdAt updatedAt deletedAt',
  searchText: 'id type text',
  setting: 'name value actorId changedAt',
  settingChange: 'number id name valueBefore valueAfter actorId changedAt',
  sharedFilter: 'id boardId userId name path createdAt',
  signUpInvitation: 'id email createdAt expiresAt',
  slug: 'kind slug base targetId',
  stagedItem: 'itemId since',
  staleOutcomes: 'itemId number since',
  staleRank: 'itemId since',
  statusChange: 'id targetType targetId actorId from to reason createdAt viaClientId',
  storedBytes: 'accountId bytes avatarBytes',
  suggestion:
    'id targetType targetId operation input reason confidence state authorId viaClientId createdAt decidedById decidedAt decision',
  takenNotification: 'userId position eventId kind read createdAt mail mailAt',
  team: 'id slug name description hidden createdAt updatedAt',
  teamHandover: 'teamId accountId',
  teamMember: 'id teamId accountId role since shown',
  textImage: 'id uploaderId thingId contentType size sha256 gone createdAt',
  threadChange:
    'id targetType targetId actorId viaClientId action accountId commentId dueOn reason createdAt labelId fromId',
  threadVisit: 'userId thingId seenAt bookmarkedAt beforeAt',
  threadState: 'id type pinnedAt lockedAt solutionId dueOn',
  user: 'id email emailVerifiedAt name username usernameKey role blockedAt avatarUpdatedAt createdAt updatedAt emailVerifiedBy avatarSha256 deletionAt language credentialsValidFrom externalGroups trust trustAt',
  versionCloses: 'id itemId number accountId pending',
  versionDetails: 'itemId version readme contents meta',
  versionDownloads: 'itemId version count',
  versionOutcomes: 'itemId number worked failed accounts weight rate lower errors',
  versionPermissions: 'itemId version revision permissions',
  versionScan: 'itemId version findings warnings scannedAt answer answeredAt',
  versionStatement: 'itemId version payload publisherId keyId signature isLogged approverId',
  vote: 'targetId userId value',
  weekFigure: 'week activeMembers databaseBytes storedBytes',
  widgetIdentity: 'site subject userId createdAt',
} as const

export type KeptTable = keyof typeof kept

/** Tables that it does not have, and why. */
export const leftOutTables = {
  blobRemoval: OF_SERVER,
  boardInvitation: 'of a link that invites',
  chatLink: WAY_IN,
  claim: SECRET,
  clockDoubt: OF_SERVER,
  countedDownload: 'keyed hashes of networks',
  dataExport: 'archives of accounts: they ask again',
  deviceCode: SECRET,
  dpopProof: SECRET,
  emailChange: SECRET,
  emailCode: SECRET,
  endedGrant: OF_AGENTS,
  externalIdentity: WAY_IN,
  feedKey: SECRET,
  grant: OF_AGENTS,
  grantEvent: OF_AGENTS,
  grantScopeUse: OF_AGENTS,
  guestDigest: 'addresses of guests: they ask again',
  idTokenKey: SECRET,
  idempotencyKey: ON_THE_WAY,
  invitationLink: SECRET,
  invitationUse: 'of a link that invites',
  job: OF_SERVER,
  knownBrowser: SIGNED_IN,
  knownNetwork: SIGNED_IN,
  libraryUpload: 'counts uploads for an hour',
  logCheckpoint: LOG,
  logCosignature: LOG,
  logEntry: LOG,
  logFilling: 'out of use',
  logHead: LOG,
  logTile: LOG,
  machineAnswer: DERIVED,
  machineDay: 'what a day used up of the budget of this server',
  meaning: DERIVED,
  namedFile: OF_SERVER,
  oauthClient: OF_AGENTS,
  oauthToken: SECRET,
  outbox: ON_THE_WAY,
  passkey: WAY_IN,
  passkeyChallenge: SECRET,
  pendingAct: ON_THE_WAY,
  pendingFile: ON_THE_WAY,
  personalToken: SECRET,
  publishingGrant: OF_AGENTS,
  pushKey: SECRET,
  pushMessage: ON_THE_WAY,
  pushSubscription: SIGNED_IN,
  pushedRequest: SECRET,
  rateLimit: OF_SERVER,
  scimToken: SECRET,
  secretClient: SECRET,
  searchBuild: DERIVED,
  searchCount: DERIVED,
  searchDocument: DERIVED,
  searchWord: DERIVED,
  seenMail: 'hashes of mails that were taken, for a month',
  session: SIGNED_IN,
  setup: 'the set-up of this server',
  signal: 'revocations on their way to others',
  signalDelivery: 'revocations on their way to others',
  signalStream: SECRET,
  toldEvent: 'what was told lately, for two days',
  tracker: OF_LINK,
  trackerAccount: WAY_IN,
  trackerPair: OF_LINK,
  trackerPerson: OF_LINK,
  trackerWork: OF_LINK,
  trustedPublisher: WAY_IN,
  useFilling: 'out of use',
  usedProof: SECRET,
  versionDownloader: 'keyed hashes of accounts and versions',
  webhook: 'its secret and perhaps its address are secrets: the owner adds it again',
  webhookDelivery: 'of a webhook',
  widgetKey: SECRET,
  workload: WAY_IN,
} as const satisfies Readonly<Record<string, string>>

/** Columns of tables that it has, without their values: they are null, or the default, where it is imported. */
export const leftOutColumns = {
  'searchText.rowId': 'the number of a row, on SQLite alone',
  'storedBytes.networkHash': 'a keyed hash of a network',
  'storedBytes.subnetHash': 'a keyed hash of a network',
  'user.passwordHash': WAY_IN,
} as const satisfies Readonly<Record<string, string>>

/** Columns that it has with another value than the row, and which. */
export const changedColumns = {
  'accountDeletion.leasedUntil': 'no process works on it',
  'event.doneAt': 'done, unless it takes notifications back: no one is notified of it again',
  'notification.mail': 'no mail is sent of it',
  'notification.mailAt': 'no mail is sent of it',
  'storedBytes.bytes': 'without files of writes that wait',
  'takenNotification.mail': 'no mail is sent of it',
  'takenNotification.mailAt': 'no mail is sent of it',
  'versionStatement.isLogged': 'the log begins again',
} as const satisfies Readonly<Record<string, string>>

/** Rows of tables that it has which it leaves out, and why. */
export const leftOutRows = {
  setting: 'settings that are secrets',
  settingChange: 'settings that are secrets',
} as const satisfies Readonly<Record<string, string>>

export const keptTables = Object.keys(kept) as readonly KeptTable[]

/** The columns that it has of a table, in order. */
export const columnsOf = (table: KeptTable): readonly string[] => kept[table].split(' ')

export const isKept = (name: string): name is KeptTable => Object.hasOwn(kept, name)

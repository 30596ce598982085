// The values that columns of an archive may have, where the data model lists them: the types of src/database/schema-*.ts decide which columns
// and which values those are, so that this does not compile when it forgets one.
import type { Selectable } from 'kysely'
import type { Database } from '../../database/schema.ts'
import type { KeptTable } from './dispositions.ts'

type KeptDatabase = Pick<Database, Extract<KeptTable, keyof Database>>
type Value<T extends keyof KeptDatabase, C extends keyof Selectable<KeptDatabase[T]>> = NonNullable<
  Selectable<KeptDatabase[T]>[C]
>
/** Texts and numbers of any kind are not listed. */
type IsListed<V> = [V] extends [never] ? false : string extends V ? false : number extends V ? false : true
type ListedIn<T extends keyof KeptDatabase> = {
  [C in keyof Selectable<KeptDatabase[T]> & string]: IsListed<Value<T, C>> extends true
    ? { name: `${T}.${C}`; value: `${Value<T, C> & (string | number)}` }
    : never
}[keyof Selectable<KeptDatabase[T]> & string]
type ListedColumn = { [T in keyof KeptDatabase]: ListedIn<T> }[keyof KeptDatabase]
type Values = { readonly [Name in ListedColumn['name']]: Record<Extract<ListedColumn, { name: Name }>['value'], true> }

const FLAG = { 0: true, 1: true } as const
const SEVERITY = { critical: true, high: true, low: true, medium: true } as const
const CHANNEL = { daily: true, mail: true, off: true, site: true, weekly: true } as const
const ITEM_KIND = { automation: true, 'mcp-server': true, org: true, skill: true, workflow: true } as const
const ROLE = { admin: true, member: true, moderator: true } as const
const MAIL = { daily: true, mail: true, weekly: true } as const
const BUG_STATUS = { in_progress: true, open: true, resolved: true, wontfix: true } as const
const FEATURE_STATUS = { declined: true, open: true, planned: true, shipped: true } as const
const RULE = {
  abuse: true,
  illegal: true,
  malware: true,
  off_topic: true,
  other: true,
  privacy: true,
  spam: true,
} as const
const NOTIFICATION = {
  approval: true,
  comment: true,
  invitation: true,
  mention: true,
  notice: true,
  posted: true,
  release: true,
  report: true,
  reply: true,
  status: true,
  version: true,
} as const

const VISIBILITY = { official: true, private: true, public: true } as const

const values: Values = {
  'accountDeletion.content': { anonymise: true, delete: true },
  'accountDeletion.requestedBy': { admin: true, owner: true },
  'accountSweep.isOn': { 0: true, 1: true, 2: true },
  'bounce.kind': { complaint: true, hard: true, soft: true },
  'bug.severity': SEVERITY,
  'bug.status': BUG_STATUS,
  'bugLabel.severity': SEVERITY,
  'bugLabel.status': BUG_STATUS,
  'dependency.kind': ITEM_KIND,
  'dependency.shown': FLAG,
  'event.hidden': FLAG,
  'event.kind': {
    asked: true,
    assigned: true,
    blocked: true,
    comment: true,
    created: true,
    decided: true,
    deprecated: true,
    edited: true,
    gone: true,
    hidden: true,
    invited: true,
    judged: true,
    merged: true,
    notice: true,
    released: true,
    shown: true,
    solved: true,
    status: true,
    undeprecated: true,
    unmerged: true,
    unyanked: true,
    version: true,
    yanked: true,
  },
  'evidence.waiting': FLAG,
  'feature.status': FEATURE_STATUS,
  'featureLabel.status': FEATURE_STATUS,
  'feedEntry.type': {
    automation: true,
    bug: true,
    feature: true,
    'mcp-server': true,
    org: true,
    post: true,
    release: true,
    skill: true,
    workflow: true,
  },
  'follow.state': { following: true, installed: true, muted: true },
  'goneVersion.kind': ITEM_KIND,
  'inbox.approval': CHANNEL,
  'inbox.comment': CHANNEL,
  'inbox.followAnswered': FLAG,
  'inbox.followVoted': FLAG,
  'inbox.followWritten': FLAG,
  'inbox.invitation': CHANNEL,
  'inbox.mention': CHANNEL,
  'inbox.ofClosed': FLAG,
  'inbox.posted': CHANNEL,
  'inbox.pushApprovals': FLAG,
  'inbox.pushMentions': FLAG,
  'inbox.release': CHANNEL,
  'inbox.reply': CHANNEL,
  'inbox.report': CHANNEL,
  'inbox.status': CHANNEL,
  'inbox.version': CHANNEL,
  'invitation.role': { maintainer: true, member: true, owner: true, transfer: true },
  'itemVersion.yankedByAdmin': FLAG,
  'keptSlug.kind': { automation: true, 'mcp-server': true, org: true, skill: true, team: true, workflow: true },
  'itemTag.kind': ITEM_KIND,
  'itemTag.listed': FLAG,
  'itemTag.visibility': VISIBILITY,
  'libraryItem.gallery': FLAG,
  'libraryItem.kind': ITEM_KIND,
  'libraryItem.listed': FLAG,
  'libraryItem.visibility': VISIBILITY,
  'libraryItem.yanked': FLAG,
  'membership.role': { maintainer: true, owner: true },
  'mergedPart.isAdded': FLAG,
  'mergedPart.kind': { comment: true, event: true, follow: true, label: true, vote: true },
  'moderationAct.action': {
    approve: true,
    block: true,
    delete: true,
    dismiss: true,
    hide: true,
    remove_all: true,
    unblock: true,
    undo: true,
    warn: true,
  },
  'moderationAct.appealGranted': FLAG,
  'moderationAct.rule': RULE,
  'moderationCase.held': FLAG,
  'moderationCase.machineVerdict': { hold: true, spam: true },
  'moderationCase.state': { closed: true, open: true },
  'notification.kind': NOTIFICATION,
  'notification.mail': MAIL,
  'notification.read': FLAG,
  'orgRunFile.fileType': { html: true, md: true },
  'outcome.outcome': { failed: true, worked: true },
  'reaction.reaction': { confused: true, eyes: true, heart: true, hooray: true, laugh: true, thumbs_up: true },
  'report.closed': FLAG,
  'report.reason': RULE,
  'scimUser.givenRole': ROLE,
  'scimUser.isBlockedElse': FLAG,
  'scimUser.ownRole': ROLE,
  'slug.kind': { automation: true, 'mcp-server': true, org: true, skill: true, team: true, workflow: true },
  'suggestion.state': { accepted: true, refused: true, waiting: true, withdrawn: true },
  'takenNotification.kind': NOTIFICATION,
  'takenNotification.mail': MAIL,
  'takenNotification.read': FLAG,
  'teamMember.role': { member: true, owner: true },
  'teamMember.shown': FLAG,
  'textImage.gone': FLAG,
  'threadChange.action': {
    assigned: true,
    due: true,
    labelled: true,
    locked: true,
    pinned: true,
    referenced: true,
    solved: true,
    unassigned: true,
    unlabelled: true,
    unlocked: true,
    unpinned: true,
    unsolved: true,
  },
  'user.emailVerifiedBy': { change: true, claim: true, code: true, external: true },
  'user.role': ROLE,
  'versionStatement.isLogged': FLAG,
  'vote.value': { '-1': true, 1: true },
}

const listed: Readonly<Record<string, Readonly<Record<string, true>>>> = values

/** Whether a column may have a value; any, where none are listed. */
export function mayBe(column: string, value: string | number): boolean {
  const known = Object.hasOwn(listed, column) ? listed[column] : undefined
  return known === undefined || Object.hasOwn(known, String(value))
}

// What a page says after an act, and the form that undoes the act: one table of all acts that say something. A row knows the form that was sent
// by the fields that it keeps, so an undo is the same form, or another one of the same page, with other values.

/** What was sent, as far as a row keeps it. */
type Fields = Readonly<Record<string, string>>

interface Undo {
  /** The action of the page that undoes it; the same one where it is left out. */
  act?: string
  fields: Fields
}

export interface Act {
  /** The fields that are kept; those whose name begins with `was-` are what was before. */
  keeps?: readonly string[]
  /** A message of the area `said`; undefined where the page shows the result by itself. */
  says: (kept: Fields) => ActMessage | undefined
  /** What undoes it; undefined where nothing does. */
  undo?: (kept: Fields) => Undo | undefined
}

/** The messages: names of the area `said`. */
export const messages = [
  ...['closed', 'reopened', 'locked', 'unlocked', 'pinned', 'unpinned', 'bookmarked', 'unbookmarked'],
  ...['labelAdded', 'labelRemoved', 'decided', 'assigned', 'unassigned', 'due', 'solved', 'unsolved'],
  ...['moved', 'merged', 'unmerged', 'published', 'deleted', 'commentDeleted', 'edited'],
  ...['accepted', 'declined', 'followed', 'muted', 'unfollowed', 'read', 'unread', 'allRead'],
  ...[
    'filterSaved',
    'filterRemoved',
    'invited',
    'invitationEnded',
    'invitationDeclined',
    'roleSaved',
    'removed',
    'left',
  ],
  ...[
    'handedOver',
    'addressSaved',
    'joined',
    'caseDecided',
    'decisionUndone',
    'appealGranted',
    'appealDenied',
    'appealSent',
  ],
  ...['disconnected', 'passkeySaved', 'passkeyRemoved', 'proofRemoved'],
] as const
export type ActMessage = (typeof messages)[number]

/** A form that turns one thing on or off. */
const toggle = (name: string, on: ActMessage, off: ActMessage): Act => ({
  keeps: [name],
  says: (kept) => (kept[name] === 'true' ? on : off),
  undo: (kept) => ({ fields: { [name]: String(kept[name] !== 'true') } }),
})

const says = (message: ActMessage): Act => ({ says: () => message })
/** The page shows the result by itself. */
const shown: Act = { says: () => undefined }

const WAS = 'was-'
/** What was before, under the names of the form. */
const before = (kept: Fields): Fields =>
  Object.fromEntries(
    Object.entries(kept).flatMap(([name, value]) => (name.startsWith(WAS) ? [[name.slice(WAS.length), value]] : [])),
  )

const close = toggle('closed', 'closed', 'reopened')

const threadActs = {
  close,
  // With a comment alone, the page shows the comment.
  comment: {
    keeps: ['closed'],
    says: (kept) => (kept['closed'] ? close.says(kept) : undefined),
    undo: (kept) => ({ act: 'close', fields: { closed: String(kept['closed'] !== 'true') } }),
  },
  lock: toggle('locked', 'locked', 'unlocked'),
  pin: toggle('pinned', 'pinned', 'unpinned'),
  bookmark: toggle('bookmarked', 'bookmarked', 'unbookmarked'),
  attachLabel: {
    keeps: ['labelId'],
    says: () => 'labelAdded',
    undo: ({ labelId = '' }) => ({ act: 'detachLabel', fields: { labelId } }),
  },
  detachLabel: {
    keeps: ['labelId'],
    says: () => 'labelRemoved',
    undo: ({ labelId = '' }) => ({ act: 'attachLabel', fields: { labelId } }),
  },
  decide: {
    says: () => 'decided',
    undo: (kept) => (Object.keys(before(kept)).length > 0 ? { fields: before(kept) } : undefined),
  },
  assign: {
    keeps: ['accountId'],
    says: () => 'assigned',
    // One that had it already keeps it.
    undo: ({ accountId = '', 'was-assignees': had = '' }) =>
      accountId === '' || had.split(',').includes(accountId) ? undefined : { act: 'unassign', fields: { accountId } },
  },
  unassign: {
    keeps: ['accountId'],
    says: () => 'unassigned',
    undo: ({ accountId = '' }) => ({ act: 'assign', fields: { account: accountId } }),
  },
  setDue: { says: () => 'due', undo: (kept) => ({ fields: before(kept) }) },
  solve: {
    keeps: ['comment', 'solves'],
    says: ({ solves }) => (solves === 'true' ? 'solved' : 'unsolved'),
    undo: ({ comment = '', solves, 'was-solution': solution = '' }) =>
      solves === 'true' && solution !== ''
        ? { fields: { comment: solution, solves: 'true' } }
        : { fields: { comment, solves: String(solves !== 'true') } },
  },
  move: { says: () => 'moved', undo: (kept) => (kept['was-board'] ? { fields: before(kept) } : undefined) },
  // What was merged is undone on the page of what it is in now, with a reason.
  merge: says('merged'),
  undoMerge: says('unmerged'),
  publish: says('published'),
  delete: says('deleted'),
  deleteComment: says('commentDeleted'),
  editComment: says('edited'),
  decideSuggestions: {
    keeps: ['decision'],
    says: ({ decision }) => (decision === 'refuse' ? 'declined' : 'accepted'),
  },
  preview: shown,
  summarize: shown,
  suggestLabels: shown,
  suggestAnswer: shown,
  takeAnswer: shown,
  translate: shown,
} satisfies Record<string, Act>

const inboxActs = {
  open: shown,
  read: { keeps: ['id'], says: () => 'read', undo: ({ id = '' }) => ({ act: 'unread', fields: { id } }) },
  unread: { keeps: ['id'], says: () => 'unread', undo: ({ id = '' }) => ({ act: 'read', fields: { id } }) },
  readThing: says('allRead'),
  readAll: says('allRead'),
} satisfies Record<string, Act>

/** Forms without a page of their own, which lead back to where they were sent. */
const follow = {
  '': {
    keeps: ['id', 'state', 'back'],
    says: ({ state }) => (state === 'following' ? 'followed' : state === 'muted' ? 'muted' : 'unfollowed'),
    undo: ({ id = '', back = '', ...kept }) => ({ fields: { id, back, ...before(kept) } }),
  },
} satisfies Record<string, Act>

const savedFilters = {
  '': { keeps: ['remove'], says: ({ remove = '' }) => (remove === '' ? 'filterSaved' : 'filterRemoved') },
} satisfies Record<string, Act>

const caseActs = {
  decide: says('caseDecided'),
  undo: says('decisionUndone'),
  appeal: { keeps: ['granted'], says: ({ granted }) => (granted === 'true' ? 'appealGranted' : 'appealDenied') },
} satisfies Record<string, Act>

/** Of a team, and of the owners of an item. */
const peopleActs = {
  invite: says('invited'),
  withdraw: says('invitationEnded'),
  role: says('roleSaved'),
  remove: says('removed'),
  leave: says('left'),
  delete: says('deleted'),
} satisfies Record<string, Act>

const invitationActs = {
  accept: says('joined'),
  join: says('joined'),
  decline: says('invitationDeclined'),
} satisfies Record<string, Act>

const securityActs = {
  disconnect: says('disconnected'),
  renamePasskey: says('passkeySaved'),
  removePasskey: says('passkeyRemoved'),
} satisfies Record<string, Act>

/** The acts of pages, by the route of the page and the name of the action. */
export const acts = {
  '/community/[subject=subject]/[id]': threadActs,
  '/notifications': inboxActs,
  '/follow': follow,
  '/saved-filters': savedFilters,
  '/admin/cases/[id]': caseActs,
  '/moderation/notices/[id]': { appeal: says('appealSent') },
  '/teams/[slug]': { leave: peopleActs.leave },
  '/teams/[slug]/edit': peopleActs,
  '/library/[kind=libraryKind]/[slug]/owners': {
    ...peopleActs,
    transfer: says('invited'),
    offer: says('handedOver'),
    rename: says('addressSaved'),
  },
  '/library/invitations': invitationActs,
  '/settings/security': securityActs,
  '/settings/trackers': { remove: says('proofRemoved') },
  '/community/orgs/[slug]/edit': { delete: says('deleted') },
} as const satisfies Record<string, Readonly<Record<string, Act>>>

export type SayingRoute = keyof typeof acts

/** The row of an act; undefined for a page whose acts say nothing here. */
export function actOf(route: string, name: string): Act | undefined {
  const of: Readonly<Record<string, Act>> | undefined = Object.hasOwn(acts, route)
    ? acts[route as SayingRoute]
    : undefined
  return of && Object.hasOwn(of, name) ? of[name] : undefined
}

/** The actions of a page, each of which has a row: the table says what each of them says. */
export const declared = <All extends object>(_: { readonly [Name in keyof NoInfer<All>]: Act }, actions: All): All =>
  actions

/** Names, ids, words and paths: what is kept is short and simple. */
const NAME = /^[a-zA-Z][a-zA-Z-]{0,30}$/
const VALUE = /^[\p{L}\p{N} _.,:;@/?=&%+#~-]{0,400}$/u
const MOST_FIELDS = 10

/** The fields of a form that its row keeps. */
export function keptOf({ keeps = [] }: Act, entries: Iterable<[string, unknown]>): Fields {
  const kept = [...entries].flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && NAME.test(name) && VALUE.test(value) && (keeps.includes(name) || name.startsWith(WAS))
      ? [[name, value]]
      : [],
  )
  return Object.fromEntries(kept.slice(0, MOST_FIELDS))
}

/** What was done, as a browser keeps it until the next page: which row, where, and what that keeps. */
export interface Done {
  route: string
  act: string
  at: string
  kept: Fields
}

export interface Saying {
  says: ActMessage
  undo?: { action: string; fields: Fields } | undefined
}

/** What a page says of an act; undefined for what is not in the table. */
export function sayingOf({ route, act, at, kept }: Done): Saying | undefined {
  const row = actOf(route, act)
  const message = row?.says(kept)
  if (!row || !message) return undefined
  const undo = row.undo?.(kept)
  const name = undo?.act ?? act
  const action = name === '' ? route : `${at}?/${name}`
  return { says: message, undo: undo && { action, fields: undo.fields } }
}

// Following things and members, and the inbox of notifications, for people and their agents.
import { z } from 'zod'
import {
  BoardSlug,
  Cursor,
  EXAMPLE_ID,
  Id,
  PageSize,
  pageEnd,
  ThingNumber,
  Timestamp,
  textLike,
  UsernameOrNull,
} from '../../contract/fields.ts'
import { stream } from '../../contract/files.ts'
import { Href } from '../../contract/href.ts'
import { allNotificationKinds, channels, notificationKinds } from '../../contract/kinds.ts'
import type { Contract } from '../../contract/operation.ts'
import { ActHead } from '../../contract/pending.ts'
import { keysOf, recordOf } from '../../contract/records.ts'
import { byLink, read, write } from '../area.ts'
import { defaultChannels, defaultSwitches, LINES_OF_GROUP } from './rules.ts'

/** A place in an inbox. */
const InboxNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a cursor from an answer')
  .meta({ example: '41' })

/** How many notifications one call marks by their ids. */
export const MAX_MARKED = 100

/** The id of a thing that notifications are about. */
const AboutId = z.string().min(1).max(100).meta({ example: EXAMPLE_ID })

const Notification = z
  .object({
    id: InboxNumber.meta({ description: 'Its number in the inbox: a later one is greater' }),
    type: z.enum(allNotificationKinds).meta({ example: 'reply' }),
    target: z
      .object({
        type: textLike('bug').meta({ description: 'The type of the thing, as that of what a comment is on' }),
        id: textLike(EXAMPLE_ID),
        number: ThingNumber.nullable(),
        title: textLike('The digest is sent twice when the clock changes'),
      })
      .meta({ description: 'The thing that it is about' }),
    url: textLike(`/community/comments/${EXAMPLE_ID}`).meta({ description: 'Where the site shows what happened' }),
    href: Href,
    actor: z
      .object({ id: Id, username: UsernameOrNull })
      .nullable()
      .meta({ description: 'Who did it; null when the account is gone, and of a notice' }),
    excerpt: textLike('The same here, since the last version.').meta({
      description: 'The first 200 characters of the text, or the reason of a status',
    }),
    status: z
      .object({ from: z.string(), to: z.string() })
      .nullable()
      .meta({ description: 'Of a change of status', example: null }),
    notice: z
      .object({ id: Id, action: textLike('hide'), rule: textLike('spam') })
      .optional()
      .meta({ description: 'Of a notice of the moderators' }),
    report: z
      .object({ type: textLike('post'), state: z.enum(['acted', 'dismissed']).meta({ example: 'acted' }) })
      .optional()
      .meta({ description: 'The outcome of my report' }),
    invitation: z
      .object({
        id: Id,
        role: z.enum(['owner', 'maintainer', 'member', 'transfer']).meta({ example: 'maintainer' }),
        state: z.enum(['open', 'accepted', 'removed']).meta({ example: 'open' }),
      })
      .optional()
      .meta({ description: 'Of an invitation to a library item or a team' }),
    agent: textLike('Morning agent').optional().meta({ description: 'Of an approval: the agent that asks' }),
    operation: textLike('bugs.create').optional().meta({ description: 'Of an approval: what the agent wants to make' }),
    act: ActHead.optional().meta({
      description: 'Of an approval, for the account in its browser: what the write says and is about, as it is by now',
    }),
    version: z.string().nullable().meta({ description: 'Of a new version, and of one that was yanked', example: null }),
    change: z
      .enum(['yanked', 'deprecated', 'solved', 'assigned', 'suggestion_accepted', 'suggestion_refused'])
      .optional()
      .meta({
        description:
          'Of a status: a version was yanked, an item is deprecated, a comment is the solution, a thing is assigned to the account, or its suggestion was decided',
      }),
    successor: z.string().optional().meta({
      description: 'kind/slug of what to use instead of a deprecated item',
      example: 'workflow/evening-digest',
    }),
    merged: z
      .object({ number: z.int(), title: z.string() })
      .nullable()
      .meta({ description: 'What was merged into the thing', example: null }),
    unmergedFrom: z
      .object({ number: z.int(), title: z.string() })
      .nullable()
      .meta({ description: 'What the thing had been merged into, where that was undone', example: null }),
    release: z
      .object({ id: z.string(), url: z.string(), href: Href })
      .nullable()
      .meta({ description: 'What closed it', example: null }),
    createdAt: Timestamp,
    read: z.boolean().meta({ example: false }),
  })
  .meta({ id: 'Notification' })

const Group = z
  .object({
    target: Notification.shape.target,
    count: z.int().meta({ example: 4, description: 'How many notifications the inbox has about it' }),
    unread: z.int().meta({ example: 2, description: 'How many of them are unread' }),
    lines: z.array(Notification).meta({ description: `The newest of them, at most ${LINES_OF_GROUP}` }),
  })
  .meta({ id: 'NotificationGroup' })

const Unread = z.object({ unread: z.int().meta({ example: 3 }) }).meta({ id: 'UnreadCount' })

const settings = {
  ...recordOf(notificationKinds, (kind) => z.enum(channels).meta({ example: defaultChannels[kind] })),
  ...recordOf(keysOf(defaultSwitches), (name) => z.boolean().meta({ example: defaultSwitches[name] })),
}

const Settings = z.object(settings).meta({ id: 'NotificationSettings' })

export const notifications = {
  list: {
    summary: 'Notifications: newest first, or from a cursor on',
    synonyms: ['inbox', 'my notifications', 'mentions', 'unread messages'],
    description:
      'With `after` they come oldest first: an agent begins with `after=0`, and sends `next` as `after` the next time. None is missed or given twice. Otherwise they come newest first, and `next` is the `before` of the following page.',
    method: 'GET',
    path: '/community/notifications',
    resource: 'Inbox',
    access: read,
    input: z.object({
      after: InboxNumber.optional().meta({ description: 'Only later ones, oldest first' }),
      before: InboxNumber.optional().meta({ description: '`next` of the page before; use `cursor`', deprecated: true }),
      cursor: Cursor,
      unread: z
        .enum(['true', 'false'])
        .default('false')
        .meta({ description: 'Whether to list unread ones alone', example: 'true' }),
      board: BoardSlug.optional(),
      target: AboutId.optional().meta({ description: 'Only about this thing, by its id' }),
      per_page: PageSize,
    }),
    problems: ['not_found'],
    output: z.object({
      items: z.array(Notification),
      ...pageEnd,
      next: InboxNumber.nullable().meta({ description: 'Where the next call goes on; null for none' }),
      unread: z.int().meta({ example: 3, description: 'In the whole inbox' }),
    }),
  },
  groups: {
    summary: 'Notifications by the thing that they are about: what has the newest one first',
    synonyms: ['inbox by thread', 'grouped notifications'],
    description:
      'One entry a thing, with how many notifications are about it and its newest ones; `list` with `target` has all of them. A thing is on the page of its newest notification and on no later one.',
    method: 'GET',
    path: '/community/notifications/groups',
    access: read,
    input: z.object({
      unread: z
        .enum(['true', 'false'])
        .default('false')
        .meta({ description: 'Whether to list and count unread ones alone', example: 'true' }),
      board: BoardSlug.optional(),
      cursor: Cursor,
      per_page: PageSize,
    }),
    problems: ['not_found'],
    output: z.object({
      items: z.array(Group),
      ...pageEnd,
      unread: z.int().meta({ example: 3, description: 'In the whole inbox' }),
    }),
  },
  count: {
    summary: 'How many notifications are unread',
    synonyms: ['unread count'],
    method: 'GET',
    path: '/community/notifications/count',
    access: read,
    input: z.object({}),
    output: Unread,
  },
  stream: {
    summary: 'The number of unread notifications, as it changes',
    description:
      'Server-sent events: `event: unread` with the number in `data`, at once and after each change. The request needs `Accept: text/event-stream`. An account has at most five streams in a process. They end with the session, and after ten minutes: a browser opens the next one by itself.',
    method: 'GET',
    path: '/community/notifications/stream',
    access: read,
    input: z.object({}),
    output: stream('text/event-stream'),
    problems: ['invalid_request', 'rate_limited'],
  },
  read: {
    summary: 'Mark notifications as read: some, all up to one, or of a thing',
    synonyms: ['clear inbox', 'mark all read', 'mark as read'],
    method: 'POST',
    kind: 'account',
    path: '/community/notifications/read',
    tool: { name: 'read_notifications', title: 'Mark notifications as read' },
    idempotent: true,
    access: write,
    budget: 'votes',
    input: z
      .object({
        ids: z.array(InboxNumber).min(1).max(MAX_MARKED).optional(),
        through: InboxNumber.optional().meta({ description: 'This one and all before it' }),
        target: AboutId.optional().meta({ description: 'Only what is about this thing' }),
      })
      .refine(
        ({ ids, through, target }) => ids !== undefined || through !== undefined || target !== undefined,
        'give ids, through or target',
      ),
    output: Unread,
  },
  unread: {
    summary: 'Mark notifications as unread again',
    synonyms: ['mark as unread', 'keep for later'],
    description: 'What was unread already stays so. It keeps its place in the inbox, and no mail tells of it again.',
    method: 'POST',
    kind: 'account',
    path: '/community/notifications/unread',
    idempotent: true,
    access: write,
    budget: 'votes',
    input: z.object({ ids: z.array(InboxNumber).min(1).max(MAX_MARKED) }),
    output: Unread,
  },
  settings: {
    summary: 'How I am notified, and what I follow by itself',
    synonyms: ['notification settings'],
    method: 'GET',
    path: '/community/notifications/settings',
    access: read,
    input: z.object({}),
    output: Settings,
  },
  updateSettings: {
    summary: 'Change how I am notified, and what I follow by itself',
    synonyms: ['turn off mails', 'notification preferences', 'email settings', 'stop emails'],
    description:
      'Each kind is `off`, on the `site` alone, or there and by `mail` at once, in a `daily` or in a `weekly` digest. Mail goes to verified addresses only. `pushMentions` and `pushApprovals` say what is pushed to my browsers beside that (`push.subscribe`). What is not given stays.',
    method: 'PATCH',
    kind: 'account',
    path: '/community/notifications/settings',
    access: write,
    budget: 'votes',
    input: Settings.partial(),
    output: Settings,
  },
  unsubscribe: {
    summary: 'End the mails of one kind, by the link in them',
    description:
      'Needs no credential: the token proves that we made the link. What came by these mails is shown on the site alone from then on.',
    method: 'POST',
    kind: 'account',
    path: '/community/notifications/unsubscribe',
    idempotent: true,
    access: byLink,
    input: z.object({
      token: z
        .string()
        .min(1)
        .max(200)
        .meta({ example: `daily.${EXAMPLE_ID}.3q2-7w`, description: 'From the address in a mail' }),
    }),
    output: z.object({ mailing: z.enum(['mail', 'daily', 'weekly']).meta({ example: 'daily' }) }),
    problems: ['not_found'],
  },
} satisfies Contract

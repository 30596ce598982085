// Two ways with other trackers, for admins: which board is linked with which repository, and for whom people there act.
import { z } from 'zod'
import { administer, inspect } from '../../content/area.ts'
import { auditActions } from '../../contract/audit.ts'
import { Id, Timestamp, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'

export const trackerActions = auditActions('tracker', {
  create: 'Linked a board with a repository',
  update: 'Paused a link with a repository, or let it go on',
  remove: 'Ended a link with a repository',
  person: 'Changed for whom a person of a repository acts',
})

export const MAX_TRACKERS = 20
/** Of a delivery. What is more is found when changes are asked for. */
export const MAX_DELIVERY_BYTES = 1024 * 1024
export const serviceNames = ['github', 'gitlab', 'linear'] as const
export type ServiceName = (typeof serviceNames)[number]
/** Where the deliveries of a link arrive. */
export const deliveryPath = (service: ServiceName, id: string) => `/api/trackers/${service}/${id}` as const

const Name = z
  .string()
  .trim()
  .max(255)
  .regex(/^[A-Za-z\d_][\w.-]*(?:\/[A-Za-z\d_.][\w.-]*){0,20}$/, 'must be the name of a repository, project or team')
  .meta({ example: 'acme/looms', description: '`owner/name`; at GitLab `group/project`, at Linear the key of a team' })

/** How the place of a service is named. */
export const placeNames: Record<ServiceName, RegExp> = {
  github: /^[A-Za-z\d](?:[A-Za-z\d-]{0,38})\/(?!\.{1,2}$)[\w.-]{1,100}$/,
  gitlab: /^[A-Za-z\d_][\w.-]*(?:\/(?!\.{1,2}(?:\/|$))[\w.][\w.-]*){1,20}$/,
  linear: /^[A-Za-z][A-Za-z\d]{0,9}$/,
}

export const ServiceField = z.enum(serviceNames).meta({ example: 'github' })
export const Login = z
  .string()
  .max(100)
  .regex(/^[^\s/?#%\\]+$/, 'must be a user name there')
  .meta({ example: 'octocat', description: 'Their user name there' })

const Tracker = z
  .object({
    id: Id,
    service: ServiceField,
    name: Name,
    board: textLike('workflows').nullable().meta({ description: 'null for the first board' }),
    login: textLike('acme-bot').meta({ description: 'Whose token it is, there' }),
    state: z.enum(['on', 'paused']),
    /** Bugs with an issue. */
    paired: z.int().min(0).meta({ example: 120 }),
    /** What is still to be looked at. */
    waiting: z.int().min(0).meta({ example: 3 }),
    polledAt: Timestamp.nullable(),
    restUntil: Timestamp.nullable().meta({ description: 'The service asked to wait until then' }),
    error: textLike('GitHub answered 401: Bad credentials').nullable(),
    errorAt: Timestamp.nullable(),
    createdAt: Timestamp,
    people: z.array(
      z.object({
        login: textLike('octocat'),
        username: textLike('mira'),
        by: z.enum(['admin', 'member']).meta({ description: 'Whether an admin named them, or they proved it' }),
      }),
    ),
  })
  .meta({ id: 'Tracker' })

const byId = z.object({ id: Id })
const path = '/community/admin/trackers'

export const trackers = {
  list: {
    summary: 'Links of boards with repositories, oldest first',
    method: 'GET',
    path,
    access: inspect,
    input: z.object({}),
    output: z.object({ items: z.array(Tracker) }),
  },
  create: {
    summary: 'Link a board with a repository at GitHub, a project at GitLab or a team at Linear, both ways',
    description:
      'A bug is an issue there, with title, text, comments, labels and state. `secret` signs the deliveries to `webhookUrl`; it is shown once. What is in a closed board, or on a private instance, goes to a public repository with `publish` alone.',
    method: 'POST',
    kind: 'moderation',
    path,
    access: { ...administer, credential: 'session' },
    status: 201,
    shownOnce: true,
    audit: [trackerActions.create],
    input: z.object({
      service: ServiceField.default('github').meta({ description: 'Where the repository is' }),
      name: Name,
      token: z
        .string()
        .regex(/^[\x21-\x7e]{1,300}$/, 'must be a token as it is shown there')
        .meta({ example: 'github_pat_11AAAAAAA0', description: 'May read and write issues there' }),
      board: z.string().max(60).optional().meta({ example: 'workflows', description: 'The first one unless told' }),
      from: z
        .enum(['now', 'beginning'])
        .default('now')
        .meta({ description: 'Whether what was there before goes across too' }),
      publish: z.boolean().default(false).meta({ description: 'Whether others may read there what is closed here' }),
    }),
    output: Tracker.extend({
      secret: textLike('8Yk2vJ0mQm7Xb0cG1u3tqfZk5n9rWdLs'),
      webhookUrl: textLike('https://guild.example/api/trackers/github/01a1fb4e-bb9a-7544-87a4-2785318c8f22'),
    }).meta({ id: 'CreatedTracker' }),
    problems: ['not_found', 'conflict', 'reauthentication_required'],
  },
  update: {
    summary: 'Pause a link, or let it go on, or change its secret',
    description: 'What happens in between goes across afterwards.',
    method: 'PATCH',
    kind: 'moderation',
    path: `${path}/{id}`,
    access: administer,
    audit: [trackerActions.update],
    input: byId.extend({
      state: z.enum(['on', 'paused']).optional().meta({ description: 'Whether changes go across now' }),
      secret: z
        .string()
        .regex(/^[\x21-\x7e]{16,200}$/, 'must be a secret as it is shown there')
        .optional()
        .meta({
          example: 'lin_wh_8Yk2vJ0mQm7Xb0cG1u3t',
          description:
            'Signs deliveries from now on, where the service makes the secret; in a session used a moment ago',
        }),
    }),
    output: Tracker,
    problems: ['not_found', 'reauthentication_required'],
  },
  remove: {
    summary: 'End a link: both sides keep what they have',
    method: 'DELETE',
    kind: 'moderation',
    path: `${path}/{id}`,
    access: administer,
    audit: [trackerActions.remove],
    input: byId,
    output: byId,
    problems: ['not_found'],
  },
  setPerson: {
    summary: 'Say for which member a person of the repository acts',
    description:
      'They do here what that account may. Without a member a person changes their own texts alone, and what they proved ends.',
    method: 'PUT',
    kind: 'moderation',
    path: `${path}/{id}/people/{login}`,
    access: { ...administer, credential: 'session' },
    audit: [trackerActions.person],
    input: byId.extend({
      login: Login,
      username: z
        .string()
        .max(40)
        .nullable()
        .meta({ example: 'mira', description: 'Of a member here; null for no one' }),
    }),
    output: Tracker,
    problems: ['not_found', 'reauthentication_required'],
  },
} satisfies Contract

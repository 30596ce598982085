// Answers of Linear's API, and what is asked for of each thing (linear.app/developers/graphql).
import { z } from 'zod'
import type { Limits } from './asking.ts'
import { isLater, type State } from './rules.ts'
import type { Comment, IssueChange } from './service.ts'

const MAX_LOGIN = 100

export const GivenPerson = z
  .object({ id: z.string().max(100), displayName: z.string() })
  .transform(({ id, displayName }) => ({ id, login: displayName.slice(0, MAX_LOGIN) }))
const PersonOrNull = GivenPerson.nullish().transform((person) => person ?? undefined)

const stateTypes: Record<string, State> = { completed: 'completed', canceled: 'not_planned' }
const StateType = z.object({ type: z.string() }).transform(({ type }): State => stateTypes[type] ?? 'open')
export const Labels = z.object({ nodes: z.array(z.object({ id: z.string(), name: z.string() })) })

export const GivenIssue = z.object({
  id: z.string(),
  identifier: z.string(),
  number: z.int().min(1),
  title: z.string(),
  description: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
  url: z.string().max(1_000),
  updatedAt: z.string(),
  trashed: z.boolean().nullish(),
  creator: PersonOrNull,
  state: StateType,
  labels: Labels,
})
export const ISSUE =
  'id identifier number title description url updatedAt trashed creator { id displayName } state { type } labels(first: 100) { nodes { id name } }'

const GivenComment = z.object({
  id: z.string().max(100),
  body: z.string(),
  url: z.string().max(1_000),
  createdAt: z.string(),
  updatedAt: z.string(),
  user: PersonOrNull,
})
export const COMMENT = 'id body url createdAt updatedAt user { id displayName }'

export const commentOf = (json: unknown): Comment => {
  const { id, body: text, url, createdAt, updatedAt, user } = GivenComment.parse(json)
  return { id, text, url, updatedAt, user, importId: id, isEdited: isLater(updatedAt, createdAt) }
}

const Names = z
  .array(z.object({ name: z.string() }))
  .nullish()
  .transform((labels) => labels ?? [])
const GivenHistory = z.object({
  createdAt: z.string(),
  actor: PersonOrNull,
  fromTitle: z.string().nullish(),
  fromState: StateType.nullish(),
  addedLabels: Names,
  removedLabels: Names,
  updatedDescription: z.boolean().nullish(),
})
export const HISTORY =
  'createdAt actor { id displayName } fromTitle fromState { type } addedLabels { name } removedLabels { name } updatedDescription'

export function changesIn(json: unknown): IssueChange[] {
  const { createdAt: at, actor: by, ...changed } = GivenHistory.parse(json)
  const labels = (names: { name: string }[], isOn: boolean) =>
    names.map(({ name }): IssueChange => ({ what: 'label', label: { name, isOn }, by, at }))
  return [
    ...(changed.fromTitle == null ? [] : [{ what: 'title', by, at } as const]),
    ...(changed.updatedDescription ? [{ what: 'text', by, at } as const] : []),
    ...(changed.fromState == null ? [] : [{ what: 'state', by, at } as const]),
    ...labels(changed.addedLabels, true),
    ...labels(changed.removedLabels, false),
  ]
}

export const pageOf = <T>(node: z.ZodType<T>) =>
  z.object({
    nodes: z.array(node),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
  })
export const PAGE_INFO = 'pageInfo { hasNextPage endCursor }'

const GivenErrors = z.object({
  errors: z.array(z.object({ message: z.string(), extensions: z.object({ code: z.string() }).partial().optional() })),
})

export const errorsIn = (json: unknown) => {
  const found = GivenErrors.safeParse(json)
  return found.success ? found.data.errors : []
}

/** linear.app/developers/rate-limiting */
export const limits: Limits = {
  isSpent: ({ status, json }) =>
    status === 429 || errorsIn(json).some(({ extensions }) => extensions?.code === 'RATELIMITED'),
  reset: 'x-ratelimit-requests-reset',
  isMilliseconds: true,
}

export const GivenTeam = z.object({
  id: z.string(),
  key: z.string(),
  states: z.object({ nodes: z.array(z.object({ id: z.string(), type: z.string(), position: z.number() })) }),
})
export type GivenTeam = z.infer<typeof GivenTeam>

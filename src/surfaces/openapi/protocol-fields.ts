// What requests of OAuth share in OpenAPI, and how its endpoints refuse them.
import { z } from 'zod'
import type { BudgetName } from '../../contract/budget.ts'
import { scopes } from '../../contract/scopes.ts'
import { named } from './components.ts'

type Example = { example: unknown } | { examples: Record<string, { value: unknown }> }

/** A body in JSON, or as a form, with its schema and an example. */
export const json = (schema: z.ZodType, example: unknown) => ({ 'application/json': { schema, example } })
export const form = (schema: z.ZodType, example: Example) => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema, ...example } },
})

/** A header of a response. */
export const header = (description: string, example?: string) => ({
  description,
  schema: { type: 'string' as const },
  ...(example && { example }),
})

/** The client of the examples. */
export const CLIENT = 'https://agent.example/client.json'

export const ClientId = z.string().meta({ description: 'A registered client, or the address of its metadata document' })
export const Resource = z
  .string()
  .optional()
  .meta({ description: 'What the token is for (RFC 8707): a resource of this server' })
export const ScopeText = z.string().meta({ description: `With spaces between them: ${Object.keys(scopes).join(', ')}` })

/** The header that proves the possession of a key. */
export const Proof = z.object({
  DPoP: z.string().optional().meta({
    description: 'A proof of the key that the tokens are bound to (RFC 9449, 4); plain bearer tokens without it',
  }),
})

export const ProtocolError = z
  .object({
    error: z.string(),
    error_description: z.string().optional(),
    scope: z.string().optional().meta({ description: 'Of `invalid_scope`: what was asked for in vain' }),
  })
  .meta({ id: 'ProtocolError', description: 'RFC 6749, 5.2' })

/** A refusal, with an example for each of the names it goes by. */
export const refused = (description: string, ...errors: [name: string, why: string][]) => ({
  description,
  content: {
    'application/json': {
      schema: ProtocolError,
      examples: Object.fromEntries(
        errors.map(([error, error_description]) => [error, { value: { error, error_description } }]),
      ),
    },
  },
})

/** The same, with what to send: for a client (RFC 9110, 11.6.1), or with a token (RFC 6750, 3; RFC 9449, 7.1). */
export const challenged = (answer: ReturnType<typeof refused>) => ({
  ...answer,
  headers: { 'WWW-Authenticate': named('Challenge', header('How to authenticate')) },
})

export const unreadableQuery = refused('The query is no text', [
  'invalid_request',
  'The query is not percent-encoded UTF-8 without NUL',
])

export const unknownClient = named(
  'UnknownClient',
  challenged(refused('The client is not known', ['invalid_client', 'client authentication failed'])),
)

export const tooManyRequests = named(
  'ProtocolTooManyRequests',
  refused('Too many requests; Retry-After says how long to wait', ['rate_limited', 'Try again later']),
)

export const retryAfter = { 'Retry-After': named('RetryAfter', header('Seconds to wait')) }

const rateLimit = {
  RateLimit: named(
    'RateLimit',
    header('What is left of each budget, and when it is whole again', '"comments-hour";r=119;t=3600'),
  ),
  'RateLimit-Policy': named(
    'RateLimitPolicy',
    header('The budgets, each with its quota and window in seconds', '"comments-hour";q=120;w=3600'),
  ),
}

/** On every answer by which the caller is known. */
export const budgetHeaders = (budget: BudgetName | undefined, status: number) =>
  budget && ![401, 403, 503].includes(status) ? rateLimit : {}

// Personal access tokens: for scripts of the account's owner. Only a session makes, lists and revokes them, so a token makes no token.
import { z } from 'zod'
import { ExpiresAt, Id, line, Timestamp, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { signedIn } from '../../identity/area.ts'
import { personalTokenActions } from '../../identity/audit-actions.ts'
import { MAX_DAYS, MAX_TOKENS, personalScopes, USUAL_DAYS } from './rules.ts'

const PersonalToken = z
  .object({
    id: Id,
    name: textLike('Nightly backup'),
    scopes: z.array(z.string()).meta({ example: ['library:read'] }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable().meta({ description: 'When it was last used, to the hour; null if it never was' }),
    expiresAt: ExpiresAt,
  })
  .meta({ id: 'PersonalToken' })

export const personalTokens = {
  list: {
    summary: 'List the personal access tokens of my account, newest first',
    description: 'Their values are never shown again. Expired ones are gone.',
    method: 'GET',
    path: '/account/tokens',
    access: signedIn,
    input: z.object({}),
    output: z.object({ items: z.array(PersonalToken) }),
  },
  create: {
    summary: 'Create a personal access token for a script',
    description: `The value is in this response alone. It works like any access token, for at most ${MAX_DAYS} days. A credential must have been used in this session within ten minutes: 403 reauthentication_required otherwise. An account has at most ${MAX_TOKENS}. A mail tells its owner.`,
    method: 'POST',
    kind: 'account',
    path: '/account/tokens',
    access: signedIn,
    status: 201,
    shownOnce: true,
    audit: [personalTokenActions.create],
    input: z.object({
      name: line(1, 60).meta({ example: 'Nightly backup', description: 'For its owner alone' }),
      scopes: z
        .array(z.enum(personalScopes))
        .min(1, 'must name at least one scope')
        .max(20)
        .meta({ example: ['library:read'] }),
      expiresInDays: z.int().min(1).max(MAX_DAYS).default(USUAL_DAYS),
    }),
    output: PersonalToken.extend({
      token: textLike('gpat_00000000000000000000000000000000000000000000').meta({
        description: 'The token itself; store it now',
      }),
    }),
    problems: ['conflict', 'rate_limited', 'reauthentication_required'],
  },
  revoke: {
    summary: 'Revoke a personal access token',
    method: 'DELETE',
    kind: 'account',
    path: '/account/tokens/{id}',
    access: signedIn,
    audit: [personalTokenActions.revoke],
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
} satisfies Contract

// Tokens for machines without a browser: a code is mailed, its owner passes it on (interface.md, section 5).
import { z } from 'zod'
import { Email, textLike } from '../contract/fields.ts'
import type { Contract } from '../contract/operation.ts'
import { accountActions, grantActions, tokenActions } from '../identity/audit-actions.ts'
import { anyClient } from './area.ts'
import { DEFAULT_SCOPE } from './rules.ts'

const ClientId = z.string().min(1).max(2_000).meta({
  description: 'A registered client, or the fixed one',
  example: 'https://agent.example/client.json',
})

export const claims = {
  claim: {
    summary: 'Mail a code that an agent without a browser exchanges for a token',
    description:
      'The answer is the same whether or not the address has an account. At most 3 codes that were not used in an hour, and 10 a day.',
    method: 'POST',
    kind: 'account',
    path: '/auth/agent/claim',
    ownWayIn: 'invalid_request',
    access: anyClient,
    budget: 'mails',
    input: z.object({
      email: Email,
      client_id: ClientId,
      scope: z
        .string()
        .max(1_000)
        .default(DEFAULT_SCOPE)
        .meta({ description: 'Scopes, separated by spaces', example: 'library:read offline_access' }),
    }),
    output: z.object({ message: textLike('If there is an account, a mail with a code is on its way') }),
    problems: ['rate_limited'],
  },
  verify: {
    summary: 'Exchange the mailed code for an access token',
    description:
      'Only the newest code of address and client works, for 10 minutes and 5 tries. With the agent audience as resource, which is for the fixed client, the token is a JWT.',
    method: 'POST',
    kind: 'account',
    path: '/auth/agent/claim/verify',
    guesses: true,
    ownWayIn: 'invalid_or_expired_code',
    access: anyClient,
    audit: [grantActions.open, tokenActions.issue, accountActions['take-over']],
    input: z.object({
      email: Email,
      code: z.string().trim().min(1).max(32).meta({ example: '042137' }),
      client_id: ClientId,
      resource: z
        .union([z.string(), z.array(z.string())])
        .optional()
        .meta({ example: 'https://guildhall.example/api' }),
    }),
    output: z.object({
      access_token: textLike('gha_8Yk2vJ0mQm7Xb0cG1u3tqfZk5n9rWdLs'),
      token_type: z.enum(['Bearer', 'DPoP']).meta({ description: 'DPoP when the request proved a key (RFC 9449)' }),
      expires_in: z.int().meta({ example: 3600 }),
      scope: textLike('library:read offline_access'),
      refresh_token: textLike('ghr_4Tn8cPz6Hs1Vd9bJ2k7xQwRm3f5yLaEu').optional(),
    }),
    problems: ['invalid_or_expired_code', 'invalid_target', 'invalid_dpop_proof', 'use_dpop_nonce'],
  },
} satisfies Contract

// Tokens by which a company provisions accounts (SCIM 2.0). For admins; the protocol itself is no operation (serving.ts).
import { z } from 'zod'
import { administer, inspect } from '../../content/area.ts'
import { auditActions } from '../../contract/audit.ts'
import { Id, line, Timestamp, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'

export const MAX_TOKENS = 20

export const scimActions = auditActions('scim-token', {
  create: 'Made a token for provisioning',
  revoke: 'Revoked a token for provisioning',
})

const ScimToken = z
  .object({
    id: Id,
    name: textLike('Okta'),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable(),
  })
  .meta({ id: 'ScimToken' })

export const scimTokens = {
  list: {
    summary: 'List the tokens for SCIM',
    method: 'GET',
    path: '/community/admin/scim-tokens',
    access: inspect,
    input: z.object({}),
    output: z.object({ isOn: z.boolean(), items: z.array(ScimToken) }),
  },
  create: {
    summary: 'Create a token for SCIM',
    method: 'POST',
    kind: 'moderation',
    path: '/community/admin/scim-tokens',
    access: { ...administer, credential: 'session' },
    status: 201,
    shownOnce: true,
    audit: [scimActions.create],
    input: z.object({ name: line(1, 60).meta({ example: 'Okta' }) }),
    output: ScimToken.extend({ token: textLike('gscim_8Yk2vJ0mQm7Xb0cG1u3tqfZk5n9rWdLs') }),
    problems: ['conflict', 'reauthentication_required'],
  },
  revoke: {
    summary: 'Revoke a token for SCIM',
    method: 'DELETE',
    kind: 'moderation',
    path: '/community/admin/scim-tokens/{id}',
    access: administer,
    audit: [scimActions.revoke],
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
} satisfies Contract

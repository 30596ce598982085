// Deleting one's own account, with 14 days to change one's mind.
import { z } from 'zod'
import { DeletionContent, Timestamp, textLike } from '../contract/fields.ts'
import type { Contract } from '../contract/operation.ts'
import { signedIn, signedInOrLeaving } from '../identity/area.ts'
import { accountActions } from '../identity/audit-actions.ts'

const Deletion = z
  .object({
    content: DeletionContent,
    requestedBy: z.enum(['owner', 'admin']),
    reason: textLike('Spam').nullable().meta({ description: 'What the admin wrote', example: 'Spam' }),
    requestedAt: Timestamp,
    eraseAt: Timestamp.meta({ description: 'When the account will be erased', example: '2026-12-04T09:30:00.000Z' }),
    begun: z.boolean().meta({ description: 'Whether the erasure has begun; then it cannot be cancelled' }),
  })
  .meta({ id: 'AccountDeletion' })

export const deletion = {
  show: {
    summary: 'Whether the deletion of my account was requested',
    method: 'GET',
    path: '/account/deletion',
    access: signedInOrLeaving,
    input: z.object({}),
    output: z.object({ deletion: Deletion.nullable() }),
  },
  request: {
    summary: 'Request the deletion of my account',
    synonyms: ['delete my account', 'close my account', 'erase me'],
    description:
      'Ends every session and token at once. The account is erased after 14 days. Until then signing in opens a session that can only cancel the deletion and export data. A credential must have been used in this session within ten minutes: 403 reauthentication_required otherwise. The last admin cannot be deleted.',
    method: 'POST',
    kind: 'account',
    path: '/account/deletion',
    access: signedIn,
    audit: [accountActions['request-deletion']],
    input: z.object({ content: DeletionContent }),
    output: z.object({ eraseAt: Timestamp }),
    problems: ['reauthentication_required', 'conflict'],
  },
  cancel: {
    summary: 'Keep my account after all',
    description:
      'Cancels a deletion that its owner requested; one that an admin requested only an admin cancels. Connected apps have to be connected again.',
    method: 'DELETE',
    kind: 'account',
    path: '/account/deletion',
    access: signedInOrLeaving,
    audit: [accountActions['cancel-deletion']],
    input: z.object({}),
    output: z.object({ kept: z.literal(true) }),
    problems: ['forbidden', 'conflict'],
  },
} satisfies Contract

// Addresses to which notifications are not mailed, because mail does not come there or is not wanted. For admins.
import { z } from 'zod'
import { administer, inspect } from '../../content/area.ts'
import { auditActions } from '../../contract/audit.ts'
import { Id, pageEnd, pageInput, Timestamp, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'

export const bounceKinds = ['hard', 'soft', 'complaint'] as const

export const bounceActions = auditActions('bounce', { clear: 'Let mail go to an address again' })

const Bounce = z
  .object({
    id: Id,
    email: textLike('carol@example.com'),
    kind: z.enum(bounceKinds).meta({
      description: 'It did not come and never will, three did not come in a week, or its reader complained',
      example: 'hard',
    }),
    status: textLike('5.1.1').nullable().meta({ description: 'As the mail server said it (RFC 3463)' }),
    stoppedAt: Timestamp,
  })
  .meta({ id: 'Bounce' })

export const bounces = {
  list: {
    summary: 'List the addresses to which notifications are not mailed',
    method: 'GET',
    path: '/community/admin/bounces',
    access: inspect,
    input: z.object(pageInput),
    output: z.object({ items: z.array(Bounce), ...pageEnd }),
  },
  clear: {
    summary: 'Let notifications go to an address again',
    method: 'DELETE',
    kind: 'moderation',
    path: '/community/admin/bounces/{id}',
    access: administer,
    audit: [bounceActions.clear],
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
} as const satisfies Contract

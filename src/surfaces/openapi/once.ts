// The headers of writes that can be sent twice, or only be tried.
import { z } from 'zod'
import { MAX_KEY } from '../../request/idempotency.ts'
import { header } from './protocol-fields.ts'

export const onceParameters = z.object({
  'Idempotency-Key': z
    .string()
    .max(MAX_KEY + 2)
    .optional()
    .meta({
      description:
        'The same request with the same key gets the answer of the first time for 24 hours, and is made once (draft-ietf-httpapi-idempotency-key-header)',
      example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
    }),
  Prefer: z.string().optional().meta({
    description: '`handling=dry-run`: every check is made and the answer is given, but nothing is kept (RFC 7240)',
    example: 'handling=dry-run',
  }),
})

export const onceHeaders = {
  'Idempotency-Replayed': header('`true` on the answer of an earlier request with this key', 'true'),
  'Preference-Applied': header('`handling=dry-run` on the answer of a dry run', 'handling=dry-run'),
  'Dry-Run': header(
    'What it would have caused: accounts notified (at most), deliveries to webhooks, mails, entries of the audit log',
    'notifications=3, webhooks=1, mails=0, audit=0',
  ),
}

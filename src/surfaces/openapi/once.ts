// The headers of writes that can be sent twice, or only be tried.
import { z } from 'zod'
import { isRepeatable, type Operation } from '../../contract/operation.ts'
import { PendingAct } from '../../contract/pending.ts'
import { MAX_KEY } from '../../request/idempotency.ts'
import { named } from './components.ts'
import { exampleOf } from './examples.ts'
import { header, json, retryAfter } from './protocol-fields.ts'

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
  'Idempotency-Replayed': named(
    'IdempotencyReplayed',
    header('`true` on the answer of an earlier request with this key', 'true'),
  ),
  'Preference-Applied': named(
    'PreferenceApplied',
    header('`handling=dry-run` on the answer of a dry run', 'handling=dry-run'),
  ),
  'Dry-Run': named(
    'DryRun',
    header(
      'What it would have caused: accounts notified (at most), deliveries to webhooks, mails, entries of the audit log',
      'notifications=3, webhooks=1, mails=0, audit=0',
    ),
  ),
}

/** Whether a write can wait for the yes of an account: agents can send it, and it can be tried. */
export const mayWait = (operation: Operation): boolean =>
  isRepeatable(operation) && ['required', 'optional'].includes(operation.access.credential)

const Waiting = PendingAct.extend({
  message: z.string().meta({ example: 'This is not done yet: it waits for the yes of the account.' }),
}).meta({ id: 'WaitingAct' })

export const waitingResponse = named('WaitingAct', {
  description:
    'Not done yet: the account wants to be asked before its agent does this. `Location` is the pending act, which has the answer when it is made.',
  headers: { Location: header('The pending act'), ...retryAfter },
  content: json(Waiting, exampleOf(Waiting, 'output')),
})

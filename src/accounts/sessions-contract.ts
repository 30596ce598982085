// The browsers that are signed in to my account, and ending them. Apps and agents are sign-ins (oauth/sign-ins-contract.ts).
import { z } from 'zod'
import { Id, Timestamp } from '../contract/fields.ts'
import type { Contract } from '../contract/operation.ts'
import { signedIn } from '../identity/area.ts'
import { sessionActions } from '../identity/audit-actions.ts'

const BrowserSession = z
  .object({
    id: Id,
    createdAt: Timestamp.meta({ description: 'When the session was opened' }),
    lastSeenAt: Timestamp.meta({ description: 'When it was last used; accurate to a day for other browsers' }),
    device: z.string().max(60).nullable().meta({
      example: 'Firefox on Linux',
      description: 'Browser and system, as the browser named itself when it signed in; null when unknown',
    }),
    current: z.boolean().meta({ description: 'Whether it is the session of this request' }),
  })
  .meta({ id: 'BrowserSession' })

export const sessions = {
  list: {
    summary: 'List the browsers with a session of my account, newest first',
    method: 'GET',
    path: '/account/sessions',
    access: signedIn,
    input: z.object({}),
    output: z.object({ items: z.array(BrowserSession) }),
  },
  end: {
    summary: 'End the session of a browser',
    description: 'Ending the current one signs out. Apps and agents authorized from there keep their access.',
    method: 'DELETE',
    kind: 'account',
    path: '/account/sessions/{id}',
    access: signedIn,
    audit: [sessionActions.end],
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
  endOthers: {
    summary: 'End the sessions of all browsers but this one',
    description: 'Apps and agents keep their access.',
    method: 'POST',
    kind: 'account',
    path: '/account/sessions/end-others',
    access: signedIn,
    audit: [sessionActions['end-others']],
    input: z.object({}),
    output: z.object({ ended: z.int().meta({ description: 'The number of ended sessions' }) }),
  },
} satisfies Contract

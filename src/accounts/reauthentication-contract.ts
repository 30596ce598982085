// Re-authentication before a change of credentials (behaviour.md, section 5).
import { z } from 'zod'
import { Timestamp } from '../contract/fields.ts'
import type { Contract } from '../contract/operation.ts'
import { signedInOrLeaving } from '../identity/area.ts'
import { roleActions } from '../identity/audit-actions.ts'
import { Assertion, RequestOptions } from './passkeys/contract.ts'
import { CurrentPassword, MailedCode, mailsCode } from './sign-in/contract.ts'

const Confirmed = z.object({
  until: Timestamp.meta({
    description: 'When the re-authentication expires: ten minutes after the use of the credential',
  }),
})

export const reauthentication = {
  show: {
    summary: 'Whether a credential was used in this session within ten minutes',
    description: 'Also returns which credentials the account has. Signing in counts as a use.',
    method: 'GET',
    path: '/auth/reauthenticate',
    access: signedInOrLeaving,
    input: z.object({}),
    output: z.object({
      until: Timestamp.nullable().meta({ description: 'null when re-authentication is needed' }),
      password: z.boolean().meta({ description: 'Whether the account has a password' }),
      passkeys: z.int().meta({ description: 'How many passkeys the account has' }),
    }),
  },
  confirm: {
    summary: 'Re-authenticate with your password or a mailed code',
    description:
      'Send either password or code. Adding a passkey, or setting a password without the current one, needs this within ten minutes.',
    method: 'POST',
    kind: 'account',
    path: '/auth/reauthenticate',
    guesses: true,
    access: signedInOrLeaving,
    audit: [roleActions.change],
    input: z.object({ password: CurrentPassword.optional(), code: MailedCode.optional() }),
    output: Confirmed,
    problems: ['unauthorized', 'rate_limited'],
  },
  sendCode: {
    ...mailsCode,
    summary: 'Mail a code for re-authentication',
    description: 'The code is valid for 10 minutes, 5 tries and this purpose only.',
    path: '/auth/reauthenticate/code',
    access: signedInOrLeaving,
    input: z.object({}),
  },
  beginPasskey: {
    summary: 'Get the options to re-authenticate with a passkey',
    description: 'The challenge is valid once, for 5 minutes, and for this account.',
    method: 'POST',
    kind: 'account',
    path: '/auth/reauthenticate/passkey/options',
    access: signedInOrLeaving,
    input: z.object({}),
    output: RequestOptions,
    problems: ['rate_limited'],
  },
  confirmWithPasskey: {
    summary: 'Re-authenticate with a passkey',
    description: 'Takes the response of the device to beginPasskey.',
    method: 'POST',
    kind: 'account',
    path: '/auth/reauthenticate/passkey',
    guesses: true,
    access: signedInOrLeaving,
    input: z.object({ response: Assertion }),
    output: Confirmed,
    problems: ['unauthorized', 'rate_limited'],
  },
} satisfies Contract

// Changing the address of an account: the new mailbox proves itself with a code, and the old one can undo it for a week.
import { z } from 'zod'
import { Email, textLike, verbatim } from '../contract/fields.ts'
import type { Contract } from '../contract/operation.ts'
import { anyone, signedIn } from '../identity/area.ts'
import { accountActions, roleActions } from '../identity/audit-actions.ts'
import { MailedCode, mailsCode, SignedIn } from './sign-in/contract.ts'

export const address = {
  sendCode: {
    ...mailsCode,
    summary: 'Mail a code to the new address of this account',
    description:
      'The response is the same whether or not the address has an account. The code is valid for 10 minutes and for this account. A credential must have been used in this session within ten minutes: 403 reauthentication_required otherwise.',
    path: '/account/email/code',
    access: signedIn,
    input: z.object({ email: Email }),
    problems: ['reauthentication_required', 'rate_limited'],
  },
  change: {
    summary: 'Change the address of this account with the mailed code',
    description:
      'Both addresses get a mail. For 7 days the link in the mail to the old address undoes the change, if that address was verified; until then no other account gets it. The new address gives no role.',
    method: 'POST',
    kind: 'account',
    path: '/account/email',
    guesses: true,
    access: signedIn,
    audit: [accountActions['change-email']],
    input: z.object({ email: Email, code: MailedCode }),
    output: SignedIn,
    problems: ['reauthentication_required', 'invalid_request', 'conflict'],
  },
  undo: {
    summary: 'Undo a change of address',
    description:
      'With the token of the mail to the old address. Restores it, and removes the password, passkeys, sessions, connected apps and pending codes.',
    method: 'POST',
    kind: 'account',
    path: '/auth/email/undo',
    access: anyone,
    audit: [accountActions['undo-email-change'], roleActions.change],
    input: z.object({ token: verbatim(1, 200).meta({ example: 'q8Jw2vD0m1' }) }),
    output: z.object({ email: textLike('mira@example.com').meta({ description: 'The restored address' }) }),
    problems: ['not_found', 'conflict'],
  },
} satisfies Contract

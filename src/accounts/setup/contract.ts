// The set-up of a new instance: who has the link that its start printed makes its first admin (behaviour.md, section 5). The token is in the
// body of each request, never in an address of the API.
import { z } from 'zod'
import { Email, line, textLike, verbatim } from '../../contract/fields.ts'
import { LANGUAGES } from '../../contract/languages.ts'
import type { Contract } from '../../contract/operation.ts'
import { anyone } from '../../identity/area.ts'
import { roleActions, setupActions } from '../../identity/audit-actions.ts'
import { settingActions } from '../../settings/audit-actions.ts'
import { MailedCode, Message, mailsCode, SignedIn } from '../sign-in/contract.ts'

const Token = verbatim(1, 200).meta({
  description: 'What is behind `token=` in the link that the server printed at its last start',
  example: 'pV7Q0m0pZ3m9m8cQ1V7b2nS5tR4uE6wX8yA0bC2dE4f',
})

/** The settings that the set-up asks for. */
export const setUpNames = ['SITE_NAME', 'READERS', 'SIGN_UP', 'SIGN_UP_DOMAINS', 'MAIL_FROM', 'HOME_TEXTS'] as const

export const setup = {
  check: {
    summary: 'Whether a link for the set-up is good, and what the set-up begins with',
    description:
      '403 for any other token than that of the newest link. 409 when the instance is set up or has an account, when `ADMIN_EMAILS` is set, and in a database from before.',
    method: 'POST',
    kind: 'account',
    path: '/account/setup/check',
    access: anyone,
    input: z.object({ token: Token }),
    output: z
      .object({
        mailFolder: textLike('/srv/guildhall/data/mail')
          .nullable()
          .meta({ description: 'Where mails are written to; null where they are sent' }),
        mailHost: textLike('smtp.example.com').nullable().meta({ description: 'Where mails are sent to' }),
        settings: z.array(
          z
            .object({
              name: z.enum(setUpNames),
              value: textLike('everyone').nullable(),
              isFixed: z.boolean().meta({ description: 'Whether the environment of the server says it' }),
            })
            .meta({ id: 'SetupSetting' }),
        ),
        mailFrom: textLike('Guildhall <guildhall@guild.example>'),
      })
      .meta({ id: 'SetupState' }),
    problems: ['forbidden', 'conflict'],
  },
  sendCode: {
    ...mailsCode,
    summary: 'Mail a code to who becomes the first admin',
    description: 'It shows that mail works, too. The code is valid for 10 minutes, and only the newest is.',
    path: '/account/setup/code',
    access: anyone,
    input: z.object({ token: Token, email: Email }),
    output: Message,
    problems: ['forbidden', 'conflict', 'rate_limited'],
  },
  finish: {
    summary: 'Set the instance up, with its first admin',
    description:
      'Sets the session cookie of the new admin, whose address the mailed code proves. The link is over then. Of two requests at once, one makes an admin, and the other gets 409. All of it happens, or nothing.',
    method: 'POST',
    kind: 'account',
    path: '/account/setup',
    guesses: true,
    access: anyone,
    audit: [setupActions.finish, roleActions.change, settingActions.change],
    setsCookie: true,
    input: z.object({
      token: Token,
      email: Email,
      code: MailedCode,
      settings: z
        .record(z.string(), z.string().max(2_000))
        .default({})
        .meta({
          description: `Of ${setUpNames.join(', ')}; an empty text is the default`,
          example: { SITE_NAME: 'Acme Lab' },
        }),
      samples: z.enum(LANGUAGES).optional().meta({ description: 'Make sample data, in this language', example: 'en' }),
      adminName: line(1, 100).optional().meta({ description: 'What the admin is called', example: 'Mira' }),
    }),
    output: SignedIn,
    problems: ['invalid_request', 'forbidden', 'conflict', 'rate_limited'],
  },
} satisfies Contract

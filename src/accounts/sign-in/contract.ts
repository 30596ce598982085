// Signing up, in and out, and verifying an address (behaviour.md, section 5). The language of an account: of the pages that its owner sees, and of
// the mails that it gets. And its usage: stored bytes and remaining budgets (behaviour.md, section 7).
import { z } from 'zod'
import {
  AvatarUrlOrNull,
  DeletionAt,
  Email,
  ExpiresAt,
  Id,
  LanguageOrNull,
  line,
  NameOrNull,
  RoleName,
  Timestamp,
  textLike,
  UsernameOrNull,
  verbatim,
} from '../../contract/fields.ts'
import type { Contract, Operation } from '../../contract/operation.ts'
import { anyone, signedIn } from '../../identity/area.ts'
import { accountActions, passwordActions, roleActions } from '../../identity/audit-actions.ts'

export const Account = z
  .object({
    id: Id,
    email: textLike('mira@example.com'),
    emailVerified: z.boolean().meta({ description: 'Whether the address was verified with a mailed code' }),
    name: NameOrNull,
    username: UsernameOrNull,
    image: AvatarUrlOrNull,
    role: RoleName,
    deletionAt: DeletionAt,
    language: LanguageOrNull,
    passkeyNeeded: z
      .literal(true)
      .optional()
      .meta({ description: 'The role has no effect until a passkey is used in this session' }),
  })
  .meta({ id: 'Account' })
export type Account = z.infer<typeof Account>

const Session = z.object({ id: Id, userId: Id, createdAt: Timestamp, expiresAt: ExpiresAt }).meta({ id: 'Session' })
export const SignedIn = z.object({ user: Account })
export const Message = z.object({ message: textLike('If there is an account, a mail with a code is on its way') })

/** 8 to 128 characters, stored as typed: a trailing space is part of a password. */
const Password = verbatim(8, 128).meta({
  description: 'Neither a common password nor your own address or name',
  example: 'correct horse battery staple',
})
/** Any text: a wrong password gets the same error at any length. */
export const CurrentPassword = verbatim(1, 128).meta({ example: 'correct horse battery staple' })

export const MailedCode = z
  .string()
  .trim()
  .min(1)
  .max(32)
  .meta({ description: 'The six digits that were mailed', example: '042137' })

/** What every operation that mails a code has. */
export const mailsCode = {
  method: 'POST',
  kind: 'account',
  budget: 'mails',
  output: Message,
  problems: ['rate_limited'],
} as const satisfies Partial<Operation>

/** Which browser asked for a code; a cookie has it too. */
const RequestId = z
  .string()
  .regex(/^[\w-]{43}$/, 'must be the `requestId` of an answer')
  .meta({ example: 'pV7Q0m0pZ3m9m8cQ1V7b2nS5tR4uE6wX8yA0bC2dE4f' })

const mailsCodeTo = {
  ...mailsCode,
  ownWayIn: 'forbidden',
  description:
    'The response is the same whether or not the address has an account. The code is valid for 10 minutes. It is bound to `requestId`, which a cookie has as well: wrong tries of others do not end it for who asked.',
  access: anyone,
  setsCookie: true,
  input: z.object({ email: Email }),
  output: Message.extend({ requestId: RequestId }),
  problems: ['forbidden', 'rate_limited'],
} as const satisfies Partial<Operation>

export const accounts = {
  signUp: {
    summary: 'Create an account with a password, and sign in',
    description:
      'Sets the session cookie, and mails a code for verifyEmail. Until it is used, the address is unverified. Where not every address may sign up (`SIGN_UP`), this is 403: an account is made with a mailed code.',
    method: 'POST',
    kind: 'account',
    path: '/auth/sign-up/email',
    guesses: true,
    ownWayIn: 'forbidden',
    access: anyone,
    setsCookie: true,
    input: z.object({ name: line(1, 100).meta({ example: 'Mira' }), email: Email, password: Password }),
    output: SignedIn,
    problems: ['forbidden', 'conflict', 'rate_limited'],
  },
  signIn: {
    summary: 'Sign in with a password',
    description: 'Sets the session cookie. An unknown address and a wrong password get the same error.',
    method: 'POST',
    kind: 'account',
    path: '/auth/sign-in/email',
    guesses: true,
    ownWayIn: 'forbidden',
    access: anyone,
    setsCookie: true,
    input: z.object({ email: Email, password: CurrentPassword }),
    output: SignedIn,
    problems: ['unauthorized', 'blocked', 'forbidden', 'rate_limited'],
  },
  sendCode: {
    ...mailsCodeTo,
    summary: 'Mail a sign-in code',
    path: '/auth/sign-in/code',
  },
  signInWithCode: {
    summary: 'Sign in with a mailed code; creates the account if there is none',
    description:
      'Sets the session cookie and verifies the address. Only the newest code works, for at most 5 tries; without `requestId` or its cookie, for 5 of a network and 50 in all. The first code that is used on an unverified account removes its password, passkeys, sessions, connected apps and pending codes; a mail says so.',
    method: 'POST',
    kind: 'account',
    path: '/auth/sign-in/code/verify',
    guesses: true,
    ownWayIn: 'forbidden',
    access: anyone,
    audit: [accountActions['take-over'], roleActions.change],
    setsCookie: true,
    input: z.object({ email: Email, code: MailedCode, requestId: RequestId.optional() }),
    output: SignedIn,
    problems: ['unauthorized', 'blocked', 'forbidden', 'conflict', 'rate_limited'],
  },
  signOut: {
    summary: 'End the session',
    method: 'POST',
    kind: 'account',
    path: '/auth/sign-out',
    access: anyone,
    setsCookie: true,
    input: z.object({}),
    output: z.object({ success: z.literal(true) }),
  },
  getSession: {
    summary: 'Get the current session; null without one',
    method: 'GET',
    path: '/auth/get-session',
    access: anyone,
    input: z.object({}),
    output: z.object({ session: Session, user: Account }).nullable(),
  },
  sendVerification: {
    ...mailsCode,
    summary: 'Mail a code that verifies the address of this account',
    path: '/auth/verify-email/send',
    access: signedIn,
    input: z.object({}),
  },
  verifyEmail: {
    summary: 'Verify the address of this account with the mailed code',
    method: 'POST',
    kind: 'account',
    path: '/auth/verify-email',
    guesses: true,
    access: signedIn,
    audit: [roleActions.change],
    input: z.object({ code: MailedCode }),
    output: SignedIn,
    problems: ['invalid_request'],
  },
  forgotPassword: {
    ...mailsCodeTo,
    summary: 'Mail a code for choosing a new password',
    path: '/auth/forgot-password',
  },
  resetPassword: {
    summary: 'Choose a new password with the mailed code, and sign in',
    description:
      'Ends every other session and sign-in of the account, verifies the address and sets the session cookie. Passkeys stay, unless the address was unverified. Creates the account if there is none, as signing in by code does.',
    method: 'POST',
    kind: 'account',
    path: '/auth/reset-password',
    guesses: true,
    ownWayIn: 'forbidden',
    access: anyone,
    audit: [passwordActions.change, accountActions['take-over'], roleActions.change],
    setsCookie: true,
    input: z.object({ email: Email, code: MailedCode, password: Password, requestId: RequestId.optional() }),
    output: SignedIn,
    problems: ['unauthorized', 'blocked', 'forbidden', 'conflict', 'rate_limited'],
  },
  changePassword: {
    summary: 'Change the password',
    description:
      'Ends every other session and sign-in of the account, and renews this one. Without the current password, a credential must have been used in this session within ten minutes: 403 reauthentication_required otherwise.',
    method: 'POST',
    kind: 'account',
    path: '/auth/change-password',
    guesses: true,
    access: signedIn,
    audit: [passwordActions.change],
    input: z.object({
      password: CurrentPassword.optional(),
      newPassword: Password.meta({ example: 'another horse, another battery' }),
    }),
    output: SignedIn,
    problems: ['unauthorized', 'rate_limited', 'reauthentication_required'],
  },
} satisfies Contract

export const language = {
  set: {
    summary: 'Choose the language of my pages and mails',
    description: 'null leaves pages to what the browser prefers; mails are in English then.',
    method: 'POST',
    kind: 'account',
    path: '/account/language',
    access: signedIn,
    input: z.object({ language: LanguageOrNull }),
    output: SignedIn,
  },
} satisfies Contract

const Standing = z
  .object({
    policy: z.string().meta({ description: 'The name that the RateLimit headers use', example: 'comments-hour' }),
    quota: z.int().meta({ example: 120 }),
    remaining: z.int().meta({ example: 118 }),
    windowSeconds: z.int().meta({ example: 3600 }),
    resetsInSeconds: z.int().meta({ example: 1800, description: 'When the whole quota is available again' }),
  })
  .meta({ id: 'BudgetStanding' })

export const usage = {
  get: {
    summary: 'Get the stored bytes and remaining budgets of my account',
    description: 'Bytes are those of library versions, orgs, runs and images. Admins have no budgets.',
    method: 'GET',
    path: '/account/usage',
    access: signedIn,
    input: z.object({}),
    output: z.object({
      storedBytes: z.int().meta({ example: 4096 }),
      storedBytesLimit: z.int().nullable().meta({ example: 2_147_483_648, description: 'null for no limit' }),
      budgets: z.array(Standing),
    }),
  },
} satisfies Contract

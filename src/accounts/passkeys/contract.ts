// Passkeys: registering them, signing in with one, and listing those of an account (WebAuthn Level 3; behaviour.md, section 5).
import { z } from 'zod'
import { Id, line, Timestamp, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { anyone, signedIn } from '../../identity/area.ts'
import { passkeyActions } from '../../identity/audit-actions.ts'
import { SignedIn } from '../sign-in/contract.ts'

/** Bytes in base64url without padding, as browsers write them in JSON (WebAuthn, 5.1.8). */
const bytes = (maxLength: number, example: string) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[\w-]+$/, 'must be bytes in base64url')
    .meta({ example })

const Challenge = bytes(86, 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA')
const CredentialId = bytes(1364, 'Vn0ZLk3pQ8mXy2b7cRfT1w')
const UserHandle = bytes(86, 'AaH7TruadUSHpCeFMYyPIg')
const ClientData = bytes(4096, 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0')
const AuthenticatorData = bytes(4096, 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ')
const Signature = bytes(1024, 'MEUCIQDrU2vzCmC1kQkRkQ')
const Attestation = bytes(16_384, 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YQ')
const PublicKey = z.literal('public-key')

export const CreationOptions = z
  .object({
    rp: z.object({ id: textLike('guildhall.example'), name: textLike('Guildhall') }),
    user: z.object({
      id: UserHandle,
      name: textLike('mira@example.com'),
      displayName: textLike('Mira'),
    }),
    challenge: Challenge,
    pubKeyCredParams: z.array(z.object({ type: PublicKey, alg: z.int().meta({ example: -7 }) })),
    timeout: z.int().meta({ description: 'In milliseconds', example: 300_000 }),
    excludeCredentials: z.array(
      z.object({ id: CredentialId, type: PublicKey, transports: z.array(z.string().meta({ example: 'internal' })) }),
    ),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('preferred'),
    }),
    attestation: z.literal('none'),
    extensions: z.object({ credProps: z.literal(true) }),
  })
  .meta({ id: 'PasskeyCreationOptions', description: 'PublicKeyCredentialCreationOptionsJSON (WebAuthn, 5.1.9)' })
export type CreationOptions = z.infer<typeof CreationOptions>

export const RequestOptions = z
  .object({
    challenge: Challenge,
    rpId: z.string().meta({ example: 'guildhall.example' }),
    timeout: z.int().meta({ description: 'In milliseconds', example: 300_000 }),
    userVerification: z.literal('preferred'),
  })
  .meta({ id: 'PasskeyRequestOptions', description: 'PublicKeyCredentialRequestOptionsJSON (WebAuthn, 5.1.10)' })
export type RequestOptions = z.infer<typeof RequestOptions>

/** The checked fields of a browser's response; others are ignored. */
const answer = <Shape extends z.ZodObject>(response: Shape) =>
  z.object({ id: CredentialId, rawId: CredentialId, type: PublicKey, response })

const Registration = answer(
  z.object({
    clientDataJSON: ClientData,
    attestationObject: Attestation,
    transports: z
      .array(z.string().max(32).meta({ example: 'internal' }))
      .max(16)
      .optional(),
  }),
).meta({ id: 'PasskeyRegistration', description: 'RegistrationResponseJSON (WebAuthn, 5.1.8)' })
export type Registration = z.output<typeof Registration>

export const Assertion = answer(
  z.object({
    clientDataJSON: ClientData,
    authenticatorData: AuthenticatorData,
    signature: Signature,
    userHandle: UserHandle.nullish(),
  }),
).meta({ id: 'PasskeyAssertion', description: 'AuthenticationResponseJSON (WebAuthn, 5.1.8)' })
export type Assertion = z.output<typeof Assertion>

export const Passkey = z
  .object({ id: Id, name: textLike('Laptop'), createdAt: Timestamp, lastUsedAt: Timestamp.nullable() })
  .meta({ id: 'Passkey' })
export type Passkey = z.infer<typeof Passkey>

const Name = line(1, 60).meta({ example: 'Laptop' })

export const passkeys = {
  beginRegistration: {
    summary: 'Get the options to create a passkey for this account',
    description:
      'The challenge is valid once, for 5 minutes. Needs a credential that was used in this session within ten minutes: 403 reauthentication_required otherwise.',
    method: 'POST',
    kind: 'account',
    path: '/auth/passkeys/options',
    access: signedIn,
    input: z.object({}),
    output: CreationOptions,
    problems: ['conflict', 'rate_limited', 'reauthentication_required'],
  },
  register: {
    summary: 'Add a passkey to this account',
    description:
      'Takes the response of the device. An account has at most 20 passkeys; a registered one is a conflict. The default name is Passkey. A notice is mailed to the account.',
    method: 'POST',
    kind: 'account',
    path: '/auth/passkeys',
    access: signedIn,
    audit: [passkeyActions.add],
    input: z.object({ name: Name.optional(), response: Registration }),
    output: Passkey,
    status: 201,
    problems: ['conflict', 'rate_limited', 'reauthentication_required'],
  },
  list: {
    summary: 'List the passkeys of this account, oldest first',
    method: 'GET',
    path: '/auth/passkeys',
    access: signedIn,
    input: z.object({}),
    output: z.object({ items: z.array(Passkey) }),
  },
  rename: {
    summary: 'Rename a passkey',
    method: 'PATCH',
    kind: 'account',
    path: '/auth/passkeys/{id}',
    access: signedIn,
    audit: [passkeyActions.rename],
    input: z.object({ id: Id, name: Name }),
    output: Passkey,
    problems: ['not_found'],
  },
  remove: {
    summary: 'Remove a passkey: it can no longer sign in',
    method: 'DELETE',
    kind: 'account',
    path: '/auth/passkeys/{id}',
    access: signedIn,
    audit: [passkeyActions.remove],
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found', 'conflict', 'reauthentication_required'],
  },
  beginSignIn: {
    summary: 'Get the options to sign in with a passkey',
    description:
      'Names no account: the device knows its passkeys for this site. The challenge is valid once, for 5 minutes.',
    method: 'POST',
    kind: 'account',
    path: '/auth/sign-in/passkey/options',
    ownWayIn: 'forbidden',
    access: anyone,
    input: z.object({}),
    output: RequestOptions,
    problems: ['forbidden', 'rate_limited'],
  },
  signIn: {
    summary: 'Sign in with a passkey',
    description:
      'Takes the response of the device and sets the session cookie. Every invalid response gets the same error.',
    method: 'POST',
    kind: 'account',
    path: '/auth/sign-in/passkey',
    guesses: true,
    ownWayIn: 'forbidden',
    access: anyone,
    setsCookie: true,
    input: z.object({ response: Assertion }),
    output: SignedIn,
    problems: ['unauthorized', 'blocked', 'forbidden', 'rate_limited'],
  },
} satisfies Contract

// Options for a device and verification of its response (WebAuthn, 7.1 and 7.2), by the library, which is loaded on first use. The
// caller checks whether it issued the signed challenge.

import { z } from 'zod'
import type { Config } from '../../config/config.ts'
import type { PasskeyKey, StoredPasskey } from '../../identity/passkey-queries.ts'
import { jsonIn } from '../../runtime/json.ts'
import { type Assertion, CreationOptions, type Registration, RequestOptions } from './contract.ts'
import { ALGORITHMS, CHALLENGE_SECONDS, originsOf, relyingPartyOf, userHandleOf } from './rules.ts'

const library = () => import('@simplewebauthn/server')
const timeout = CHALLENGE_SECONDS * 1000
const userVerification = 'preferred'

const bytes = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'))

interface Candidate {
  id: string
  email: string
  name: string | null
  passkeys: readonly StoredPasskey[]
}

export async function creationOptions(
  { baseUrl, name: rpName }: Pick<Config, 'baseUrl' | 'name'>,
  { id, email, name, passkeys }: Candidate,
  challenge: string,
): Promise<CreationOptions> {
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName,
    rpID: relyingPartyOf(baseUrl),
    userName: email,
    userDisplayName: name ?? email,
    userID: bytes(userHandleOf(id)),
    challenge: bytes(challenge),
    timeout,
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: JSON.parse(transports),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return CreationOptions.parse(options)
}

export async function requestOptions(baseUrl: string, challenge: string): Promise<RequestOptions> {
  const { generateAuthenticationOptions } = await library()
  const rpID = relyingPartyOf(baseUrl)
  const options = await generateAuthenticationOptions({ rpID, challenge: bytes(challenge), timeout, userVerification })
  return RequestOptions.parse(options)
}

/** `crossOrigin` is set when the request came from a frame in a page of another origin. */
const ClientData = z.object({ challenge: z.string(), crossOrigin: z.boolean().catch(false) })

/** The client data that the browser had signed (WebAuthn, 5.8.1); undefined when it is malformed. */
const clientDataOf = ({ response }: Registration | Assertion) =>
  ClientData.safeParse(jsonIn(Buffer.from(response.clientDataJSON, 'base64url').toString())).data

export const challengeIn = (response: Registration | Assertion): string | undefined => clientDataOf(response)?.challenge

/** The expected values of every response; undefined for one from a frame in a page of another origin. */
function expectedOf(baseUrl: string, response: Registration | Assertion) {
  const data = clientDataOf(response)
  if (!data || data.crossOrigin) return undefined
  return {
    expectedChallenge: data.challenge,
    expectedOrigin: originsOf(baseUrl),
    expectedRPID: relyingPartyOf(baseUrl),
    requireUserVerification: false,
  }
}

/** The key of a device that was asked by us to make one; undefined for anything else. */
export async function verifyRegistration(baseUrl: string, response: Registration) {
  const expected = expectedOf(baseUrl, response)
  if (!expected || !(await isUncertified(response))) return undefined
  const { verifyRegistrationResponse } = await library()
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expected,
      response: { ...response, clientExtensionResults: {} },
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (registrationInfo?.credential.id !== response.id) return undefined
    const { publicKey, counter } = registrationInfo.credential
    return { credentialId: response.id, publicKey: Buffer.from(publicKey).toString('base64url'), counter }
  } catch {
    return undefined
  }
}

/**
 * Whether a new key has no certificates. We request none, and to check those of `android-key` the library fetches their revocation
 * list before it checks the issuer: an address of the sender's choice.
 */
async function isUncertified({ response }: Registration): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const attestation = decodeAttestationObject(bytes(response.attestationObject))
    const format = attestation.get('fmt')
    return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
  } catch {
    return false
  }
}

/** The counter of a device that signed with this passkey in our page; undefined for anything else. */
export async function verifyAssertion(
  baseUrl: string,
  response: Assertion,
  { credentialId, publicKey, counter }: PasskeyKey,
): Promise<number | undefined> {
  const expected = expectedOf(baseUrl, response)
  if (!expected) return undefined
  const { verifyAuthenticationResponse } = await library()
  const { userHandle, ...signed } = response.response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected,
      response: { ...response, response: signed, clientExtensionResults: {} },
      credential: { id: credentialId, publicKey: bytes(publicKey), counter },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}

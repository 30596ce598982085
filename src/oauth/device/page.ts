// The page where a person types the code of a device and decides (RFC 8628, 3.3). It says what asks, for what, and from where, and it
// asks even when the code came with the address: a code that another person sent must not be enough (5.4).
import { addressKey, ceilingOf, countTry, networkOf, triesUnder, uncountTry } from '../../budgets/budgets.ts'
import { Problem } from '../../contract/problem.ts'
import { isScope, scopeNames } from '../../contract/scopes.ts'
import { isTooWeak, strengthOf } from '../../contract/sign-in-strength.ts'
import { createGrant } from '../../identity/grants.ts'
import type { EndpointRequest, EndpointResponse, Serve } from '../../request/endpoint.ts'
import { keyedHash } from '../../runtime/hash.ts'
import { ASKED, boundChoices, boundsChosen } from '../bounds.ts'
import { describedClient, findClient, nameOf } from '../clients.ts'
import {
  type DeviceView,
  errorPage,
  openRequest,
  redirect,
  type Session,
  type Signer,
  sessionOf,
  show,
  signRequest,
  standsStill,
} from '../consent/consent.ts'
import { epochTime } from '../library-time.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { type DeviceCode, findUndecided, lockUndecided, updateDecision } from '../queries.ts'
import { scopeLeft, scopesChosen } from '../rules.ts'
import { DEVICE_SECONDS, shownUserCode, userCodeIn, userCodeKey } from './user-codes.ts'

/** Wrong codes. An account has as many tries as a code of 34.5 bits allows while it lives (6.1). */
const GUESSES = {
  ofAccount: { tries: 5, windowSeconds: DEVICE_SECONDS },
  ofAddress: { tries: 30, windowSeconds: DEVICE_SECONDS },
  inAll: ceilingOf('device codes', { tries: 3_000, windowSeconds: 3_600 }),
}
const WRONG = 'This code is not known, was used or has expired. Compare it with your device, or start there again'
const TOO_OLD = 'Your device asks for a new sign-in. Sign out, sign in again, and type the code once more'
const TOO_WEAK = 'Your device asks for a sign-in with a passkey. Sign out, sign in with it, and type the code once more'

export function devicePageEndpoint(parts: OAuthContext): { GET: Serve; POST: Serve } {
  return {
    GET: async (received) => {
      const typed = (received.url.searchParams.get('user_code') ?? '').slice(0, 20)
      const session = await sessionOf(parts.dependencies, received)
      return session ? showField(session, typed) : signInFirst(parts, typed)
    },
    POST: async (received) => {
      const form = new URLSearchParams(received.body)
      const session = await sessionOf(parts.dependencies, received)
      const typed = form.get('user_code') ?? ''
      if (!session) return signInFirst(parts, typed.slice(0, 20))
      try {
        return await (form.has('accept') ? decide(parts, received, session) : look(parts, received, { session, typed }))
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        if (error.code === 'rate_limited') return showField(session, '', { message: error.message, status: 429 })
        return errorPage(400, `${error.message}.`)
      }
    },
  }
}

function signInFirst({ dependencies: { config } }: OAuthContext, typed: string): EndpointResponse {
  const to = typed ? `/oauth/device?user_code=${encodeURIComponent(typed)}` : '/oauth/device'
  return redirect(`${config.baseUrl}/sign-in?to=${encodeURIComponent(to)}`)
}

const accountOf = ({ email, username }: Session) => ({ email, username })

function showField(session: Session, typed: string, error?: { message: string; status: number }): EndpointResponse {
  const title = error ? 'Connect a device: there is a problem' : 'Connect a device'
  const view = { route: '/oauth/device', step: 'code', title, typed, account: accountOf(session), error } as const
  return show(view satisfies DeviceView, error?.status)
}

/** The request of a code that was typed, as a question. */
async function look(
  parts: OAuthContext,
  received: EndpointRequest,
  { session, typed }: { session: Session; typed: string },
): Promise<EndpointResponse> {
  const { db } = parts.dependencies
  const given = userCodeIn(typed)
  const keys = await countGuess(parts, received, session)
  const code = given && (await findUndecided(db, keyedHash(await userCodeKey(parts), given), received.now))
  const client = code && (await findClient((await parts.server()).provider, code.clientId))
  if (!code || !client) return showField(session, typed.slice(0, 20), { message: WRONG, status: 400 })
  for (const key of keys) await uncountTry(db, key)
  const missing = missingStrength(parts, code, session)
  if (missing) return showField(session, typed, { message: missing, status: 403 })
  const { scope, network, device } = code
  const request = new URLSearchParams({ user_code: given })
  const described = describedClient(client, parts.dependencies.config)
  return show({
    ...{ route: '/oauth/device', step: 'decide', title: `Allow ${described.name}?`, account: accountOf(session) },
    client: described,
    scopes: scopeNames(scope).filter(isScope),
    bounds: boundChoices(code.bounds, received.now),
    from: {
      network: shownNetwork(network),
      device,
      isNear: network === networkOf(received.address),
      at: code.createdAt,
    },
    code: shownUserCode(given),
    query: signRequest(request, await signerFor(parts, session)).toString(),
  })
}

/** What the session lacks of what the device asks for, as a sentence: the sign-in itself is to be fresh or strong, and this page opens none. */
function missingStrength(
  { dependencies: { config, clock } }: OAuthContext,
  { maxAge, acrValues }: DeviceCode,
  session: Session,
): string | undefined {
  if (isTooWeak(acrValues, { ...session, signIn: config.signIn })) return TOO_WEAK
  return maxAge !== null && session.signedInAt + maxAge < epochTime(clock.now()) ? TOO_OLD : undefined
}

/** A network as people know it: `203.0.113.*` or `2001:db8:1::`. */
const shownNetwork = (network: string) => (network.includes('.') ? `${network}.*` : `${network}::`)

/** Counts a try before the code is looked up; the keys, to give a right one back. */
async function countGuess(
  { dependencies: { db, config } }: OAuthContext,
  { now, address }: EndpointRequest,
  { userId }: Session,
): Promise<string[]> {
  if (!config.rateLimits) return []
  const counted = [
    { key: `device code ${userId}`, limit: GUESSES.ofAccount },
    { key: `device code of ${addressKey(address)}`, limit: GUESSES.ofAddress },
    ...triesUnder(GUESSES.inAll, address),
  ]
  for (const one of counted) await countTry(db, { ...one, now })
  return counted.map(({ key }) => key)
}

async function signerFor({ keys, dependencies }: OAuthContext, { sessionId, standing }: Session): Promise<Signer> {
  return { secret: (await keys()).secretFor('device consent'), sessionId, standing, now: dependencies.clock.now() }
}

/** The decision, from the form of the page that `look` made for this session. */
async function decide(parts: OAuthContext, received: EndpointRequest, session: Session): Promise<EndpointResponse> {
  const form = new URLSearchParams(received.body)
  const query = new URLSearchParams(form.get('oauth_query') ?? '')
  const given = openRequest(query, await signerFor(parts, session)).get('user_code') ?? ''
  const allowed = form.get('accept') === 'true'
  const hash = keyedHash(await userCodeKey(parts), given)
  const code = await findUndecided(parts.dependencies.db, hash, received.now)
  // Looked up before the transaction: a client may be a document somewhere.
  const client = code && (await findClient((await parts.server()).provider, code.clientId))
  const decided =
    code &&
    (await store(parts, received, {
      ...{ session, hash, allowed, clientName: (client && nameOf(client, parts.dependencies.config)) ?? null },
      choice: form.get('bounds') ?? ASKED,
      scopes: scopesChosen(form),
    }))
  if (!decided) throw new Problem('invalid_request', 'This code was used or has expired; start again on your device')
  const title = allowed ? 'Your device is connected' : 'You denied the request'
  return show({ route: '/oauth/device', step: 'done', title, allowed, account: accountOf(session) })
}

interface DeviceDecision {
  session: Session
  hash: string
  allowed: boolean
  clientName: string | null
  /** Of the bounds. */
  choice: string
  /** Those that are left in; all of them unless told. */
  scopes: string[] | undefined
}

/** Locks in one order: the account with its session, the grant, the code. Undefined where another decision came first. */
function store(
  { dependencies: { db } }: OAuthContext,
  received: EndpointRequest,
  { session, hash, allowed, clientName, choice, scopes }: DeviceDecision,
): Promise<DeviceCode | undefined> {
  return db.transaction().execute(async (transaction) => {
    if (!(await standsStill(transaction, session, received.now))) {
      throw new Problem('unauthorized', 'Your account has changed since this page was shown; sign in and start again')
    }
    const code = await lockUndecided(transaction, hash, received.now)
    if (!code) return undefined
    if (!allowed) {
      await updateDecision(transaction, code.hash, { decision: 'denied', grantId: null })
      return code
    }
    const { userId, sessionId } = session
    const { clientId } = code
    const scope = scopeLeft(code.scope, scopes)
    const bounds = boundsChosen(choice, code.bounds, received.now)
    const opened = { userId, sessionId, clientId, clientName, scope, bounds, acr: strengthOf(session) }
    const grant = await createGrant(transaction, received, opened)
    await updateDecision(transaction, code.hash, { decision: 'allowed', grantId: grant.id })
    return code
  })
}

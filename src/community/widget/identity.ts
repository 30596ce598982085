// A signed identity (JWT, HS256): whose key signed it, for whom, and for how long. It proves who a person is at one site, and no address.
import { Email } from '../../contract/fields.ts'
import { Problem } from '../../contract/problem.ts'
import { isStorable, oneLine } from '../../contract/storable.ts'
import { cut } from '../../formats/text.ts'
import type { Context } from '../../request/handler.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import { objectIn } from '../../runtime/json.ts'
import { unseal } from '../../runtime/seal.ts'
import * as queries from './queries.ts'

const MAX_SECONDS = 3_600
/** Clocks of servers differ by so much. */
const TOLERANCE_SECONDS = 30
const MAX_SUBJECT = 200
const MAX_NAME = 60
const USE_SECONDS = 3_600

export interface Identity {
  /** The key that signed it. */
  keyId: string
  site: string
  subject: string
  name: string | null
  email: string | undefined
  expiresAt: string
}

export const NO_KEY = 'no key of its site signed it (HS256)'

type Claims = Readonly<Record<string, unknown>>

/** Why an identity is refused. */
export const refusal = (why: string): Problem => new Problem('unauthorized', `This identity is not good: ${why}`)

/** Who a token is of; throws `unauthorized` for any that is not good. The same token is good again until it expires. */
export async function readIdentity(
  context: Pick<Context, 'db' | 'config' | 'now' | 'secretFor'>,
  token: string,
): Promise<Identity> {
  const { config, db, now } = context
  const [, payload = ''] = token.split('.')
  const claims = objectIn(Buffer.from(payload, 'base64url').toString())
  if (!claims) throw refusal('it is no signed token (JWT)')
  const site = config.widgetSites.find((one) => one === claims['iss'])
  if (site === undefined) throw refusal('iss is not the origin of a site that may show the widget')
  const id = await keyOf(context, site, token)
  if (id === undefined) throw refusal(NO_KEY)
  const identity = { keyId: id, ...identityIn(claims, { site, now, audience: config.baseUrl }) }
  await queries.updateKeyUse(db, { id, now, before: after(now, -USE_SECONDS) })
  return identity
}

/** The key of a site that signed a token. No algorithm of the token counts but ours. */
async function keyOf(
  { db, secretFor }: Pick<Context, 'db' | 'secretFor'>,
  site: string,
  token: string,
): Promise<string | undefined> {
  const { compactVerify } = await import('jose')
  const own = await secretFor('widget keys')
  for (const { id, secret } of await queries.listSecretsOf(db, site)) {
    const isSigned = await compactVerify(token, Buffer.from(unseal(own, secret)), { algorithms: ['HS256'] }).then(
      () => true,
      () => false,
    )
    if (isSigned) return id
  }
  return undefined
}

/** What signed claims say; throws where they are not for us, or not for now. */
function identityIn(
  { iat, exp, aud, sub, name, email }: Claims,
  { site, now, audience }: { site: string; now: string; audience: string },
): Omit<Identity, 'keyId'> {
  const at = Date.parse(now) / 1000
  if (typeof iat !== 'number' || typeof exp !== 'number') throw refusal('iat and exp are its times, in seconds')
  if (exp <= at - TOLERANCE_SECONDS) throw refusal('it has expired')
  if (iat > at + TOLERANCE_SECONDS) throw refusal('it is of later than now')
  if (exp - iat > MAX_SECONDS) throw refusal('it lasts longer than an hour')
  if (![aud].flat().includes(audience)) throw refusal(`aud is not ${audience}`)
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT || !isStorable(sub))
    throw refusal(`sub is a text of 1 to ${MAX_SUBJECT} characters`)
  const said = typeof name === 'string' && isStorable(name) ? cut(oneLine(name).trim(), MAX_NAME).trimEnd() : ''
  return {
    ...{ site, subject: sub, name: said || null, email: Email.safeParse(email).data },
    expiresAt: timestamp(Math.max(exp, Math.ceil(at)) * 1000),
  }
}
